import { useQuery } from "@tanstack/react-query";
import { ChartSpline } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Agent } from "../../queries/agent.ts";
import { RANGES, type Range } from "../../../domain/performance/range.ts";
import { decimalsOfStep, formatShare } from "../../lib/format.ts";
import { describeProblem } from "../../lib/problem.ts";
import { axisTime } from "../../lib/times.ts";
import { useTimes } from "../../lib/time-zone.ts";
import { type Performance, performanceQuery } from "../../queries/performance.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { CurveChart } from "../../ui/curve-chart.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Figure } from "../../ui/figure.tsx";
import { NetworkBadge } from "../../ui/network-badge.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { gapWords } from "./gap-words.ts";
import { Headline } from "./measure.tsx";
import { MoneyList } from "./money-list.tsx";
import { Simulated } from "./simulated.tsx";
import { MonthTable } from "./month-table.tsx";
import { Share } from "../../ui/share.tsx";
import { TradeList } from "./trade-list.tsx";
import { UnbookedLine } from "./unbooked-line.tsx";
import { useHold } from "./use-hold.ts";
import { assetOf } from "../../../venues/profiles.ts";

const LABELS: Readonly<Record<Range, string>> = {
  "7d": "7 d",
  "30d": "30 d",
  "90d": "90 d",
  "1y": "1 y",
  all: "All",
};

interface PerformanceViewProps {
  readonly address: string;
  readonly agent: Agent;
  /** Export action; absent when not available. */
  readonly actions?: ReactNode;
}

/** Performance of one agent, computed from its ledger. */
export function PerformanceView({ address, agent, actions }: PerformanceViewProps) {
  const [range, setRange] = useState<Range>("30d");
  const read = useQuery(performanceQuery(address, agent.id, range));
  const times = useTimes();
  return (
    <div className="mx-auto flex w-full max-w-[1200px] flex-col gap-4 p-4 max-sm:p-3">
      <header className="flex flex-wrap items-center gap-2">
        <h2 className="mr-auto flex min-w-0 items-center gap-2 text-base font-semibold">
          Performance
          <NetworkBadge network={agent.network} />
        </h2>
        {actions}
        <Segments
          label="Span"
          value={range}
          options={RANGES.map((value) => ({ value, label: LABELS[value] }))}
          onChange={setRange}
        />
      </header>
      {read.isError && read.data !== undefined && (
        <p role="status" className="rounded-md bg-warn-soft px-3 py-1.5 text-xs text-warn">
          Unavailable since {times.time(read.dataUpdatedAt)}. Showing what was last read.
        </p>
      )}
      <UnbookedLine count={read.data?.unbooked ?? 0} />
      {read.data === undefined ? (
        read.isError ? (
          <EmptyState
            title="Performance could not be read"
            action={<Button onClick={() => void read.refetch()}>Retry</Button>}
          >
            {describeProblem(read.error).message}
          </EmptyState>
        ) : (
          <Loading />
        )
      ) : read.data.curve.length === 0 ? (
        <EmptyState icon={<ChartSpline />} title="Nothing booked yet">
          The book of this agent begins once its first deposit is final on the chain. Then its
          returns, costs and trades are shown here.
        </EmptyState>
      ) : (
        <Shown address={address} shown={read.data} agent={agent} isOld={read.isPlaceholderData} />
      )}
    </div>
  );
}

function Loading() {
  return (
    <>
      <Skeleton className="h-[74px]" />
      <Skeleton className="h-72" />
      <Skeleton className="h-64" />
    </>
  );
}

interface ShownProps {
  readonly address: string;
  readonly shown: Performance;
  readonly agent: Agent;
  /** True while another span loads. */
  readonly isOld: boolean;
}

