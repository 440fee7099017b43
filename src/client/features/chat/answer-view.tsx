import { useMutation, useQueryClient } from "@tanstack/react-query";
import { BookOpen } from "lucide-react";
import { Suspense, useContext } from "react";
import { getAgentByChat } from "../../../contract/agents.ts";
import { createProposal, listProposals } from "../../../contract/proposals.ts";
import { type AgentProposal, splitProposal } from "../../../assistant/agent-proposal.ts";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { type Answer, SIMULATED } from "./assistant/answer-text.ts";
import Markdown from "./markdown.tsx";
import { SafeLink } from "./safe-link.tsx";
import { ToolResultCard } from "./tool-result-card.tsx";
import { conditionText } from "../../../domain/condition/condition-text.ts";
import { signalText } from "../../lib/signal-text.ts";
import { openDialog } from "../../lib/dialogs.ts";
import { useOwner } from "../../lib/session.ts";
import { toastError } from "../../lib/toast.ts";
import { defaultNetwork, deploymentQuery } from "../../queries/deployment.ts";
import { callRoute, read, useChange } from "../../queries/read.ts";
import { ShownChat } from "./shown-messages.ts";
import { Button } from "../../ui/button.tsx";

const ProposalSimulation = lazyPart(() => import("./proposal-simulation.tsx"));

/** Returns whether a proposal can be simulated; times of outside alerts are unknown. */
const isSimulated = ({ alerts = [] }: AgentProposal): boolean =>
  alerts.some(({ condition }) => condition !== undefined);

const isSimulation = ({ title }: Answer["results"][number]): boolean => title.startsWith(SIMULATED);

interface AnswerViewProps {
  readonly answer: Answer;
  readonly isLive: boolean;
}

const ENDINGS = {
  complete: null,
  stopped: "Stopped before the end.",
  interrupted: "Interrupted before the end.",
  length: "Cut off: the model writes no longer answer.",
  filtered: "Held back by the provider's filter before the end.",
} as const;

/** Answer with its reads and sources, or a note that it has neither. */
export default function AnswerView({ answer, isLive }: AnswerViewProps) {
  const { sources, reads, results, ending } = answer;
  const { text, proposal: proposed, isUnreadable } = splitProposal(answer.text);
  // What an answer goes on to say may take its proposal back
  const proposal = ending === "complete" ? proposed : null;
  return (
    <div className="flex flex-col gap-2">
      {reads.length > 0 && (
        <ul aria-label="Read for this answer" className="flex flex-col gap-0.5 text-2xs text-muted">
          {reads.map((read) => (
            <li key={read} className="flex items-center gap-1.5">
              <BookOpen aria-hidden className="size-3 shrink-0" />
              Read {read}
            </li>
          ))}
        </ul>
      )}
      <Markdown text={text} />
      {results.map((result) => (
        <ToolResultCard key={result.title} result={result} />
      ))}
      {proposal && <ProposalCard proposal={proposal} isGrowing={isLive} />}
      {proposal && !isLive && isSimulated(proposal) && !results.some(isSimulation) && (
        <Suspense fallback={null}>
          <ProposalSimulation proposal={proposal} />
        </Suspense>
      )}
      {(isUnreadable || proposal !== proposed) && (
        <p className="text-xs text-muted">
          {isLive
            ? "Preparing a proposal…"
            : `${isUnreadable ? "The proposal in this answer cannot be read" : "This answer is not whole, so nothing is taken from its proposal"}. Ask again.`}
        </p>
      )}
      {sources.length > 0 && (
        <section aria-label="Sources" className="border-t pt-2">
          <ol className="flex list-decimal flex-col gap-1 pl-5 text-xs text-muted">
            {sources.map(({ url, title }) => (
              <li key={url}>
                <SafeLink
                  href={url}
                  className="text-accent-text underline-offset-2 hover:underline"
                >
                  {title}
                </SafeLink>
              </li>
            ))}
          </ol>
        </section>
      )}
      {!isLive && sources.length === 0 && (
        <p className="text-2xs text-faint">
          {reads.length > 0
            ? "No web source. Figures come from what was read."
            : "No source: nothing in this answer was looked up."}
        </p>
      )}
      {ENDINGS[ending] !== null && (
        <p className="text-xs font-medium text-warn">{ENDINGS[ending]}</p>
      )}
    </div>
  );
}

