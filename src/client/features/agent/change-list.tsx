import { NothingLoaded } from "../../ui/not-loaded.tsx";
import { type AgentChange, CHANGES_PAGE, listChanges } from "../../../contract/changes.ts";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { AgentId } from "../../../domain/ids.ts";
import { readPages } from "../../queries/read.ts";
import { Button } from "../../ui/button.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { TimeText, ZoneNote } from "../../ui/time-text.tsx";
import { useOwner } from "../../lib/session.ts";

/** Change history of an agent, newest first. */
export function ChangeList({ agentId }: { readonly agentId: AgentId }) {
  const address = useOwner();
  const read = useInfiniteQuery(
    readPages(address, listChanges, { params: { agentId }, query: {} }, "before", (page) =>
      page.length < CHANGES_PAGE ? null : page.at(-1)?.id,
    ),
  );
  if (read.isPending) return <Spinner label="Loading history..." />;
  if (read.data === undefined) {
    return <NothingLoaded title="The history could not be loaded" onRetry={read.refetch} />;
  }
  return (
    <section aria-label="History" className="flex flex-col gap-2">
      <p className="flex flex-wrap justify-between gap-x-4 text-xs text-muted">
        <span>What was changed, when and by whom. Nothing here can be edited.</span>
        <ZoneNote className="text-faint" />
      </p>
      <ol className="divide-y divide-line rounded-md border border-line text-xs">
        {read.data.pages.flat().map((change) => (
          <li key={change.id} className="flex gap-3 px-3 py-2">
            <TimeText
              at={change.at}
              as="short"
              className="w-28 shrink-0 whitespace-nowrap text-muted"
            />
            <span className="min-w-0 grow wrap-break-word">
              <span className="font-medium">{changeText(change)}</span>
              <span className="block text-muted">{BY[change.by]}</span>
            </span>
          </li>
        ))}
      </ol>
      {read.hasNextPage && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {/* The list keeps what it shows, so the failure stands where the older ones would */}
          {read.isFetchNextPageError && !read.isFetchingNextPage && (
            <p role="alert" className="text-xs text-down">
              Older changes could not be loaded.
            </p>
          )}
          <Button
            size="small"
            busy={read.isFetchingNextPage}
            onClick={() => void read.fetchNextPage()}
          >
            {read.isFetchNextPageError ? "Try again" : "Show older"}
          </Button>
        </div>
      )}
    </section>
  );
}

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

/** Returns the text of a change. */
function changeText({ what, fields, text, intent }: AgentChange): string {
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

/** Labels of who made a change. */
const BY: Readonly<Record<AgentChange["by"], string>> = {
  owner: "You",
  operator: "Operator",
  outside: "Outside Wheelhouse",
};
