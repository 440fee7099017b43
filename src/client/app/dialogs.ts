import { createStore } from "zustand/vanilla";
import { useStore } from "zustand";
import type { AgentFile } from "../../contract/agent-file.ts";
import type { AgentProposal } from "../lib/ai/agent-proposal.ts";

/** The chat is empty where it is made on save. */
interface OfChat {
  readonly chatId: string;
}

export type AgentSection = "set-up" | "rules" | "signals" | "history";

export type OpenDialog =
  | {
      readonly kind:
        | "none"
        | "api-key"
        | "wallet-required"
        | "palette"
        | "shortcuts"
        | "export"
        | "read-tokens"
        | "notices";
    }
  | (OfChat & { readonly kind: "deposit" | "limits" | "delete-chat" })
  | (OfChat & {
      readonly kind: "agent";
      /** What the assistant proposes to fill in. */
      readonly proposal?: AgentProposal | undefined;
      /** A file to fill in. */
      readonly file?: AgentFile | undefined;
      /** Where the dialog opens; its first part when left out. */
      readonly section?: AgentSection | undefined;
    })
  | (OfChat & { readonly kind: "approval"; readonly transactionId: string });

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

export function openAgentDialog(
  { chatId, section }: OfChat & { readonly section?: AgentSection },
  proposal?: AgentProposal,
): void {
  openDialog({ kind: "agent", chatId, proposal, section });
}

export function openAgentFile({ chatId }: OfChat, file: AgentFile): void {
  openDialog({ kind: "agent", chatId, file });
}

export function openDepositDialog({ chatId }: OfChat): void {
  openDialog({ kind: "deposit", chatId });
}

/** Has the owner approve limits that fit the agent's asset. */
export function openLimitsDialog({ chatId }: OfChat): void {
  openDialog({ kind: "limits", chatId });
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

/** Closes whatever is open but the agent's form, which keeps what was typed until the user has signed in again. */
export function closeAllButForm(): void {
  if (dialogs.getState().open.kind === "agent") closeAbove();
  else closeDialog();
}

/** Opens the dialog, or closes it when it is the open one; work in another dialog is left alone. */
export function toggleDialog(kind: "palette" | "shortcuts"): void {
  const { open, above } = dialogs.getState();
  if (open.kind === kind) closeDialog();
  else if (above === "none" && ["none", "palette", "shortcuts"].includes(open.kind)) {
    openDialog({ kind });
  }
}

export function useDialogs(): Dialogs {
  return useStore(dialogs);
}
