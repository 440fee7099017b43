import { createStore } from "zustand/vanilla";
import { useStore } from "zustand";
import type { AgentFile } from "../../contract/agent-file.ts";
import type { ChangeOfSession } from "../../contract/auth.ts";
import type { ChatId } from "../../domain/ids.ts";
import type { Network } from "../../domain/network.ts";
import type { VenueId } from "../../domain/venue-id.ts";

/** A dialog of one chat; `chatId` is empty when saving creates the chat. */
interface OfChat {
  readonly chatId: ChatId | "";
}

export type AgentSection = "set-up" | "rules" | "signals" | "history";

interface OnMarket {
  readonly network: Network;
  readonly venue: VenueId;
  readonly marketId: string;
}

/**
 * What fills an agent's form over what is saved: an agent file, another agent, a market, or a starter on a market.
 */
export type AgentFill =
  | { readonly kind: "file"; readonly file: AgentFile }
  | { readonly kind: "copy"; readonly chatId: ChatId }
  | (OnMarket & { readonly kind: "market" })
  | (OnMarket & {
      readonly kind: "starter";
      readonly id: string;
      /** Like 30m or 1h. */
      readonly interval: string;
    });

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
        | "proposals"
        | "notices";
    }
  | { readonly kind: "signed-out"; readonly changes: readonly ChangeOfSession[] }
  | { readonly kind: "browse"; readonly page: "starters" | "markets" }
  | (OfChat & { readonly kind: "limits" | "delete-chat" })
  | (OfChat & { readonly kind: "deposit"; readonly amount?: string | undefined })
  | (OfChat & {
      readonly kind: "agent";
      readonly fill?: AgentFill | undefined;
      /** Section the dialog opens at; defaults to the first. */
      readonly section?: AgentSection | undefined;
    })
  | (OfChat & { readonly kind: "approval"; readonly transactionId: string })
  | (OfChat & { readonly kind: "withdrawal"; readonly amount: string });

/** A smaller dialog above the open one. */
export type DialogAbove = "none" | "auto-trade" | "close-position" | "hypothesis";

interface Dialogs {
  readonly open: OpenDialog;
  readonly above: DialogAbove;
}

const CLOSED: Dialogs = { open: { kind: "none" }, above: "none" };

const dialogs = createStore<Dialogs>(() => CLOSED);

/** Opens one dialog of the workspace and closes the one that was open. */
export function openDialog(open: OpenDialog): void {
  dialogs.setState({ open, above: "none" });
}

export function openAgentDialog(
  { chatId, section }: OfChat & { readonly section?: AgentSection },
  fill?: AgentFill,
): void {
  openDialog({ kind: "agent", chatId, fill, section });
}

export function openDepositDialog({ chatId }: OfChat, amount?: string): void {
  openDialog({ kind: "deposit", chatId, amount });
}

/** Opens the approval of spending limits that match the agent's asset. */
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

/** Closes every dialog except the agent's form, whose input is kept until the user has signed in again. */
export function closeAllButForm(): void {
  if (dialogs.getState().open.kind === "agent") closeAbove();
  else closeDialog();
}

/** Toggles the dialog; does nothing while another dialog is open. */
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
