import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { formatFixed } from "../../../domain/amount.ts";
import { PRICE_DECIMALS } from "../../../domain/market.ts";
import type { Network } from "../../../domain/network.ts";
import { DEFAULT_VENUE } from "../../../domain/venue-id.ts";
import { barsOf } from "../../../strategy/bar-columns.ts";
import { barSpanAt } from "../../../strategy/bar-times.ts";
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

const DAY_MS = 86_400_000;

/** Interval of the sample agent in minutes. */
export const SAMPLE_MINUTES = 30;

// The first starter, so that none is picked by its result
const [STARTER] = templatesFor("perpetual");

/** Trade of the sample agent, in words. */
export interface SampleTrade {
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

export interface SampleRun {
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
export function sampleQuery(client: QueryClient, network: Network, nowMs: number) {
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
