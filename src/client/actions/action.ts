import type { LucideIcon } from "lucide-react";
import type { ChatId } from "../../domain/ids.ts";
import type { SignedInWallet } from "../lib/session.ts";
import type { Agent } from "../../contract/agent.ts";
import type { Chat } from "../../contract/chats.ts";
import type { WalletState, WalletType } from "../wallet/wallet-state.ts";

/** What an action sees of the workspace, and what only the workspace can do. */
export interface ActionContext {
  /** Signed-in wallet, empty when nobody is signed in. */
  readonly address: SignedInWallet;
  readonly chatId: ChatId | "";
  readonly chat: Chat | undefined;
  readonly agent: Agent | null;
  readonly wallet: WalletState;
  readonly controller: {
    connect(type: WalletType): Promise<void>;
    signIn(): Promise<boolean>;
    disconnect(): Promise<void>;
  };
  startChat(): void;
  toggleSidebar(): void;
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
