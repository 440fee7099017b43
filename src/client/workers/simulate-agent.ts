import { getTradingCosts, type MarketCosts } from "../../contract/trading-costs.ts";
import type { QueryClient } from "@tanstack/react-query";
import type { Network } from "../../domain/network.ts";
import type { TradingCosts } from "../../domain/trading-costs.ts";
import { barSpanAt } from "../../strategy/bar-times.ts";
import { toColumns } from "../../strategy/bar-columns.ts";
import { warmUpBars } from "../../strategy/evaluate-conditions.ts";
import { planAtrBars } from "../../strategy/plan-atr.ts";
import { conditionsOf } from "../../strategy/firing-source.ts";
import type { FiringRecord, SimulatedAgent } from "../../strategy/simulation.ts";
import { candleHistoryQuery } from "../queries/candle-history.ts";
import { symbolOf } from "../queries/candles.ts";
import { read } from "../queries/read.ts";
import { countTried } from "../queries/tried-variants.ts";
import type { SignedInWallet } from "../lib/session.ts";
import { tStatistic } from "../../strategy/deflated-sharpe.ts";
import { reportAfter } from "../../strategy/report.ts";
import type { HashedReport, SimulationRequest } from "./messages.ts";
import { runSimulation } from "./run-simulation.ts";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Default seed; its value does not matter, a fixed one makes results reproducible. */
const USUAL_SEED = 20_240_101;

/** Default starting money, in whole quote units. */
export const USUAL_MONEY = 1_000n;

/** Largest number of bars of a run on recorded firings. */
const MAX_RECORDED_BARS = 20_000;

/** Bars that recorded firings are run on where they are shorter than the agent's, in minutes. */
const SHORTER_BARS = [1, 5, 15, 60, 240];

/**
 * Returns the length of the bars to run on, in minutes: the agent's for its conditions. An alert from outside trades at
 * the next open, so its bars are as short as `MAX_RECORDED_BARS` allow, and divide the agent's.
 */
export function barMinutesOf(
  intervalMinutes: number,
  days: number,
  kind: FiringRecord["kind"],
): number {
  if (kind === "conditions") return intervalMinutes;
  const spanMinutes = (days * DAY_MS) / MINUTE_MS;
  const fitting = SHORTER_BARS.find(
    (minutes) =>
      minutes < intervalMinutes &&
      intervalMinutes % minutes === 0 &&
      spanMinutes / minutes <= MAX_RECORDED_BARS,
  );
  return fitting ?? intervalMinutes;
}

/** Simulation to run. */
export interface SimulationPlan {
  readonly network: Network;
  readonly agent: SimulatedAgent;
  /** Length of the evaluated history in days, fractions allowed. */
  readonly days: number;
  /** End of the history, Unix milliseconds; the last closed bar before it is the last one. */
  readonly nowMs: number;
  /** Starting money in quote base units; defaults to 1,000 whole units. */
  readonly startMoney?: bigint | undefined;
  /** Costs that override the venue's. */
  readonly costs?: Partial<TradingCosts> | undefined;
  /** Recorded firings; defaults to evaluating the alerts' conditions. */
  readonly firings?: FiringRecord | undefined;
  /** Wallet that tries this variant; absent where nothing is chosen by the result, so that it is not counted. */
  readonly triedBy?: SignedInWallet | undefined;
}

/** Report with the sources of its bars and costs. */
export interface AgentReport {
  readonly network: Network;
  readonly request: SimulationRequest;
  readonly report: HashedReport;
  readonly known: MarketCosts;
  /** Source of the bars; `practice market` marks invented prices. */
  readonly source: string;
  /** Number of values on which two sources disagree. */
  readonly contradictions: number;
  /** Length of the bars that were run on. */
  readonly barMinutes: number;
}

/**
 * Loads history and costs, then simulates an agent in a worker. Both stay cached for the next run. The variant is counted
 * and the report judged by all that its wallet tried on the market.
 */
export async function simulateAgent(
  client: QueryClient,
  plan: SimulationPlan,
  signal?: AbortSignal,
): Promise<AgentReport> {
  const { network, agent, days, nowMs, firings = { kind: "conditions" } } = plan;
  const { market, intervalMinutes } = agent;
  const barMinutes = barMinutesOf(intervalMinutes, days, firings.kind);
  const toMs = barSpanAt(barMinutes, nowMs).openTimeMs;
  const fromMs = barSpanAt(intervalMinutes, toMs - Math.round(days * DAY_MS)).openTimeMs;
  const ownWarmUp =
    firings.kind === "recorded" ? 0 : warmUpBars(conditionsOf(agent), intervalMinutes);
  const warmUp = Math.max(ownWarmUp, planAtrBars(agent.plan ?? null));
  // The last bar of a day can be shorter than the others
  const warmUpMs = Math.ceil(warmUp * 1.1) * intervalMinutes * MINUTE_MS;
  const [history, known] = await Promise.all([
    client.fetchQuery(
      candleHistoryQuery({
        network,
        symbol: symbolOf(market.asset),
        intervalMinutes: barMinutes,
        fromMs: Math.max(0, fromMs - warmUpMs),
        toMs,
      }),
    ),
    client.fetchQuery(
      read("", getTradingCosts, {
        query: { network, venue: market.venue, marketId: market.marketId },
      }),
    ),
  ]);
  const request: SimulationRequest = {
    agent,
    costs: costsOf({ ...known, ...plan.costs }),
    startMoney: plan.startMoney ?? USUAL_MONEY * 10n ** BigInt(known.quoteDecimals),
    quoteDecimals: known.quoteDecimals,
    columns: toColumns(history.bars),
    fromMs,
    firings,
    seed: USUAL_SEED,
  };
  const run = await runSimulation(request, signal);
  const report = plan.triedBy ? await judged(client, { ...plan, owner: plan.triedBy }, run) : run;
  const contradictions = history.contradictions.length;
  return { network, request, report, known, source: history.source, contradictions, barMinutes };
}

/** Counts the run's variant; without an answer nothing is said about luck. */
async function judged(
  client: QueryClient,
  { owner, network, agent: { market } }: SimulationPlan & { readonly owner: SignedInWallet },
  run: HashedReport,
): Promise<HashedReport> {
  const tried = { variant: run.variant, tStatistic: tStatistic(run.measures.sample) };
  const all = await countTried(client, { owner, network, market }, [tried]).catch(() => null);
  return reportAfter(run, all);
}

const costsOf = (costs: TradingCosts): TradingCosts => ({
  feePpm: costs.feePpm,
  halfSpreadPpm: costs.halfSpreadPpm,
  impactPpm: costs.impactPpm,
  fundingPpmPerDay: costs.fundingPpmPerDay,
  maintenancePpm: costs.maintenancePpm,
  minBaseSize: costs.minBaseSize,
  baseStep: costs.baseStep,
});
