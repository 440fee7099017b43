import { BookOpen } from "lucide-react";
import { Suspense } from "react";
import { type AgentProposal, splitProposal } from "../../lib/ai/agent-proposal.ts";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { type Answer, SIMULATED } from "./answer-text.ts";
import Markdown from "./markdown.tsx";
import { ProposalCard } from "./proposal-card.tsx";
import { SafeLink } from "./safe-link.tsx";
import { ToolResultCard } from "./tool-result-card.tsx";

const ProposalSimulation = lazyPart(() => import("./proposal-simulation.tsx"));

/** Returns whether a proposal can be simulated; times of outside alerts are unknown. */
const isSimulated = ({ alerts = [] }: AgentProposal): boolean =>
  alerts.some(({ condition }) => condition !== undefined);

const isSimulation = ({ title }: Answer["results"][number]): boolean => title.startsWith(SIMULATED);

interface AnswerViewProps {
  readonly answer: Answer;
  readonly isLive: boolean;
  readonly onProposal: ((proposal: AgentProposal) => void) | undefined;
}

const ENDINGS = {
  complete: null,
  stopped: "Stopped before the end.",
  interrupted: "Interrupted before the end.",
} as const;

/** Answer with its reads and sources, or a note that it has neither. */
export default function AnswerView({ answer, isLive, onProposal }: AnswerViewProps) {
  const { sources, reads, results, ending } = answer;
  const { text, proposal, isUnreadable } = splitProposal(answer.text);
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
      {proposal && onProposal && (
        <ProposalCard proposal={proposal} isGrowing={isLive} onReview={onProposal} />
      )}
      {proposal && !isLive && isSimulated(proposal) && !results.some(isSimulation) && (
        <Suspense fallback={null}>
          <ProposalSimulation proposal={proposal} />
        </Suspense>
      )}
      {isUnreadable && (
        <p className="text-xs text-muted">
          {isLive
            ? "Preparing a proposal…"
            : "The proposal in this answer cannot be read. Ask again."}
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
