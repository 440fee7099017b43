import { getCandleHistory } from "../contract/candle-history.ts";
import { getTradingCosts, type MarketCosts } from "../contract/trading-costs.ts";
import type { CallOf, ResponseOf, Route } from "../contract/route.ts";
import type { Market } from "../domain/market.ts";
import { symbolOf } from "../venues/profiles.ts";
import type { Network } from "../domain/network.ts";
import type { TradingCosts } from "../domain/trading-costs.ts";
import { barSpanAt, withBeside, type Bar, toColumns } from "../strategy/bar-times.ts";
import {
  cellOf,
  chooseCell,
  type GridAxis,
  type GridChoice,
  type GridInput,
  gridValues,
  splitGrid,
  variantOf,
} from "../strategy/grid.ts";
import { type Measures, tStatistic } from "../strategy/measures.ts";
import { warmUpBars } from "../strategy/evaluate-conditions.ts";
import { conditionsOf } from "../strategy/firing-source.ts";
import { assetsReadBy } from "../strategy/warm-up.ts";
import { planAtrBars } from "../strategy/simulated-plan.ts";
import type { Tries } from "../strategy/measures.ts";
import { reportAfter } from "../strategy/report.ts";
import type { FiringRecord, SimulatedAgent, SimulationCosts } from "../strategy/simulation.ts";
import { type HashedReport, inputOf, type SimulationRequest } from "./run-simulation.ts";

/** Closed bars that open at or after `fromMs` and close at or before `toMs`, Unix milliseconds. */
export interface HistoryOf {
  readonly network: Network;
  /** Symbol from `symbolOf`. */
  readonly symbol: string;
  readonly intervalMinutes: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** Other assets whose bars go beside these. */
  readonly beside?: readonly string[] | undefined;
}

type HistoryPage = ResponseOf<typeof getCandleHistory>;

export interface CandleHistoryAnswer extends Pick<
  HistoryPage,
  "source" | "gaps" | "contradictions"
> {
  /** Oldest first. */
  readonly bars: readonly Bar[];
  /** What is beside the bar that opens where these end. */
  readonly besideNext?: Bar["beside"];
}

/** A simulated variant: its digest and the t statistic of its mean return. */
export interface TriedVariant {
  readonly variant: string;
  readonly tStatistic: number | null;
  /** Its result on the kept-out part is shown. */
  readonly isKeptOutSeen: boolean;
}

/** Makes a call of the contract for the owner; the page sends it, the server runs its handler. */
export type CallRoute = <R extends Route>(route: R, request: CallOf<R>) => Promise<ResponseOf<R>>;

/** Fetches closed bars, with those of other assets beside them. */
export async function fetchCandleHistory(
  call: CallRoute,
  { beside = [], ...of }: HistoryOf,
  signal?: { throwIfAborted(): void },
): Promise<CandleHistoryAnswer> {
  // The bar that closed when the first one opened
  const fromMs = Math.max(0, barSpanAt(of.intervalMinutes, of.fromMs - 1).openTimeMs);
  const [answer, ...others] = await Promise.all([
    fetchBars(call, of, signal),
    ...beside.map(async (asset) => {
      const theirs = { ...of, symbol: symbolOf(asset), fromMs };
      return [asset, (await fetchBars(call, theirs, signal)).bars] as const;
    }),
  ]);
  const newest = others.flatMap(([asset, bars]) => {
    const bar = bars.at(-1);
    return bar?.closeTimeMs === of.toMs ? [[asset, bar] as const] : [];
  });
  const besideNext = Object.fromEntries(newest);
  return { ...answer, bars: withBeside(answer.bars, new Map(others)), besideNext };
}

