import { Dialog } from "@base-ui/react/dialog";
import { clsx } from "clsx";
import { Search } from "lucide-react";
import { useRef } from "react";
import { closeDialog } from "../lib/dialogs.ts";
import { PaletteList } from "./palette-list.tsx";
import { usePaletteSearch } from "./use-palette-search.ts";
import type { WorkspaceData } from "./use-workspace.ts";

interface PaletteProps {
  readonly workspace: WorkspaceData;
  readonly toggleSidebar: () => void;
}

/** Command palette: searches chats, tabs and actions by keyboard in data that is already loaded. */
export default function Palette(props: PaletteProps) {
  const inputRef = useRef<HTMLInputElement>(null);
  const search = usePaletteSearch(props);
  const { listId, asked, found, current } = search;

  return (
    <Dialog.Root open onOpenChange={(open) => !open && closeDialog()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-overlay" />
        <Dialog.Viewport className="fixed inset-0 z-40 flex items-start justify-center p-3 sm:pt-[12vh]">
          <Dialog.Popup
            initialFocus={inputRef}
            className="fade flex max-h-[70dvh] w-full max-w-[560px] flex-col overflow-hidden rounded-lg border border-line bg-surface shadow-dialog outline-none"
          >
            <Dialog.Title className="sr-only">Command palette</Dialog.Title>
            <div className="flex shrink-0 items-center gap-2.5 border-b px-4">
              <Search aria-hidden className="size-4 text-faint" />
              <input
                ref={inputRef}
                role="combobox"
                aria-label="Search chats, tabs and actions"
                aria-expanded
                aria-controls={listId}
                aria-activedescendant={current && search.optionId(current)}
                aria-autocomplete="list"
                autoComplete="off"
                spellCheck={false}
                placeholder="Search chats, tabs and actions"
                value={asked}
                onChange={(event) => search.ask(event.target.value)}
                onKeyDown={search.onKey}
                className="h-12 min-w-0 grow bg-transparent text-base outline-none"
              />
            </div>
            <PaletteList search={search} />
            <p
              role="status"
              className={clsx(
                "shrink-0 px-4 text-xs text-faint",
                found.length === 0 ? "py-4" : "border-t py-2",
              )}
            >
              {found.length === 0
                ? `Nothing is called “${asked}”.`
                : "↑ ↓ to choose, Enter to go, Esc to close"}
            </p>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
