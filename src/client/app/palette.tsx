import { Dialog } from "@base-ui/react/dialog";
import { clsx } from "clsx";
import { Search } from "lucide-react";
import { useRef, type KeyboardEvent, useId, useState } from "react";
import {
  closeDialog,
  openAbove,
  openAgentDialog,
  openDepositDialog,
  openDialog,
} from "../lib/dialogs.ts";
import type { WorkspaceData } from "./use-workspace.ts";
import { useWallet } from "../wallet/wallet.ts";
import { useController } from "./app-context.ts";
import { findEntries, type PaletteEntry } from "./find-entries.ts";
import { chatName } from "../features/chat/list/group-chats.ts";
import { TIMEFRAME_IDS } from "../features/chart/timeframe.ts";
import { toggleTheme } from "../lib/theme.ts";
import { showTab } from "../tabs/open-tabs.ts";
import { TABS } from "../tabs/registry.ts";
import { changeTabState } from "../tabs/tab-state.ts";
import { WALLET_NAMES, type WalletState } from "../wallet/wallet-state.ts";
import type { SessionController } from "./session-controller.ts";
import { KEYBOARD_STEP, moveSplit } from "./split-layout.ts";

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
function usePaletteSearch(props: Pick<PaletteDeps, "workspace" | "toggleSidebar">) {
  const id = useId();
  const controller = useController();
  const wallet = useWallet((state) => state);
  const [asked, setAsked] = useState("");
  const [chosen, setChosen] = useState(0);
  const found = findEntries(paletteEntries({ ...props, controller, wallet }), asked);
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

interface PaletteDeps {
  readonly workspace: WorkspaceData;
  readonly controller: SessionController;
  readonly wallet: WalletState;
  readonly toggleSidebar: () => void;
}

type Act = readonly [label: string, run: () => void, isOffered?: boolean];

/** Returns the palette's entries: chats, tabs, then actions. An action that moves money only opens its dialog. */
function paletteEntries(deps: PaletteDeps): readonly PaletteEntry[] {
  const { workspace, controller, wallet } = deps;
  const { address, agent, chatId, chats = [] } = workspace;
  const isSignedIn = address !== "";
  const isConnected = wallet.status === "connected";
  const hasAgent = isSignedIn && agent !== null;
  const group = (title: string, acts: readonly Act[]): readonly PaletteEntry[] =>
    acts
      .filter(([, , isOffered = true]) => isOffered)
      .map(([label, run]) => ({ id: `${title}/${label}`, group: title, label, run }));

  return [
    ...chats.map((chat) => ({
      id: chat.id,
      group: "Chats",
      label: chatName(chat),
      run: () => workspace.selectChat(chat.id),
    })),
    ...group(
      "Tabs",
      TABS.filter(({ needsAgent }) => !needsAgent || hasAgent).map(({ id, label }) => [
        label,
        () => showTab(id),
      ]),
    ),
    ...group("Actions", [
      ["New chat", workspace.startChat, isSignedIn],
      ["Export trades and ledger", () => openDialog({ kind: "export" }), isSignedIn],
      ["Read-only tokens", () => openDialog({ kind: "read-tokens" }), isSignedIn],
      [
        agent ? "Configure agent" : "Create agent",
        () => openAgentDialog({ chatId }),
        isSignedIn && (hasAgent || chatId !== ""),
      ],
      ["Deposit", () => openDepositDialog({ chatId }), hasAgent],
      [
        (agent?.autoTrade ?? "off") !== "off" ? "Turn off Auto-Trade" : "Turn on Auto-Trade",
        () => openAbove("auto-trade"),
        hasAgent && agent?.isFunded === true,
      ],
      [
        "Delete chat",
        () => openDialog({ kind: "delete-chat", chatId }),
        workspace.chat !== undefined,
      ],
      ["API key", () => openDialog({ kind: "api-key" })],
      ["Sign in", () => void controller.signIn(), isConnected && !isSignedIn],
      ...wallet.available.map((type): Act => [
        `Connect ${WALLET_NAMES[type]}`,
        () => void controller.connect(type),
        wallet.status === "disconnected",
      ]),
      ["Disconnect Wallet", () => void controller.disconnect(), isConnected],
    ]),
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
    ...group("View", [
      ["Switch between light and dark theme", toggleTheme],
      ["Show chats and agents", deps.toggleSidebar],
      ["Chat wider", () => moveSplit(-KEYBOARD_STEP)],
      ["Chat narrower", () => moveSplit(KEYBOARD_STEP)],
      ["Keyboard shortcuts", () => openDialog({ kind: "shortcuts" })],
    ]),
  ].map((entry) => ({
    ...entry,
    run: () => {
      closeDialog();
      entry.run();
    },
  }));
}
