import { createStore } from "zustand/vanilla";
import { useStore } from "zustand";

/** The chat is empty where it is made on save. */
interface OfChat {
  readonly chatId: string;
}

export type OpenDialog =
  | { readonly kind: "none" | "api-key" | "wallet-required" }
  | (OfChat & { readonly kind: "agent" | "deposit" | "delete-chat" });

/** A smaller dialog above the open one. */
export type DialogAbove = "none" | "auto-trade" | "hypothesis";

interface Dialogs {
  readonly open: OpenDialog;
  readonly above: DialogAbove;
}

const CLOSED: Dialogs = { open: { kind: "none" }, above: "none" };

const dialogs = createStore<Dialogs>(() => CLOSED);

/** Opens one dialog of the workspace in place of whatever is open. */
export function openDialog(open: OpenDialog): void {
  dialogs.setState({ open, above: "none" });
}

export function openAgentDialog({ chatId }: OfChat): void {
  openDialog({ kind: "agent", chatId });
}

export function openDepositDialog({ chatId }: OfChat): void {
  openDialog({ kind: "deposit", chatId });
}

export function openAbove(above: DialogAbove): void {
  dialogs.setState({ above });
}

export function closeAbove(): void {
  openAbove("none");
}

export function closeDialog(): void {
  dialogs.setState(CLOSED);
}

export function useDialogs(): Dialogs {
  return useStore(dialogs);
}