/** Fetches the bars of one symbol page by page; an abort takes effect between two pages. */
async function fetchBars(
  call: CallRoute,
  of: Omit<HistoryOf, "beside">,
  signal?: { throwIfAborted(): void },
): Promise<CandleHistoryAnswer> {
  const bars: Bar[] = [];
  const gaps: HistoryPage["gaps"] = [];
  const contradictions: HistoryPage["contradictions"] = [];
  const { network, symbol, intervalMinutes, toMs } = of;
  for (let fromMs = of.fromMs; ;) {
    signal?.throwIfAborted();
    const query = { network, symbol, intervalMinutes, from: fromMs, to: toMs };
    const page = await call(getCandleHistory, { query });
    for (const bar of toBars(page.bars, intervalMinutes)) bars.push(bar);
    gaps.push(...page.gaps);
    contradictions.push(...page.contradictions);
    if (page.nextFromMs === null) return { source: page.source, bars, gaps, contradictions };
    fromMs = page.nextFromMs;
  }
}

const toBars = (columns: HistoryPage["bars"], intervalMinutes: number): Bar[] =>
  columns.openTimeMs.map((openTimeMs, at) => ({
    ...barSpanAt(intervalMinutes, openTimeMs),
    open: columns.open[at] ?? 0,
    high: columns.high[at] ?? 0,
    low: columns.low[at] ?? 0,
    close: columns.close[at] ?? 0,
    volume: columns.volume[at] ?? 0,
  }));

/** What a simulation is made with, in the page and on the server. */
export interface SimulationSource {
  readonly call: CallRoute;
  readonly history: (of: HistoryOf) => Promise<CandleHistoryAnswer>;
  readonly run: (request: SimulationRequest) => Promise<HashedReport>;
  /** Counts variants the owner tried on a market, and returns all. */
  readonly countTried: (
    on: { readonly network: Network; readonly market: Pick<Market, "venue" | "marketId"> },
    variants: readonly TriedVariant[],
  ) => Promise<Tries>;
}

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
  /** Counts the variant as tried by the owner; absent where nothing is chosen by the result. */
  readonly isTry?: boolean | undefined;
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
 * Loads history and costs, then simulates an agent. The variant is counted and the report judged by all that its wallet
 * tried on the market.
 */
export async function simulateWith(
  source: SimulationSource,
  plan: SimulationPlan,
): Promise<AgentReport> {
  const loaded = await loadRun(source, plan);
  const run = await source.run(loaded.request);
  if (plan.isTry !== true) return { ...loaded, report: run };
  return { ...loaded, report: reportAfter(run, await countRuns(source, plan, [run], 0)) };
}

/** A simulated grid: the in-sample reports of its variants, judged by all tries, and the chosen one's kept-out part. */
export interface GridReport extends GridChoice {
  readonly variants: readonly {
    readonly values: readonly number[];
    readonly report: HashedReport;
  }[];
  readonly keptOut: Measures | null;
  /** Close time of the last bar on which the variants are compared, Unix milliseconds. */
  readonly comparedUntilMs: number;
}

/** Loads history and costs, then simulates every variant of an agent on what a grid may see, and counts them as tried. */
export async function simulateGridWith(
  source: SimulationSource,
  plan: SimulationPlan,
  axes: readonly GridAxis[],
): Promise<GridReport> {
  const { request } = await loadRun(source, plan);
  const rows = gridValues(plan.agent, axes);
  const ids = axes.map(({ parameter }) => parameter.id);
  const { inSample, whole } = splitGrid(inputOf(request), ids, rows);
  const runOn = (grid: GridInput, values: readonly number[]) => {
    const { bars, ...input } = variantOf(grid, values);
    return source.run({ ...request, ...input, columns: toColumns(bars) });
  };
  const runs: HashedReport[] = [];
  for (const values of rows) runs.push(await runOn(inSample, values));
  const { quoteDecimals } = request;
  const cells = runs.map(({ result }, at) => cellOf(result, rows[at] ?? [], quoteDecimals));
  const choice = chooseCell(cells);
  const chosen = cells[choice.best ?? -1];
  const split = chosen === undefined ? null : (await runOn(whole, chosen.values)).split;
  const tried = await countRuns(source, plan, runs, split === null ? null : choice.best);
  return {
    ...choice,
    variants: runs.map((run, at) => ({
      values: rows[at] ?? [],
      report: reportAfter(run, tried),
    })),
    keptOut: split?.outOfSample ?? null,
    comparedUntilMs: inSample.input.bars.at(-1)?.closeTimeMs ?? 0,
  };
}