function Shown({ address, shown, agent, isOld }: ShownProps) {
  const asset = assetOf(agent.marketId);
  const hold = useHold(agent.network, asset, shown);
  const times = useTimes();
  const { returns, fall } = shown;
  const gaps = shown.gaps.map(({ from, to }) => ({
    fromMs: Date.parse(from),
    toMs: Date.parse(to),
  }));
  const known = shown.curve.filter((point) => point.value !== null);
  const value = known.at(-1)?.value ?? null;
  const timeText = (seconds: number) => times.short(seconds * 1_000);
  return (
    <div
      className={isOld ? "flex flex-col gap-4 opacity-60" : "flex flex-col gap-4"}
      aria-busy={isOld}
    >
      <dl className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-5">
        <Headline label="Value" how="What the account was worth at the newest point of its book.">
          <Figure value={value} unit={` ${shown.quote.symbol}`} />
        </Headline>
        <Headline
          label="Return"
          how="Time-weighted: growth between every deposit and withdrawal, linked, so that money coming and going counts for nothing. It says how the agent traded."
        >
          <Share value={returns.timeWeighted} />
        </Headline>
        <Headline
          label="Your return"
          how="Money-weighted: the one rate at which every deposit, for as long as it was there, grows to what is there now. It says what your timing made of it."
        >
          <Share value={returns.moneyWeighted} />
        </Headline>
        <Headline
          label={`Holding ${asset}`}
          how={`The price of ${asset} at the end of the span against its beginning, from the market's candles: what holding it would have returned, without fees.`}
        >
          <Share value={known.length < 2 ? null : hold.growth} />
        </Headline>
        <Headline
          label="Largest fall"
          how="The deepest fall of the growth curve from a peak before it, flows removed."
        >
          {known.length < 2 ? "–" : formatShare(-(fall?.depth ?? 0))}
          {fall && (
            <span className="block text-2xs font-normal text-muted">
              low on {times.date(fall.lowAt)}
            </span>
          )}
        </Headline>
      </dl>
      {gaps.length > 0 && (
        <p role="status" className="rounded-md bg-warn-soft px-3 py-1.5 text-xs text-warn">
          Nothing was recorded {gapWords(gaps, times)}. The curve has a gap there
          {returns.timeWeighted === null && ", and the return over it cannot be known"}.
        </p>
      )}
      {hold.missing.length > 0 && !hold.isLoading && known.length > 1 && (
        <p role="status" className="rounded-md bg-warn-soft px-3 py-1.5 text-xs text-warn">
          Prices of {asset} are missing {gapWords(hold.missing, times)}.
        </p>
      )}
      {known.length < 2 ? (
        <Card aria-label="Growth">
          <EmptyState title="One point so far">
            The curve begins with the next one: after a trade or a deposit, or within the hour.
          </EmptyState>
        </Card>
      ) : (
        <Card aria-label="Growth" className="flex flex-col gap-4">
          <CurveChart
            label={`Growth of the agent against holding ${asset}`}
            className="h-64"
            curves={[
              {
                label: "This agent",
                tone: "accent",
                points: shown.curve.map(({ time, growth }) => ({ time, value: growth })),
              },
              { label: `Holding ${asset}`, tone: "muted", points: hold.points },
            ]}
            formatValue={(share, step) => formatShare(share, decimalsOfStep(step * 100))}
            formatTime={timeText}
            formatMark={(seconds, span) => axisTime(seconds, span, times)}
          />
          <CurveChart
            label="Fall from the highest point before"
            className="h-28"
            top={0}
            curves={[
              {
                label: "Fall from the peak",
                tone: "down",
                points: shown.curve.map(({ time, drawdown }) => ({
                  time,
                  value: drawdown === null ? null : -drawdown,
                })),
              },
            ]}
            formatValue={(share, step) => formatShare(share, decimalsOfStep(step * 100))}
            formatTime={timeText}
            formatMark={(seconds, span) => axisTime(seconds, span, times)}
          />
        </Card>
      )}
      {known.length > 1 && <Simulated address={address} agent={agent} shown={shown} />}
      <div className="grid gap-4 lg:grid-cols-2">
        <Card aria-labelledby="performance-money">
          <h3 id="performance-money" className="mb-1 text-sm font-semibold">
            Money
          </h3>
          <MoneyList shown={shown} />
        </Card>
        <Card aria-labelledby="performance-trades">
          <h3 id="performance-trades" className="mb-1 text-sm font-semibold">
            Trades
          </h3>
          <TradeList shown={shown} />
        </Card>
      </div>
      <Card aria-labelledby="performance-months">
        <h3 id="performance-months" className="mb-2 text-sm font-semibold">
          Returns by month
        </h3>
        <MonthTable months={shown.months} />
        {shown.months.some(({ isPartial }) => isPartial) && (
          <p className="mt-2 text-2xs text-faint">
            * Not the whole month is known. Months are UTC.
          </p>
        )}
      </Card>
    </div>
  );
}
