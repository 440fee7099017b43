import { Dialog } from "@base-ui/react/dialog";
import { clsx } from "clsx";
import { Search } from "lucide-react";
import { useRef, type KeyboardEvent, useId, useState } from "react";
import { closeDialog } from "../lib/dialogs.ts";
import { type Action, type ActionContext, labelOf } from "../actions/action.ts";
import { useActionContext } from "../actions/action-context.ts";
import { ACTIONS } from "../actions/list.ts";
import { chatName } from "../features/chat/list/group-chats.ts";
import { TIMEFRAME_IDS } from "../features/chart/timeframe.ts";
import { showTab } from "../tabs/open-tabs.ts";
import { TABS } from "../tabs/registry.ts";
import { changeTabState } from "../tabs/tab-state.ts";

/** Command palette: searches chats, tabs and actions by keyboard in data that is already loaded. */
export default function Palette() {
  const inputRef = useRef<HTMLInputElement>(null);
  const search = usePaletteSearch();
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

/** Found entries of the command palette, by group. */
function PaletteList({ search }: { readonly search: PaletteSearch }) {
  const { found, current } = search;
  const groups = [...new Set(found.map(({ group }) => group))];
  return (
    <div
      id={search.listId}
      role="listbox"
      aria-label="Results"
      className={clsx("min-h-0 grow overflow-y-auto p-1.5", found.length === 0 && "hidden")}
    >
      {groups.map((group) => (
        <div key={group} role="group" aria-labelledby={search.groupId(group)}>
          <div
            id={search.groupId(group)}
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
                id={search.optionId(entry)}
                role="option"
                tabIndex={-1}
                aria-selected={entry === current}
                onClick={entry.run}
                onKeyDown={search.onKey}
                onPointerMove={() => search.choose(entry)}
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
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Returns the entries a text finds and the chosen one, which arrow keys move and Enter runs. */
function usePaletteSearch() {
  const id = useId();
  const context = useActionContext();
  const [asked, setAsked] = useState("");
  const [chosen, setChosen] = useState(0);
  const found = findEntries(paletteEntries(context), asked);
  const current = found[Math.min(chosen, found.length - 1)];

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

  return {
    listId: `${id}-list`,
    groupId: (group: string) => `${id}-${group}`,
    optionId: (entry: PaletteEntry) => `${id}-${found.indexOf(entry)}`,
    asked,
    found,
    current,
    ask(text: string): void {
      setAsked(text);
      setChosen(0);
    },
    choose: (entry: PaletteEntry) => setChosen(found.indexOf(entry)),
    onKey,
  };
}

type PaletteSearch = ReturnType<typeof usePaletteSearch>;

type Entry = readonly [label: string, run: () => void];

/** Returns the palette's entries: chats, tabs, then actions. An action that moves money only opens its dialog. */
function paletteEntries(context: ActionContext): readonly PaletteEntry[] {
  const { address, agent, chats = [] } = context;
  const hasAgent = address !== "" && agent !== null;
  const group = (title: string, entries: readonly Entry[]): readonly PaletteEntry[] =>
    entries.map(([label, run]) => ({ id: `${title}/${label}`, group: title, label, run }));
  const actions = (title: Action["group"] & string) =>
    group(
      title,
      ACTIONS.filter((action) => action.group === title && (action.when?.(context) ?? true)).map(
        (action) => [labelOf(action, context), () => action.perform(context)],
      ),
    );

  return [
    ...chats.map((chat) => ({
      id: chat.id,
      group: "Chats",
      label: chatName(chat),
      run: () => context.selectChat(chat.id),
    })),
    ...group(
      "Tabs",
      TABS.filter(({ needsAgent }) => !needsAgent || hasAgent).map(({ id, label }) => [
        label,
        () => showTab(id),
      ]),
    ),
    ...actions("Actions"),
    ...group(
      "Chart timeframe",
      TIMEFRAME_IDS.map((timeframe) => [
        `Chart ${timeframe}`,
        () => {
          changeTabState("charts", { timeframe });
          showTab("charts");
        },
      ]),
    ),
    ...actions("View"),
  ].map((entry) => ({
    ...entry,
    run: () => {
      closeDialog();
      entry.run();
    },
  }));
}

/** An entry of the command palette. */
interface PaletteEntry {
  readonly id: string;
  readonly group: string;
  readonly label: string;
  readonly run: () => void;
}

/** Returns the rank of a label, lower is better; null without a match. */
function rank(label: string, words: readonly string[]): number | null {
  const text = label.toLocaleLowerCase();
  if (!words.every((word) => text.includes(word))) return null;
  const first = words[0] ?? "";
  if (text.startsWith(first)) return 0;
  return text.split(/[^\p{L}\p{N}]+/u).some((part) => part.startsWith(first)) ? 1 : 2;
}

/** Returns the entries that contain every search word, best match first; without words, all entries in their order. */
export function findEntries(
  entries: readonly PaletteEntry[],
  asked: string,
): readonly PaletteEntry[] {
  const words = asked.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries;
  return entries
    .map((entry) => ({ entry, place: rank(entry.label, words) }))
    .filter((found): found is { entry: PaletteEntry; place: number } => found.place !== null)
    .sort((a, b) => a.place - b.place)
    .map(({ entry }) => entry);
}
