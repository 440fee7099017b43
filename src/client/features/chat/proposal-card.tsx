import { conditionText } from "../../../domain/condition/condition-text.ts";
import type { AgentProposal } from "../../lib/ai/agent-proposal.ts";
import { signalText } from "../../lib/signal-text.ts";
import { Button } from "../../ui/button.tsx";

interface ProposalCardProps {
  readonly proposal: AgentProposal;
  /** Disables the button while the answer grows, because it would move during a click. */
  readonly isGrowing: boolean;
  readonly onReview: (proposal: AgentProposal) => void;
}

const NAMES = {
  venue: "Venue",
  asset: "Asset",
  interval: "Interval",
  slippagePercent: "Slippage (%)",
  positionSizePercent: "Position size (%)",
} as const;

/** Summary of a proposal. Nothing changes until the user reviews and saves the form. */
export function ProposalCard({ proposal, isGrowing, onReview }: ProposalCardProps) {
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
          {proposal.rules?.map(({ action, conditions }, index) => (
            <li key={index}>
              <span className="font-medium">{signalText(action)}</span>
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
      <Button size="small" tone="primary" disabled={isGrowing} onClick={() => onReview(proposal)}>
        Review in the form
      </Button>
    </section>
  );
}
