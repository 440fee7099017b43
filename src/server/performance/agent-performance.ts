import { AppError } from "../../contract/errors.ts";
import type { ResponseOf } from "../../contract/route.ts";
import type { ROUTES } from "../../contract/routes.ts";
import { formatDecimal } from "../../domain/amount.ts";
import type { Clock } from "../../domain/clock.ts";
import type { LedgerKind } from "../../domain/ledger/entry.ts";
import { findMarket, VENUE_PROFILES } from "../../venues/profiles.ts";
import {
  gapsOf,
  pointsSince,
  reduceCurve,
  withGaps,
} from "../../domain/performance/account-curve.ts";
import { tradesOf } from "../../domain/performance/closed-trades.ts";
import { largestDrawdown } from "../../domain/performance/drawdown.ts";
import { latencyOf, slippageOf } from "../../domain/performance/execution.ts";
import { growthOf, timeWeightedReturn } from "../../domain/performance/growth.ts";
import { moneyWeightedReturn } from "../../domain/performance/money-weighted.ts";
import { monthlyReturns } from "../../domain/performance/monthly-returns.ts";
import { type Range, rangeStart } from "../../domain/performance/range.ts";
import { exposureOf, tradeFigures } from "../../domain/performance/trade-figures.ts";
import { findVenue, type Networks } from "../networks.ts";
import type { AccountReader } from "../positions/account-reader.ts";
import type { Db } from "../store/postgres/db.ts";
import { type CurveValue, listCurvePoints } from "../store/ledger/equity-points.ts";
import { readLedgerMark } from "../store/ledger/ledger-marks.ts";
import { type CustodyAgent, findCustodyAgent } from "../store/custody/multisigs.ts";
import {
  type FilledOrderFacts,
  type KindSum,
  listFilledFacts,
  listTradeEntries,
  sumKinds,
} from "../store/ledger/performance.ts";
import { shownVenue } from "../../domain/venue-id.ts";

export interface PerformanceDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly networks: Networks;
  readonly accounts: AccountReader;
}

type Performance = ResponseOf<typeof ROUTES.getPerformance>;

/** Maximum number of points sent to a browser; a screen cannot show more. */
const MOST_POINTS = 1_000;

/** Maximum number of points read individually; above it one per hour is enough for a curve. */
const MOST_READ = 20_000;

const LAMPORT_PLACES = 9;

const isoOf = (ms: number): string => new Date(ms).toISOString();

/** Returns an agent's performance in a time span. */
export async function showPerformance(
  deps: PerformanceDeps,
  agentId: string,
  range: Range,
): Promise<Performance> {
  const { db, clock } = deps;
  const agent = await findCustodyAgent(db, agentId);
  if (agent === null) throw new AppError("not_found");
  const nowMs = clock.now();
  const fromMs = rangeStart(range, nowMs);
  const span = { fromMs: fromMs ?? 0, toMs: nowMs + 1 };
  const [points, sums, entries, orders, mark, snapshots] = await Promise.all([
    listCurvePoints(db, agentId, span, MOST_READ),
    sumKinds(db, agentId, span),
    listTradeEntries(db, agentId),
    listFilledFacts(db, agentId, span),
    readLedgerMark(db, agentId),
    deps.accounts.read([agent]),
  ]);
  const quote = quoteOf(deps.networks, agent, points);
  const text = (units: bigint | null) =>
    units === null ? null : formatDecimal(units, quote.decimals);
  const { closed, openSinceMs } = tradesOf(entries);
  const held = [
    ...closed.map((trade) => ({ fromMs: trade.openedAtMs, toMs: trade.closedAtMs })),
    ...openSinceMs.map((openedAtMs) => ({ fromMs: openedAtMs, toMs: nowMs })),
  ];
  const gaps = gapsOf(points, held, nowMs);
  const values = pointsSince(withGaps(points, gaps), fromMs);
  const growth = growthOf(values);
  const fall = largestDrawdown(growth);
  const inSpan = closed.filter(({ closedAtMs }) => closedAtMs >= span.fromMs);
  const figures = tradeFigures(inSpan);
  const begunMs = values[0]?.atMs ?? null;
  return {
    network: agent.network,
    quote,
    from: begunMs === null ? null : isoOf(begunMs),
    to: isoOf(nowMs),
    unbooked: new Set(mark?.pending.map(({ signature }) => signature)).size,
    curve: presentCurve(values, text),
    gaps: gaps
      .filter(({ toMs }) => toMs > span.fromMs)
      .map((gap) => ({ from: isoOf(gap.fromMs), to: isoOf(gap.toMs) })),
    returns: {
      timeWeighted: timeWeightedReturn(values),
      moneyWeighted: moneyWeightedReturn(values),
    },
    fall: fall && { depth: fall.depth, peakAt: isoOf(fall.peakAtMs), lowAt: isoOf(fall.lowAtMs) },
    months: [...monthlyReturns(growth)],
    money: {
      ...presentSums(sums, quote.symbol, text),
      unknownClosings: figures.unknown,
      unrealised: text(unrealisedOf(snapshots[0] ?? null)),
      slippage: text(slippageSum(orders, agent, quote.decimals)),
    },
    trades: {
      ...figures,
      averageWin: text(figures.averageWin),
      averageLoss: text(figures.averageLoss),
      exposure: begunMs === null ? null : exposureOf(held, { fromMs: begunMs, toMs: nowMs }),
    },
    alertToSent: latencyOf(waitsUntil(orders, "sentAtMs")),
    alertToFilled: latencyOf(waitsUntil(orders, "settledAtMs")),
  };
}

