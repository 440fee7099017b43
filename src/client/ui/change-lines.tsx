import type { AgentChange } from "../../contract/changes.ts";
import { TimeText } from "./time-text.tsx";

type Change = Pick<AgentChange, "what" | "fields" | "text"> & {
  readonly intent?: string | null | undefined;
};

const ACTS: Readonly<Record<string, string>> = {
  agent_created: "Agent created",
  alert_created: "Alert added",
  alert_updated: "Alert changed",
  alert_deleted: "Alert deleted",
  rule_created: "Rule added",
  rule_updated: "Rule changed",
  rule_deleted: "Rule deleted",
  auto_trade_turned_on: "Auto-Trade turned on",
  auto_trade_turned_off: "Auto-Trade turned off",
  limits_set: "Limits changed",
  proposal_made: "Change proposed",
  proposal_approved: "Proposal approved",
  proposal_declined: "Proposal declined",
  agent_resumed: "Resumed after a limit",
  exits_ended: "Closing stopped",
  position_closed_by_owner: "Position closed by hand",
  webhook_token_rotated: "Webhook token replaced",
  delegate_replaced: "Trading key replaced",
  delegate_withdrawn: "Trading key withdrawn",
};

/** Fields whose name in the audit log is not what the form calls them. */
const FIELDS: Readonly<Record<string, string>> = {
  nameKey: "name",
  marketId: "asset",
  slippageBps: "slippage",
  positionSizePercent: "position size",
  maxSignalAgeSeconds: "signal age",
  hypothesisStatus: "Agentic-Trade",
  buyReportPrompt: "prompts",
  sellReportPrompt: "prompts",
  conditions: "conditions of alerts",
};

const OUTCOMES: Readonly<Record<string, string>> = {
  custody_confirmed: "confirmed on chain",
  custody_failed: "failed on chain",
  custody_expired: "expired before it landed",
  custody_abandoned: "given up",
};

/** What an approved proposal leaves to transactions that the wallet signs next, each with its own line. */
const AGREED: Readonly<Record<string, string>> = {
  deposit: "Deposit agreed to, not sent yet",
  withdraw: "Withdrawal agreed to, not sent yet",
  delete: "Deletion agreed to, not begun yet",
};

/** Returns readable text for a code that this page does not know. */
function plain(code: string): string {
  const words = code.replaceAll(/[-_]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the text of a change, of an agent or of a wallet's settings. */
export function changeText({ what, fields, text, intent }: Change): string {
  if (text !== undefined) return text;
  const outcome = OUTCOMES[what];
  if (outcome !== undefined) return `${plain(intent ?? "transaction")} ${outcome}`;
  const agreed = AGREED[intent ?? ""];
  if (what === "proposal_approved" && agreed !== undefined) return agreed;
  if (what === "alert_updated" && fields?.includes("conditions"))
    return "Alert's condition changed";
  if (what !== "agent_saved") return ACTS[what] ?? plain(what);
  const names = [...new Set((fields ?? []).map((field) => FIELDS[field] ?? field))];
  return names.length === 0 ? "Saved without a change" : `Changed: ${names.join(", ")}`;
}

interface ChangeLine {
  readonly id: string | number;
  readonly at: string;
  readonly text: string;
  /** Who made it. */
  readonly by: string;
}

/** Shows what was changed, when and by whom. */
export function ChangeLines({ lines }: { readonly lines: readonly ChangeLine[] }) {
  return (
    <ol className="divide-y divide-line rounded-md border border-line text-xs">
      {lines.map(({ id, at, text, by }) => (
        <li key={id} className="flex gap-3 px-3 py-2">
          <TimeText at={at} as="short" className="w-28 shrink-0 whitespace-nowrap text-muted" />
          <span className="min-w-0 grow wrap-break-word">
            <span className="font-medium">{text}</span>
            <span className="block text-muted">{by}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}
