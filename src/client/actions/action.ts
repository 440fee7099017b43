import type { LucideIcon } from "lucide-react";
import type { AgentId, ChatId } from "../../domain/ids.ts";
import type { Network } from "../../domain/network.ts";
import type { SignedInWallet } from "../lib/session.ts";
import type { Agent } from "../../contract/agent.ts";
import type { Chat } from "../../contract/chats.ts";
import type { WalletState, WalletType } from "../wallet/wallet-state.ts";

/** Returns the explorer link function for an agent's network; null when the network has no explorer. */
type ExplorerOf = (agentId: AgentId) => ((signature: string) => string) | null;

/** The chat the address names, its agent and the list of chats. */
export interface WorkspaceData {
  /** Signed-in wallet, empty when nobody is signed in. */
  readonly address: SignedInWallet;
  /** Chats of the wallet; undefined while loading. */
  readonly chats: readonly Chat[] | undefined;
  /** Chat on screen, empty when none is. */
  readonly chatId: ChatId | "";
  readonly chat: Chat | undefined;
  /** True when the address names a chat that this wallet does not have. */
  readonly isChatUnknown: boolean;
  readonly agent: Agent | null;
  /** True until it is known whether the address's chat has an agent. */
  readonly isAgentAwaited: boolean;
  readonly network: Network;
  readonly explorerOf: ExplorerOf;
  selectChat(chatId: ChatId, how?: { readonly replace: boolean }): void;
  /** Creates and selects a chat; resolves to its id. Concurrent calls share one chat. Rethrows a failed call. */
  newChat(): Promise<ChatId>;
  /** Like `newChat`, but shows a failure as a toast. */
  startChat(): void;
  renameChat(chatId: ChatId, title: string): void;
  deleteChat(chatId: ChatId, onDone: () => void): void;
  /** Deselects the chat when it may have been deleted. */
  leaveDeleted(): void;
  readonly isDeleting: boolean;
}

/** What an action sees of the workspace, and what only the workspace can do. */
export interface ActionContext extends WorkspaceData {
  readonly wallet: WalletState;
  readonly controller: {
    connect(type: WalletType): Promise<void>;
    connectAndSignIn(type: WalletType): Promise<void>;
    signIn(): Promise<boolean>;
    disconnect(): Promise<void>;
  };
  toggleSidebar(): void;
  /** Leaves the list of chats for the tabs. */
  leaveList(): void;
}

/** Keyboard shortcut that works everywhere, as the event tells it and as the list of shortcuts shows it. */
export interface ActionKey {
  readonly key: string;
  /** Ctrl or Command. */
  readonly withModifier: boolean;
  /** Works while the user types in a field. */
  readonly whileTyping: boolean;
  /** Text of the list of shortcuts. */
  readonly text: string;
}

/** One thing the user can do anywhere in the workspace: palette, menus, keys and help are made from these. */
export interface Action {
  readonly label: string | ((context: ActionContext) => string);
  /** Label of its button where the whole one does not fit. */
  readonly short?: string;
  readonly icon?: LucideIcon;
  /** Group of the command palette; absent where it is not listed. */
  readonly group?: "Actions" | "View";
  readonly key?: ActionKey;
  /** Returns whether it is offered; absent when always. */
  readonly when?: (context: ActionContext) => boolean;
  readonly perform: (context: ActionContext) => void;
}

export const labelOf = ({ label }: Action, context: ActionContext): string =>
  typeof label === "string" ? label : label(context);

export const isSignedIn = ({ address }: ActionContext): boolean => address !== "";
