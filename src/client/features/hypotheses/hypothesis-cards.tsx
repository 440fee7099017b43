import { Badge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { TimeText } from "../../ui/time-text.tsx";
import type { ExplainedTrade } from "./explained-trades.ts";

/** One card per trade that has a hypothesis; its text is shown as text, never as markup. */
export function HypothesisCards({ trades }: { readonly trades: readonly ExplainedTrade[] }) {
  return (
    <ul className="flex flex-col gap-3">
      {trades.map(({ entry, text }) => (
        <li key={entry._id}>
          <Card className="flex flex-col gap-2">
            <div className="flex flex-wrap items-center gap-2 text-xs text-muted">
              <span className="text-sm font-semibold text-ink">{entry.market}</span>
              <Badge>{entry.side.toUpperCase()}</Badge>
              <span>Size {entry.size}</span>
              <TimeText at={entry.timestamps} as="full" className="ml-auto" />
            </div>
            <p className="text-sm whitespace-pre-wrap">{text}</p>
          </Card>
        </li>
      ))}
    </ul>
  );
}
