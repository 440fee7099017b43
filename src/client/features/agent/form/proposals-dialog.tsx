import { Sparkles } from "lucide-react";
import type { Agent } from "../../../../contract/agent.ts";
import { listAlerts } from "../../../../contract/alerts.ts";
import {
  approveProposal,
  declineProposal,
  listProposals,
  type ProposedAct,
} from "../../../../contract/proposals.ts";
import type { ResponseOf } from "../../../../contract/route.ts";
import { listRules } from "../../../../contract/rules.ts";
import { DEFAULT_POSITION_SIZE_PERCENT } from "../../../../domain/agent-draft.ts";
import { MAX_SIGNAL_AGE_SECONDS } from "../../../../domain/freshness.ts";
import { nameKey } from "../../../../domain/name-key.ts";
import { OWNER_LIMIT_NAMES, toOwnerLimits } from "../../../../domain/owner-limits.ts";
import { DEFAULT_SLIPPAGE_BPS, formatSlippagePercent } from "../../../../domain/slippage.ts";
import { DEFAULT_VENUE } from "../../../../domain/venue-id.ts";
import { VENUE_PROFILES } from "../../../../venues/profiles.ts";
import { closeDialog, openDepositDialog, openDialog } from "../../../lib/dialogs.ts";
import { toastDone } from "../../../lib/toast.ts";
import { useAgentChange, useChange, useRead } from "../../../queries/read.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { NotLoaded } from "../../../ui/not-loaded.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { TimeText } from "../../../ui/time-text.tsx";
import { type AgentForm, formOfAgent, newAgentForm } from "../agent-form.ts";
import { DifferenceList, describeEdits } from "./difference-list.tsx";
import { ownerLimitName, ownerLimitSize } from "../../../../domain/owner-limit-words.ts";

type Proposal = ResponseOf<typeof listProposals>[number];

/** Returns the form as the proposal would save it. */
function formOfDraft({ draft }: DraftProposal, before: Agent | null): AgentForm {
  const { agent, alerts, rules } = draft;
  const { venue, network = before?.network ?? "practice" } = agent;
  const slippage =
    agent.slippagePercent ?? before?.slippagePercent ?? formatSlippagePercent(DEFAULT_SLIPPAGE_BPS);
  return formOfAgent(
    {
      name: agent.name,
      venue: venue === "" ? DEFAULT_VENUE : venue,
      marketId: agent.marketId,
      interval: agent.interval ?? before?.interval ?? "",
      network,
      slippagePercent: Number(slippage),
      positionSizePercent:
        agent.positionSizePercent ?? before?.positionSizePercent ?? DEFAULT_POSITION_SIZE_PERCENT,
      maxSignalAgeSeconds:
        agent.maxSignalAgeSeconds ?? before?.maxSignalAgeSeconds ?? MAX_SIGNAL_AGE_SECONDS,
      plan: agent.plan === undefined ? before?.plan : (agent.plan ?? undefined),
      leverage: agent.leverage ?? before?.leverage,
    },
    alerts.map(({ id, name, description = "", condition }) => ({
      id: id ?? `new ${nameKey(name)}`,
      name,
      description,
      ...(condition != null && { condition }),
    })),
    rules.flatMap(({ id, action, portion, conditions }, index) =>
      action === ""
        ? []
        : [
            {
              id: id ?? `new ${index}`,
              action,
              portion,
              conditions: conditions.map((each) => ({ ...each, count: 0 })),
            },
          ],
    ),
  );
}

/** Returns a form in which everything is left open, as the state before a new agent. */
const nothing = (after: AgentForm): AgentForm => ({
  ...newAgentForm(after.network),
  name: "",
  venue: "",
  marketId: "",
  interval: "",
  slippage: "",
  positionSizePercent: "",
  maxSignalAge: "",
  alerts: [],
});

interface ProposalsDialogProps {
  /** The owner's agents, some of which proposals change. */
  readonly agents: readonly Agent[];
}