function presentCurve(
  values: Parameters<typeof reduceCurve>[0],
  text: (units: bigint | null) => string | null,
): Performance["curve"] {
  return reduceCurve(values, MOST_POINTS).map(({ atMs, value, growth, drawdown }) => ({
    time: Math.floor(atMs / 1_000),
    value: text(value),
    growth: growth === null ? null : growth - 1,
    drawdown,
  }));
}

/** Returns sums of the quote token and of SOL for the network; other tokens have no price here. */
function presentSums(
  sums: readonly KindSum[],
  symbol: string,
  text: (units: bigint) => string | null,
) {
  const sumOf = (kinds: readonly LedgerKind[], key: "amount" | "realised", isLamports = false) =>
    sums
      .filter((sum) => sum.isLamports === isLamports && kinds.includes(sum.kind))
      .filter(({ asset }) => isLamports || asset === symbol)
      .reduce((total, sum) => total + sum[key], 0n);
  const lamports = sumOf(["network_fee", "rent_paid", "rent_returned"], "amount", true);
  return {
    realised: text(sumOf(["trade"], "realised")),
    fees: text(sumOf(["fee"], "amount")),
    funding: text(sumOf(["funding"], "amount")),
    interest: text(sumOf(["interest"], "amount")),
    deposited: text(sumOf(["deposit", "opening"], "amount")),
    withdrawn: text(sumOf(["withdrawal"], "amount")),
    networkCost: formatDecimal(lamports, LAMPORT_PLACES),
  };
}

function unrealisedOf(snapshot: Awaited<ReturnType<AccountReader["read"]>>[number]): bigint | null {
  if (snapshot === null || !snapshot.state.subAccountExists) return null;
  return snapshot.state.positions.reduce((sum, { unrealizedPnl }) => sum + unrealizedPnl, 0n);
}

/** Returns the slippage sum; null when no order filled or a market's decimals are unknown. */
function slippageSum(
  orders: readonly FilledOrderFacts[],
  { venue }: CustodyAgent,
  quoteDecimals: number,
): bigint | null {
  const known = orders.map((order) => ({
    ...order,
    baseDecimals: findMarket(venue, order.marketId)?.baseDecimals,
  }));
  if (known.length === 0) return null;
  let sum = 0n;
  for (const { baseDecimals, ...order } of known) {
    if (baseDecimals === undefined) return null;
    sum += slippageOf({ ...order, baseDecimals }, quoteDecimals);
  }
  return sum;
}

const waitsUntil = (orders: readonly FilledOrderFacts[], key: "sentAtMs" | "settledAtMs") =>
  orders.flatMap((order) => {
    const at = order[key];
    return order.receivedAtMs === null || at === null ? [] : [Math.max(0, at - order.receivedAtMs)];
  });

/** Returns the quote token from the ledger's points, or from the venue before the first point. */
function quoteOf(networks: Networks, agent: CustodyAgent, points: readonly CurveValue[]) {
  const last = points.at(-1);
  if (last !== undefined) return { symbol: last.asset, decimals: last.decimals };
  const opened = findVenue(networks, agent)?.instance.quote;
  const { symbol, decimals } = opened ?? VENUE_PROFILES[shownVenue(agent.venue)].quote;
  return { symbol, decimals };
}
