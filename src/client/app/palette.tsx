import { Dialog } from "@base-ui/react/dialog";
import { clsx } from "clsx";
import { Search } from "lucide-react";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { useWallet } from "../wallet/wallet.ts";
import { useController } from "./app-context.ts";
import { closeDialog } from "./dialogs.ts";
import { findEntries, type PaletteEntry } from "./find-entries.ts";
import { paletteEntries } from "./palette-entries.ts";
import type { WorkspaceData } from "./use-workspace.ts";

interface PaletteProps {
  readonly workspace: WorkspaceData;
  readonly toggleSidebar: () => void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Command palette: searches chats, tabs and actions by keyboard in data that is already loaded. */
export default function Palette({ workspace, toggleSidebar }: PaletteProps) {
  const id = useId();
  const inputRef = useRef<HTMLInputElement>(null);
  const controller = useController();
  const wallet = useWallet((state) => state);
  const [asked, setAsked] = useState("");
  const [chosen, setChosen] = useState(0);
  const found = findEntries(
    paletteEntries({ workspace, controller, wallet, toggleSidebar }),
    asked,
  );
  const current = found[Math.min(chosen, found.length - 1)];
  const groups = [...new Set(found.map(({ group }) => group))];
  const optionId = (entry: PaletteEntry) => `${id}-${found.indexOf(entry)}`;

  function onKey(event: KeyboardEvent): void {
    const step = STEPS[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      const at = current ? found.indexOf(current) : 0;
      const next = (at + step + found.length) % found.length;
      setChosen(next);
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: "nearest" });
    }
    if (event.key === "Enter" && current && !event.nativeEvent.isComposing) {
      event.preventDefault();
      current.run();
    }
  }

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
                aria-controls={`${id}-list`}
                aria-activedescendant={current && optionId(current)}
                aria-autocomplete="list"
                autoComplete="off"
                spellCheck={false}
                placeholder="Search chats, tabs and actions"
                value={asked}
                onChange={(event) => {
                  setAsked(event.target.value);
                  setChosen(0);
                }}
                onKeyDown={onKey}
                className="h-12 min-w-0 grow bg-transparent text-base outline-none"
              />
            </div>
            <div
              id={`${id}-list`}
              role="listbox"
              aria-label="Results"
              className={clsx("min-h-0 grow overflow-y-auto p-1.5", found.length === 0 && "hidden")}
            >
              {groups.map((group) => (
                <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
                  <div
                    id={`${id}-${group}`}
                    role="presentation"
                    className="px-2.5 pt-2 pb-1 text-2xs font-medium text-faint"
                  >
                    {group}
                  </div>
                  {found
                    .filter((entry) => entry.group === group)
                    .map((entry) => (
                      <div
                        key={entry.id}
                        id={optionId(entry)}
                        role="option"
                        tabIndex={-1}
                        aria-selected={entry === current}
                        onClick={entry.run}
                        onKeyDown={onKey}
                        onPointerMove={() => setChosen(found.indexOf(entry))}
                        className={clsx(
                          "flex min-h-9 cursor-default items-center rounded-md px-2.5 text-sm",
                          entry === current && "bg-hover",
                        )}
                      >
                        <span className="truncate">{entry.label}</span>
                      </div>
                    ))}
                </div>
              ))}
            </div>
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