/** Dialog of what assistants propose: who, what would differ, and until when it can be approved. */
export default function ProposalsDialog({ agents }: ProposalsDialogProps) {
  const { data, isPending, isError, refetch } = useRead(listProposals, {});
  return (
    <Dialog
      onClose={closeDialog}
      title="Proposals"
      description="What assistants ask you to do. Nothing of it is done before your wallet has signed it."
      footer={<Button onClick={closeDialog}>Close</Button>}
    >
      {isPending && <Skeleton className="h-24" />}
      {isError && <NotLoaded onRetry={refetch}>Proposals could not be loaded.</NotLoaded>}
      {data?.length === 0 && (
        <EmptyState icon={<Sparkles />} title="No proposals">
          An assistant with a token that may propose puts them here.
        </EmptyState>
      )}
      <ul className="flex flex-col gap-4">
        {data?.map((proposal) => (
          <li key={proposal.id} className="rounded-md border p-3">
            <ProposalCard
              proposal={proposal}
              agent={agents.find(({ id }) => id === proposal.agentId) ?? null}
              running={agents.filter(({ autoTrade }) => autoTrade !== "off")}
              isLast={data.length === 1}
            />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

interface CardProps {
  readonly proposal: Proposal;
  /** Agent that changes; null for a new one. */
  readonly agent: Agent | null;
  /** The owner's agents that are not off. */
  readonly running: readonly Agent[];
  /** True where nothing is left to decide after this one: the dialog closes with it. */
  readonly isLast: boolean;
}

function ProposalCard({ proposal, agent, running, isLast }: CardProps) {
  const { draft, act } = proposal;
  const lines = act === undefined ? null : actWords(act, agent, running);
  if (draft !== undefined) {
    return <DraftCard proposal={{ ...proposal, draft }} agent={agent} isLast={isLast} />;
  }
  return (
    <article className="flex flex-col gap-3 text-xs">
      <CardHead
        proposal={proposal}
        title={
          act?.kind === "stop_all"
            ? "Stop all agents"
            : `${titleOf(act)} ${agent?.name ?? "an agent"}`
        }
      />
      {lines === null ? (
        <Skeleton className="h-16" />
      ) : (
        <ul aria-label="What would be done" className="flex flex-col gap-1">
          {lines.map((line) => (
            <li key={line} className="wrap-anywhere whitespace-pre-wrap first-letter:uppercase">
              {line}
            </li>
          ))}
        </ul>
      )}
      <Decision proposal={proposal} isShown={lines !== null} isLast={isLast} />
    </article>
  );
}

/** Returns what an act is, before the agent's name. */
function titleOf(act: ProposedAct | undefined): string {
  switch (act?.kind) {
    case "deposit":
      return "Deposit into";
    case "withdraw":
      return "Withdrawal from";
    case "delete":
      return "Deletion of";
    default:
      return "Change of";
  }
}

const AFTERWARDS = "After this signature the wallet is shown the transaction and signs it too";

/** Returns what an act would do, a line each; what the wallet signs says it in full. Null while its agent is unknown. */
function actWords(
  act: ProposedAct,
  agent: Agent | null,
  running: readonly Agent[],
): readonly string[] | null {
  if (act.kind === "stop_all") {
    return running.length === 0
      ? ["All agents are off"]
      : running.map(({ name }) => `Auto-trade of ${name} off, its position closed`);
  }
  if (agent === null) return null;
  const { symbol } = VENUE_PROFILES[agent.venue].quote;
  switch (act.kind) {
    case "deposit":
      return [`Deposit ${act.amount} ${symbol} from your wallet into its vault`, AFTERWARDS];
    case "withdraw":
      return [`Withdraw ${act.amount} ${symbol} from it to your wallet`, AFTERWARDS];
    case "delete":
      return [
        "Delete the agent, its rules, its log and its chat",
        "What its vault holds comes back first, by transactions that the wallet signs",
      ];
    case "auto_trade":
      return [`Auto-trade from ${agent.autoTrade} to ${act.autoTrade}`];
    case "prompts":
      return [`Text for buys: ${act.buyReportPrompt}`, `Text for sells: ${act.sellReportPrompt}`];
    case "limits": {
      const [before, after] = [toOwnerLimits(agent.limits ?? {}), toOwnerLimits(act.limits)];
      const changed = OWNER_LIMIT_NAMES.filter((name) => before[name] !== after[name]);
      if (changed.length === 0) return ["All limits stay as they are"];
      return changed.map(
        (name) =>
          `${ownerLimitName(name)}: from ${ownerLimitSize(name, before[name])} to ${ownerLimitSize(name, after[name])}`,
      );
    }
  }
}

interface CardHeadProps {
  readonly proposal: Proposal;
  readonly title: string;
  readonly network?: string;
}

function CardHead({ proposal, title, network }: CardHeadProps) {
  const { assistant, createdAt, expiresAt } = proposal;
  return (
    <header>
      <h3 className="text-sm font-medium wrap-anywhere">{title}</h3>
      <p className="text-muted wrap-anywhere">
        {assistant}, <TimeText at={createdAt} as="short" />. Ends{" "}
        <TimeText at={expiresAt} as="short" />.{network !== undefined && ` Network: ${network}.`}
      </p>
    </header>
  );
}

/** A proposal of a whole agent. */
type DraftProposal = Proposal & { readonly draft: NonNullable<Proposal["draft"]> };

function DraftCard({
  proposal,
  agent,
  isLast,
}: Pick<CardProps, "agent" | "isLast"> & { readonly proposal: DraftProposal }) {
  const { draft } = proposal;
  const params = { agentId: agent?.id ?? ("" as const) };
  const options = { enabled: agent !== null, staleTime: 0 };
  const alerts = useRead(listAlerts, { params }, options);
  const rules = useRead(listRules, { params }, options);
  const after = formOfDraft(proposal, agent);
  const isLost = proposal.agentId !== undefined && agent === null;
  const before =
    agent === null
      ? nothing(after)
      : alerts.data && rules.data && formOfAgent(agent, alerts.data, rules.data);
  return (
    <article className="flex flex-col gap-3 text-xs">
      <CardHead
        proposal={proposal}
        title={agent === null ? `New agent: ${draft.agent.name}` : `Change of ${agent.name}`}
        network={after.network}
      />
      {before === undefined || isLost ? (
        <Skeleton className="h-16" />
      ) : (
        <DifferenceList changes={describeEdits(before, after)} />
      )}
      <Decision proposal={proposal} isShown={before !== undefined && !isLost} isLast={isLast} />
    </article>
  );
}

/** Tells what was done, or opens what the owner goes on with, as if nobody had proposed it. */
function goOn({ agentId, act }: Proposal, agent: Agent | null): void {
  if (agent === null) return toastDone({ title: "All agents stop" });
  const { chatId } = agent;
  switch (act?.kind) {
    case "deposit":
      return openDepositDialog(agent, act.amount);
    case "withdraw":
      return openDialog({ kind: "withdrawal", chatId, amount: act.amount });
    case "delete":
      return openDialog({ kind: "delete-chat", chatId });
    default:
      toastDone({ title: agentId === undefined ? "Agent Created" : "Agent Updated" });
      if (agent.subAccountId === undefined) openDepositDialog(agent);
  }
}

interface DecisionProps extends Pick<CardProps, "proposal" | "isLast"> {
  /** False while the differences are not on screen: what nobody saw cannot be approved. */
  readonly isShown: boolean;
}

function Decision({ proposal, isShown, isLast }: DecisionProps) {
  const close = () => isLast && closeDialog();
  const approve = useAgentChange(approveProposal, {
    toast: "failures",
    onDone: (answer) => {
      close();
      goOn(proposal, answer);
    },
  });
  const decline = useChange(declineProposal, {
    toast: { title: "Proposal declined" },
    onDone: close,
  });
  const params = { id: proposal.id };
  const isBusy = approve.isPending || decline.isPending;
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button
        size="small"
        busy={decline.isPending}
        disabled={isBusy}
        onClick={() => decline.mutate({ params })}
      >
        Decline
      </Button>
      <Button
        size="small"
        tone="primary"
        busy={approve.isPending}
        disabled={!isShown || isBusy}
        onClick={() => approve.mutate({ params, body: { digest: proposal.digest } })}
      >
        Approve and sign
      </Button>
    </div>
  );
}
