import { useQuery, useQueryClient, type QueryClient, queryOptions } from "@tanstack/react-query";
import { ChartCandlestick } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import type { Network } from "../../../domain/network.ts";
import { barSpanAt, barsOf } from "../../../strategy/bar-times.ts";
import { equitySeries } from "../../features/results/simulation/equity-chart.tsx";
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
import { formatFixed } from "../../../domain/amount.ts";
import { PRICE_DECIMALS } from "../../../domain/market.ts";
import { DEFAULT_VENUE } from "../../../domain/venue-id.ts";
import { comparedText } from "../../../strategy/compared-text.ts";
import { createConditionEvaluator } from "../../../strategy/evaluate-conditions.ts";
import { conditionsOf } from "../../../strategy/firing-source.ts";
import { tradeReturn } from "../../../strategy/measures.ts";
import type { SimulatedTrade } from "../../../strategy/simulation.ts";
import { templatesFor } from "../../../strategy/templates.ts";
import { PUBLIC } from "../../queries/read.ts";
import type { AgentReport } from "../../../assistant/simulate-agent.ts";
import { simulateAgent } from "../../workers/simulate-agent.ts";
import { simulatedAgent } from "../../../assistant/simulated-agent.ts";

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

const DAY_MS = 86_400_000;

/** Interval of the sample agent in minutes. */
const SAMPLE_MINUTES = 30;

// The first starter, so that none is picked by its result
const [STARTER] = templatesFor("perpetual");

/** Trade of the sample agent, in words. */
interface SampleTrade {
  readonly trade: SimulatedTrade;
  /** For instance "Bought 3.70 SOL at $134.35". */
  readonly title: string;
  /** For instance "sold at $136.20"; null while it is open. */
  readonly end: string | null;
  /** Result after all costs as a fraction; of an open trade, if it closed now. */
  readonly share: number;
  /** The alert that opened it and the figures it fired on; null when they are no longer known. */
  readonly why: { readonly alert: string; readonly figures: readonly string[] } | null;
}

interface SampleRun {
  readonly name: string;
  readonly idea: string;
  readonly weakness: string;
  readonly sizePercent: number;
  readonly report: AgentReport;
  /** Start of the run, Unix milliseconds. */
  readonly startMs: number;
  /** Newest first. */
  readonly trades: readonly SampleTrade[];
}

/** Returns the start of the sample's run: the first day of the month before, UTC. Past trades so stay the same. */
export function sampleStart(nowMs: number): number {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1);
}

/**
 * Query of the sample agent: a starter on SOL, run by the code that trades from a fixed day to the last closed bar. It
 * reads public candles and costs only, and is of nobody's account.
 */
function sampleQuery(client: QueryClient, network: Network, nowMs: number) {
  const { openTimeMs: closedMs } = barSpanAt(SAMPLE_MINUTES, nowMs);
  return queryOptions({
    queryKey: [PUBLIC, "sample agent", network, closedMs],
    queryFn: ({ signal }) => runSample(client, network, closedMs, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

async function runSample(
  client: QueryClient,
  network: Network,
  closedMs: number,
  signal: AbortSignal,
): Promise<SampleRun> {
  const agent =
    STARTER &&
    simulatedAgent(
      {
        venue: DEFAULT_VENUE,
        marketId: "SOL-PERP",
        interval: `${SAMPLE_MINUTES}m`,
        positionSizePercent: STARTER.positionSizePercent,
        slippagePercent: 0.5,
        plan: STARTER.plan,
      },
      STARTER.alerts,
      STARTER.rules,
    );
  if (!agent) throw new Error("The sample's starter or market is gone");
  const startMs = sampleStart(closedMs);
  const days = (closedMs - startMs) / DAY_MS;
  const report = await simulateAgent(client, { network, agent, days, nowMs: closedMs }, signal);
  const { name, idea, weakness, positionSizePercent: sizePercent } = STARTER;
  return { name, idea, weakness, sizePercent, report, startMs, trades: tradesOf(report) };
}

/** Returns the trades in words, newest first, each with the figures of the firing that opened it. */
function tradesOf(report: AgentReport): readonly SampleTrade[] {
  const { agent } = report.request;
  const { asset, baseDecimals } = agent.market;
  const { orders, trades } = report.report.result;
  const fired = firedFigures(report);
  const price = (units: bigint) => `$${formatFixed(units, PRICE_DECIMALS, 2)}`;
  return trades.toReversed().map((trade) => {
    const { side, baseSize, entryPrice, enteredAtMs, exitedAtMs, exitPrice } = trade;
    const isLong = side === "long";
    const entry = orders.find(
      ({ fill, decidedAtMs }) => fill?.reduceOnly === false && decidedAtMs === enteredAtMs,
    );
    const figures = entry && fired.get(`${entry.alertKey} ${entry.signalledAtMs}`);
    const alert = agent.alerts.find(({ alertKey }) => alertKey === entry?.alertKey)?.name;
    return {
      trade,
      title: `${isLong ? "Bought" : "Sold short"} ${formatFixed(baseSize, baseDecimals, 2)} ${asset} at ${price(entryPrice)}`,
      end: exitedAtMs === null ? null : `${isLong ? "sold" : "bought back"} at ${price(exitPrice)}`,
      share: tradeReturn(trade),
      why: alert === undefined || figures === undefined ? null : { alert, figures },
    };
  });
}

/** Returns the figures of every firing by alert and time, from the evaluator that fires alerts in production. */
function firedFigures({ request }: AgentReport): ReadonlyMap<string, readonly string[]> {
  const { agent, columns } = request;
  const evaluator = createConditionEvaluator(conditionsOf(agent), agent.intervalMinutes);
  return new Map(
    barsOf(columns)
      .flatMap((bar) => evaluator.next(bar))
      .map(({ alertKey, closedAtMs, compared }) => [
        `${alertKey} ${closedAtMs}`,
        compared.map(comparedText),
      ]),
  );
}
