import { chatName } from "../features/chats/group-chats.ts";
import { TIMEFRAME_IDS } from "../features/chart/timeframe.ts";
import { toggleTheme } from "../lib/theme.ts";
import { showTab } from "../tabs/open-tabs.ts";
import { TABS } from "../tabs/registry.ts";
import { changeTabState } from "../tabs/tab-state.ts";
import { WALLET_NAMES, type WalletState } from "../wallet/wallet-state.ts";
import {
  closeDialog,
  openAbove,
  openAgentDialog,
  openDepositDialog,
  openDialog,
} from "../lib/dialogs.ts";
import type { PaletteEntry } from "./find-entries.ts";
import type { SessionController } from "./session-controller.ts";
import { KEYBOARD_STEP, moveSplit } from "./split-layout.ts";
import type { WorkspaceData } from "./use-workspace.ts";

export interface PaletteDeps {
  readonly workspace: WorkspaceData;
  readonly controller: SessionController;
  readonly wallet: WalletState;
  readonly toggleSidebar: () => void;
}

type Act = readonly [label: string, run: () => void, isOffered?: boolean];

/** Returns the palette's entries: chats, tabs, then actions. An action that moves money only opens its dialog. */
export function paletteEntries(deps: PaletteDeps): readonly PaletteEntry[] {
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
