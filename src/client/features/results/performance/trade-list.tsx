import type { Performance } from "../../../../contract/performance.ts";
import { PLAN_ACT_WORDS } from "../../../../domain/plan/plan.ts";
import { formatShare } from "../../../lib/format.ts";
import { Figure } from "../../../ui/figure.tsx";
import type { ReactNode } from "react";
import { How } from "../../../ui/how.tsx";

const unsigned = (share: number | null): string => formatShare(share, 1).replace(/^[+−]/, "");

const factor = (value: number | null): string => (value === null ? "–" : value.toFixed(2));

/** Statistics of a span's closed positions and order latencies. */
export function TradeList({ shown }: { readonly shown: Performance }) {
  const { trades, quote } = shown;
  const amount = (value: string | null) => (
    <Figure value={value} unit={` ${quote.symbol}`} signed toned />
  );
  return (
    <dl className="flex flex-col">
      <Measure
        label="Closed positions"
        how="Positions that were opened and closed again, each counted once with its fees and funding, in the span of their closing."
      >
        {trades.known + trades.unknown}
        {trades.unknown > 0 && (
          <span className="block text-2xs font-normal text-warn">
            {trades.unknown} with a result nobody knows
          </span>
        )}
      </Measure>
      <Measure
        label="Hit rate"
        how="Of the closed positions whose result is known, the share that earned something."
      >
        {unsigned(trades.hitRate)}{" "}
        <span className="font-normal text-faint">
          {trades.wins} won, {trades.losses} lost
        </span>
      </Measure>
      <Measure
        label="Average win"
        how="What winning positions earned on average, after fees and funding."
      >
        {amount(trades.averageWin)}
      </Measure>
      <Measure
        label="Average loss"
        how="What losing positions lost on average, after fees and funding."
      >
        {amount(trades.averageLoss)}
      </Measure>
      <Measure
        label="Profit factor"
        how="What all winners earned divided by what all losers lost. Above 1 more was won than lost; unknown without a loser."
      >
        {factor(trades.profitFactor)}
      </Measure>
      <Measure label="Longest losing run" how="Most losing positions one after another.">
        {trades.longestLosingRun}
      </Measure>
      {shown.planEnds !== undefined && (
        <Measure
          label="Ended by the plan"
          how="How often a stop, a target or the holding time of the agent's plan closed a position or part of it."
        >
          {shown.planEnds.map(({ by, count }) => `${PLAN_ACT_WORDS[by]} ${count}`).join(", ")}
        </Measure>
      )}
      <Measure
        label="Time in the market"
        how="The share of the span during which a position was open."
      >
        {unsigned(trades.exposure)}
      </Measure>
      <Measure
        label="Alert to sent"
        how="From the moment an alert was received to the moment its order was sent, over filled orders: the middle one, and the one 95 of 100 did not exceed."
      >
        {waits(shown.alertToSent)}
      </Measure>
      <Measure
        label="Alert to filled"
        how="From the moment an alert was received to the moment its fill was recorded: the middle one, and the one 95 of 100 did not exceed."
      >
        {waits(shown.alertToFilled)}
      </Measure>
    </dl>
  );
}

function waits(latency: Performance["alertToSent"]) {
  if (latency === null) return <span className="text-faint">–</span>;
  return (
    <>
      {duration(latency.p50)}{" "}
      <span className="font-normal text-faint">p95 {duration(latency.p95)}</span>
    </>
  );
}

const duration = (ms: number): string =>
  ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;

interface MeasureProps {
  readonly label: string;
  /** Explanation of its computation, one or two sentences. */
  readonly how: string;
  readonly children: ReactNode;
}

/** Figure in a list with an explanation of its computation. */
export function Measure({ label, how, children }: MeasureProps) {
  return (
    <div className="flex min-h-8 items-center justify-between gap-3 border-b border-line py-1 last:border-b-0">
      <dt className="flex min-w-0 items-center gap-0.5 text-sm text-muted">
        {label}
        <How of={label}>{how}</How>
      </dt>
      <dd className="text-right text-sm font-medium tabular-nums">{children}</dd>
    </div>
  );
}

/** Prominent figure above the list. */
export function Headline({ label, how, children }: MeasureProps) {
  return (
    <div className="min-w-0 rounded-lg border border-line bg-surface px-4 py-3">
      <dt className="flex items-center gap-0.5 text-xs text-muted">
        {label}
        <How of={label}>{how}</How>
      </dt>
      <dd className="mt-0.5 text-lg font-semibold tabular-nums">{children}</dd>
    </div>
  );
}
