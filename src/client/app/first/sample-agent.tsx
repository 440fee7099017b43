import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ChartCandlestick } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import type { Network } from "../../../domain/network.ts";
import { barSpanAt } from "../../../strategy/bar-times.ts";
import { equitySeries } from "../../features/results/simulation/equity-series.ts";
import { shareText, toneOf } from "../../features/results/simulation/share-text.ts";
import { tradePreview } from "../../features/results/simulation/trade-preview.ts";
import { clock } from "../../lib/clock.ts";
import { useTimes } from "../../lib/time-zone.ts";
import { showOnChart } from "../../tabs/show-on-chart.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { CurveChart, type CurvePanel } from "../../ui/curve-chart.tsx";
import { NotLoaded } from "../../ui/not-loaded.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TimeText } from "../../ui/time-text.tsx";
import { SAMPLE_MINUTES, type SampleRun, sampleQuery, type SampleTrade } from "./sample-run.ts";

/** Number of trades shown. */
const SHOWN_TRADES = 4;

/** Time after a bar's close at which its candle is there, in milliseconds. */
const AFTER_CLOSE_MS = 3_000;

/** Returns the present time of the last closed bar and the close of the next one; changes when a bar closes. */
function useBars(): { readonly nowMs: number; readonly nextMs: number } {
  const [nowMs, setNow] = useState(() => clock.now());
  const nextMs = barSpanAt(SAMPLE_MINUTES, nowMs).closeTimeMs;
  useEffect(() => {
    const look = () => setNow(Math.max(clock.now(), nextMs));
    const timer = setTimeout(look, nextMs - clock.now() + AFTER_CLOSE_MS);
    return () => clearTimeout(timer);
  }, [nextMs]);
  return { nowMs, nextMs };
}

/** Read-only sample agent: what a starter trades on a practice market, with chart, result, trades and reasons. */
export default function SampleAgent({ network }: { readonly network: Network }) {
  const client = useQueryClient();
  const { nowMs, nextMs } = useBars();
  const { data, isError, refetch } = useQuery({
    ...sampleQuery(client, network, nowMs),
    placeholderData: (before) => before,
  });
  return (
    <Card aria-labelledby="sample-agent" className="flex min-w-0 flex-col gap-3">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 id="sample-agent" className="text-lg font-semibold">
          Sample agent
        </h2>
        <Badge tone="practice">
          {network === "practice" ? "Practice, invented prices" : "Simulated, no money"}
        </Badge>
        <span className="ml-auto text-xs whitespace-nowrap text-muted">
          Decides again at <TimeText at={new Date(nextMs).toISOString()} as="time" />
        </span>
      </header>
      {data && data.report.request.columns.openTimeMs.length === 0 ? (
        <p className="text-sm text-muted">
          No candles came for this market, so there is nothing to show yet.
        </p>
      ) : data ? (
        <SampleResult run={data} />
      ) : isError ? (
        <NotLoaded onRetry={refetch}>The sample agent could not be loaded.</NotLoaded>
      ) : (
        <Skeleton className="h-96" />
      )}
    </Card>
  );
}

function SampleResult({ run }: { readonly run: SampleRun }) {
  const times = useTimes();
  const { report, trades, startMs } = run;
  const { totalReturn, holdingReturn, maxDrawdown, closedTrades } = report.report.measures;
  const panels = useMemo(() => panelsOf(run), [run]);
  const since = times.short(startMs).split(",")[0];
  const latest = trades[0];
  return (
    <>
      <p className="text-sm text-muted">
        {run.name} on SOL, every {SAMPLE_MINUTES} minutes, {run.sizePercent}% of its money per
        trade. {run.idea} Run by the code that trades, costs included, without money and without an
        owner; the first starter, not the best.
      </p>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-4">
        <Figure term={`Since ${since}`} share={totalReturn} />
        <Figure term="Holding SOL" share={holdingReturn} />
        <Figure term="Deepest fall" share={-Math.abs(maxDrawdown)} />
        <div>
          <dt className="text-2xs text-faint">Trades</dt>
          <dd className="text-lg font-semibold">{closedTrades}</dd>
        </div>
      </dl>
      <CurveChart
        label="The sample agent's market with its trades, and its account"
        panels={panels}
        summary={`Since ${since} its account changed by ${shareText(totalReturn, true)}, holding SOL by ${shareText(holdingReturn, true)}.`}
      />
      <ol aria-label="Last trades of the sample agent" className="flex flex-col">
        {trades.slice(0, SHOWN_TRADES).map((each) => (
          <TradeLine key={each.trade.enteredAtMs} shown={each} />
        ))}
      </ol>
      <p className="text-xs text-muted">Bad at: {run.weakness}</p>
      {latest && (
        <div>
          <Button onClick={() => showOnChart("", tradePreview(report, latest.trade, times))}>
            <ChartCandlestick aria-hidden />
            See its last trade on the chart
          </Button>
        </div>
      )}
    </>
  );
}

function Figure({ term, share }: { readonly term: string; readonly share: number }) {
  return (
    <div>
      <dt className="text-2xs text-faint">{term}</dt>
      <dd className={`text-lg font-semibold ${toneOf(share)}`}>{shareText(share, true)}</dd>
    </div>
  );
}

/** One trade with its result; the reason opens below. */
function TradeLine({ shown: { trade, title, end, share, why } }: { readonly shown: SampleTrade }) {
  return (
    <li className="border-t border-line py-1.5">
      <p className="flex flex-wrap items-baseline gap-x-3 text-sm">
        <span className="font-medium">{title}</span>
        <span className="text-xs text-muted">{end ?? "still open"}</span>
        <span className={`ml-auto font-medium ${toneOf(share)}`}>{shareText(share, true)}</span>
        <TimeText
          at={new Date(trade.enteredAtMs).toISOString()}
          as="short"
          className="text-xs text-faint"
        />
      </p>
      {why !== null && (
        <details className="text-xs text-muted">
          <summary className="inline-flex min-h-6 cursor-pointer items-center rounded-sm text-accent-text hover:underline">
            Why
          </summary>
          <p className="pb-1">
            Alert “{why.alert}” fired. {why.figures.join("; ")}.
          </p>
        </details>
      )}
    </li>
  );
}

/** Returns two plots: the price with a mark at each entry, and the account beside holding the asset. */
function panelsOf({ report, trades }: SampleRun): readonly CurvePanel[] {
  const { quoteDecimals } = report.request;
  const { times, equity, holding, closes } = equitySeries(report.report.result, quoteDecimals);
  const seconds = times.map((atMs) => atMs / 1_000);
  return [
    {
      curves: [{ label: "SOL", times: seconds, values: closes, tone: "plain" }],
      formatValue: (price) => `$${price.toFixed(2)}`,
      height: "h-36 sm:h-44",
      points: trades.map(({ trade: { enteredAtMs, entryPrice, side } }) => ({
        time: enteredAtMs / 1_000,
        value: Number(entryPrice) / 1e6,
        isUp: side === "long",
      })),
    },
    {
      curves: [
        { label: "Account", times: seconds, values: equity, tone: "accent" },
        { label: "Holding", times: seconds, values: holding, tone: "muted" },
      ],
      formatValue: (figure) => Math.round(figure).toLocaleString("en-US"),
      unit: "USDC",
      height: "h-20",
      lines: 3,
    },
  ];
}
