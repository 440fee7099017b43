import { createStore } from "zustand/vanilla";
import { useStore } from "zustand";

export type OpenDialog =
  | { readonly kind: "none" }
  | { readonly kind: "agent"; readonly chatId: string }
  | { readonly kind: "deposit"; readonly chatId: string }
  | { readonly kind: "withdraw"; readonly chatId: string }
  | { readonly kind: "api-key" }
  | { readonly kind: "wallet-required" }
  | { readonly kind: "choose-wallet" }
  | { readonly kind: "delete-chat"; readonly chatId: string };

const dialogs = createStore<{ readonly open: OpenDialog }>(() => ({ open: { kind: "none" } }));

/** Opens one dialog of the workspace in place of whatever is open. */
export function openDialog(open: OpenDialog): void {
  dialogs.setState({ open });
}

export function openAgentDialog({ chatId }: { readonly chatId: string }): void {
  openDialog({ kind: "agent", chatId });
}

export function openDepositDialog({ chatId }: { readonly chatId: string }): void {
  openDialog({ kind: "deposit", chatId });
}

export function closeDialog(): void {
  openDialog({ kind: "none" });
}

export function useOpenDialog(): OpenDialog {
  return useStore(dialogs, (state) => state.open);
}
