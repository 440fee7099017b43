import { useState } from "react";
import type { Decision } from "../../queries/decisions.ts";
import { Badge } from "../../ui/badge.tsx";
import { TimeText } from "../../ui/time-text.tsx";
import { DecisionGraph } from "./decision-graph.tsx";
import { decisionTitle, outcomeSentence, outcomeWords } from "./decision-words.ts";
import { graphOf } from "./graph-model.ts";
import { NodeDetails } from "./node-details.tsx";

interface DecisionViewProps {
  readonly decision: Decision;
  readonly explorerUrl: ((signature: string) => string) | null;
}

/** Returns whether a sent order predates the recording of decisions. */
const isUnrecorded = ({ sent, decidedAt, askedBy }: Decision): boolean =>
  sent !== undefined && decidedAt === undefined && askedBy !== "owner";

/** Decision with its graph, the selected stage's details and, for screen readers, all stages as a list. */
export function DecisionView({ decision, explorerUrl }: DecisionViewProps) {
  const graph = graphOf(decision);
  const nodes = graph.layers.flat();
  const [asked, setAsked] = useState("");
  // The stage that determined the outcome is selected first
  const telling =
    nodes.find(({ kind, tone }) => kind === "checks" && tone === "down") ?? nodes.at(-1);
  const node = nodes.find(({ id }) => id === asked) ?? telling;
  const { text, tone } = outcomeWords(decision);
  const sentence = outcomeSentence(decision);
  return (
    <section aria-label={decisionTitle(decision)} className="min-h-0 grow overflow-y-auto">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pt-3">
        <h3 className="text-base font-semibold">{decisionTitle(decision)}</h3>
        <Badge tone={tone}>{text}</Badge>
        <TimeText at={decision.at} as="full" className="text-xs text-muted" />
        {isUnrecorded(decision) && (
          <p className="w-full text-sm text-muted">
            What it was decided on is not known: it was sent before decisions were recorded.
          </p>
        )}
        {sentence !== "" && <p className="w-full text-sm text-muted">{sentence}</p>}
      </header>
      <div className="px-4 py-4">
        <DecisionGraph graph={graph} chosen={node?.id ?? ""} onChoose={setAsked} />
      </div>
      {node && (
        <section aria-label={node.label} aria-live="polite" className="border-t px-4 py-3">
          <h4 className="mb-2 text-2xs font-medium tracking-wide text-faint uppercase">
            {node.label}
          </h4>
          <NodeDetails decision={decision} node={node} explorerUrl={explorerUrl} />
        </section>
      )}
      <ol className="sr-only" aria-label="The decision step by step">
        {nodes.map(({ id, label, headline, lines }) => (
          <li key={id}>{[label, headline, ...lines].join(". ")}</li>
        ))}
      </ol>
    </section>
  );
}