/** Loads what an agent is simulated with. */
async function loadRun(
  source: SimulationSource,
  plan: SimulationPlan,
): Promise<Omit<AgentReport, "report">> {
  const { network, agent, days, nowMs, firings = { kind: "conditions" } } = plan;
  const { market, intervalMinutes } = agent;
  const barMinutes = barMinutesOf(intervalMinutes, days, firings.kind);
  const toMs = barSpanAt(barMinutes, nowMs).openTimeMs;
  const fromMs = barSpanAt(intervalMinutes, toMs - Math.round(days * DAY_MS)).openTimeMs;
  const conditions = firings.kind === "recorded" ? [] : conditionsOf(agent);
  const ownWarmUp = firings.kind === "recorded" ? 0 : warmUpBars(conditions, intervalMinutes);
  const warmUp = Math.max(ownWarmUp, planAtrBars(agent.plan ?? null));
  // The last bar of a day can be shorter than the others
  const warmUpMs = Math.ceil(warmUp * 1.1) * intervalMinutes * MINUTE_MS;
  const [history, known] = await Promise.all([
    source.history({
      network,
      symbol: symbolOf(market.asset),
      intervalMinutes: barMinutes,
      fromMs: Math.max(0, fromMs - warmUpMs),
      toMs,
      beside: assetsReadBy(conditions.map(({ condition }) => condition)),
    }),
    source.call(getTradingCosts, {
      query: { network, venue: market.venue, marketId: market.marketId, from: fromMs, to: toMs },
    }),
  ]);
  const request: SimulationRequest = {
    agent,
    costs: costsOf(known, plan.costs),
    startMoney: plan.startMoney ?? USUAL_MONEY * 10n ** BigInt(known.quoteDecimals),
    quoteDecimals: known.quoteDecimals,
    columns: toColumns(history.bars),
    fromMs,
    firings,
    seed: USUAL_SEED,
  };
  const contradictions = history.contradictions.length;
  return { network, request, known, source: history.source, contradictions, barMinutes };
}

/**
 * Counts the variants of runs as tried and returns all of the market; of one of them the kept-out part is shown. Without
 * an answer, null, nothing is said about luck.
 */
async function countRuns(
  source: SimulationSource,
  { network, agent: { market } }: SimulationPlan,
  runs: readonly HashedReport[],
  shown: number | null,
): Promise<Tries | null> {
  const tried = runs.map(({ variant, measures, split }, at) => ({
    variant,
    tStatistic: tStatistic(measures.sample),
    isKeptOutSeen: at === shown && split !== null,
  }));
  return source.countTried({ network, market }, tried).catch(() => null);
}

/** Returns the costs of a run; one that the user changed holds at every hour instead of what was measured or published. */
function costsOf(known: MarketCosts, changed: Partial<TradingCosts> = {}): SimulationCosts {
  const costs = { ...known, ...changed };
  const { halfSpreadPpm, fundingPpmPerDay } = costs;
  const { halfSpreadPpmByHour, publishedFunding } = known;
  return {
    feePpm: costs.feePpm,
    halfSpreadPpm,
    impactPpm: costs.impactPpm,
    fundingPpmPerDay,
    maintenancePpm: costs.maintenancePpm,
    minBaseSize: costs.minBaseSize,
    baseStep: costs.baseStep,
    ...(halfSpreadPpmByHour && halfSpreadPpm === known.halfSpreadPpm && { halfSpreadPpmByHour }),
    ...(publishedFunding &&
      fundingPpmPerDay === known.fundingPpmPerDay && {
        publishedFunding: { atMs: publishedFunding.atMs, ppm: publishedFunding.ppm },
      }),
  };
}
