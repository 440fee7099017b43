import { apiKey } from "./api-key.ts";
import type { Action } from "./action.ts";
import { autoTrade } from "./auto-trade.ts";
import { BROWSED } from "./browse.ts";
import { closePosition } from "./close-position.ts";
import { configureAgent } from "./configure-agent.ts";
import { connectWallet } from "./connect-wallet.ts";
import { deleteChat } from "./delete-chat.ts";
import { deposit } from "./deposit.ts";
import { disconnect } from "./disconnect.ts";
import { duplicateAgent } from "./duplicate-agent.ts";
import { exportFigures } from "./export-figures.ts";
import { narrowChat, widenChat } from "./move-chat.ts";
import { newChat } from "./new-chat.ts";
import { notices } from "./notices.ts";
import { proposals } from "./proposals.ts";
import { readTokens } from "./read-tokens.ts";
import { showShortcuts } from "./show-shortcuts.ts";
import { signIn } from "./sign-in.ts";
import { switchTheme } from "./switch-theme.ts";
import { togglePalette } from "./toggle-palette.ts";
import { showOrHideChat } from "./toggle-chat.ts";
import { toggleSidebar } from "./toggle-sidebar.ts";

/** Every action of the workspace, in the order of the command palette. A new action is one file and one line here. */
export const ACTIONS: readonly Action[] = [
  newChat,
  exportFigures,
  readTokens,
  proposals,
  notices,
  configureAgent,
  duplicateAgent,
  deposit,
  autoTrade,
  closePosition,
  deleteChat,
  apiKey,
  signIn,
  connectWallet("practice"),
  connectWallet("phantom"),
  connectWallet("solflare"),
  disconnect,
  ...BROWSED,
  switchTheme,
  toggleSidebar,
  showOrHideChat,
  widenChat,
  narrowChat,
  showShortcuts,
  togglePalette,
];