interface ProposalCardProps {
  readonly proposal: AgentProposal;
  /** Disables the button while the answer grows, because it would move during a click. */
  readonly isGrowing: boolean;
}

const NAMES = {
  venue: "Venue",
  asset: "Asset",
  interval: "Interval",
  slippagePercent: "Slippage (%)",
  positionSizePercent: "Position size (%)",
} as const;

/** A day, the longest that a proposal waits. */
const MINUTES_OPEN = 1_440;

/** A new agent as the form begins it, where the model leaves something open. */
const USUAL = { asset: "SOL", interval: "1h" };

/** Stores what an answer proposes, as the tools of assistants do, and shows it; what is still open is only shown. */
function useProposing(proposal: AgentProposal) {
  const owner = useOwner();
  const chatId = useContext(ShownChat);
  const client = useQueryClient();
  const stored = useChange(createProposal);
  return useMutation({
    mutationFn: async () => {
      const [{ proposalOf }, agent, deployment, open] = await Promise.all([
        import("../../../assistant/propose-tools.ts"),
        client.fetchQuery(read(owner, getAgentByChat, { params: { chatId } })),
        client.fetchQuery(deploymentQuery),
        client.fetchQuery({ ...read(owner, listProposals, {}), staleTime: 0 }),
      ]);
      if (open.some(({ id }) => id === stored.data?.id)) return;
      const network = defaultNetwork(deployment);
      const whole = agent === null ? { ...USUAL, ...proposal } : proposal;
      const { draft, ...of } = await proposalOf(callRoute, whole, {
        agent,
        name: undefined,
        network,
      });
      const placed =
        agent === null && chatId !== "" ? { ...draft, agent: { ...draft.agent, chatId } } : draft;
      await stored.mutateAsync({ body: { ...of, draft: placed, minutes: MINUTES_OPEN } });
    },
    onSuccess: () => openDialog({ kind: "proposals" }),
    onError: toastError,
  });
}

/** Summary of a proposal. Nothing changes until the owner's wallet has signed it. */
function ProposalCard({ proposal, isGrowing }: ProposalCardProps) {
  const { mutate, isPending } = useProposing(proposal);
  const fields = Object.entries(NAMES).flatMap(([key, label]) => {
    const value = proposal[key as keyof typeof NAMES];
    return value === undefined ? [] : [`${label}: ${value}`];
  });
  const conditions = (proposal.alerts ?? []).flatMap(({ name, condition }) =>
    condition === undefined ? [] : [{ name, text: conditionText(condition) }],
  );
  return (
    <section
      aria-label="Proposed agent"
      className="flex flex-col items-start gap-2 rounded-md border bg-surface p-3 text-xs"
    >
      <h3 className="text-sm font-semibold">Proposed agent</h3>
      {fields.length > 0 && <p className="text-muted">{fields.join(" · ")}</p>}
      {conditions.length > 0 && (
        <ul aria-label="Conditions" className="flex flex-col gap-1">
          {conditions.map(({ name, text }) => (
            <li key={name}>
              <span className="font-medium">{name}</span>
              <span className="text-muted">: {text}</span>
            </li>
          ))}
        </ul>
      )}
      {(proposal.rules ?? []).length > 0 && (
        <ul className="flex flex-col gap-1">
          {proposal.rules?.map(({ action, portion, conditions }, index) => (
            <li key={index}>
              <span className="font-medium">
                {signalText(action)}
                {portion !== undefined && ` ${portion}%`}
              </span>
              <span className="text-muted">
                {" when "}
                {conditions
                  .map(({ alert, times }) => `${alert}\u00a0×\u00a0${times}`)
                  .join(" and ")}
              </span>
            </li>
          ))}
        </ul>
      )}
      <Button
        size="small"
        tone="primary"
        busy={isPending}
        disabled={isGrowing || isPending}
        onClick={() => mutate()}
      >
        Review and approve
      </Button>
    </section>
  );
}
