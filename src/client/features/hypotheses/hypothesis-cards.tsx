import { Network } from "lucide-react";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { TimeText } from "../../ui/time-text.tsx";
import type { ExplainedTrade } from "../../queries/hypotheses.ts";

/** Cards of trades with a hypothesis, rendered as plain text. */
export function HypothesisCards({
  trades,
  onShowDecision,
}: {
  readonly trades: readonly ExplainedTrade[];
  readonly onShowDecision: (entryId: string) => void;
}) {
  return (
    <ul className="flex flex-col gap-3">
      {trades.map(({ entry, text }) => (
        <li key={entry.id}>
          <Card className="flex flex-col gap-2">
            <div className="flex flex-wrap items-center gap-2 text-xs text-muted">
              <span className="text-sm font-semibold text-ink">{entry.market}</span>
              <Badge>{entry.side.toUpperCase()}</Badge>
              <span>Size {entry.size}</span>
              <TimeText at={entry.at} as="full" className="ml-auto" />
            </div>
            <p className="text-sm whitespace-pre-wrap">{text}</p>
            <Button
              size="small"
              tone="ghost"
              className="-mb-1 -ml-2 self-start"
              onClick={() => onShowDecision(entry.id)}
            >
              <Network aria-hidden />
              Why this trade
            </Button>
          </Card>
        </li>
      ))}
    </ul>
  );
}
