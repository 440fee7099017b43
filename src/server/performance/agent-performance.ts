import { found } from "../../contract/errors.ts";
import type { ResponseOf } from "../../contract/route.ts";
import type { ROUTES } from "../../contract/routes.ts";
import { formatDecimal } from "../../domain/amount.ts";
import type { Clock } from "../../domain/clock.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { LedgerKind } from "../../domain/ledger/entry.ts";
import { VENUE_PROFILES } from "../../venues/profiles.ts";
import {
  gapsOf,
  pointsSince,
  reduceCurve,
  withBookedFlows,
  withGaps,
} from "../../domain/performance/account-curve.ts";
import { growthOf, largestDrawdown, timeWeightedReturn } from "../../domain/measures/growth.ts";
import { moneyWeightedReturn } from "../../domain/measures/money-weighted.ts";
import { monthlyReturns } from "../../domain/measures/monthly-returns.ts";
import { type Range, rangeStart } from "../../domain/performance/range.ts";
import { tradeFigures } from "../../domain/measures/trade-figures.ts";
import { findVenue, type Networks } from "../networks.ts";
import type { AccountReader } from "../positions/account-reader.ts";
import type { Db } from "../store/postgres/db.ts";
import {
  countPlanEnds,
  type ExecutionScales,
  type KindSum,
  listFlowsOf,
  sumExecution,
  sumKinds,
  readBookedPositions,
} from "../store/ledger/performance.ts";
import { type CurveRead, readCurve } from "../store/ledger/equity-points.ts";
import { type CustodyAgent, findCustodyAgent } from "../store/custody/multisigs.ts";
import { findOpenFlows, listUnbooked, readPending } from "../store/ledger/pending-entries.ts";
import { withPresent } from "./portfolio-worth.ts";
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
  agentId: AgentId,
  range: Range,
): Promise<Performance> {
  const { db, clock } = deps;
  const agent = found(await findCustodyAgent(db, agentId));
  const nowMs = clock.now();
  const fromMs = rangeStart(range, nowMs);
  const span = { fromMs: fromMs ?? 0, toMs: nowMs + 1 };
  const pending = await readPending(db, agentId);
  const [curve, sums, unbooked, snapshots, openFlows] = await Promise.all([
    readCurve(db, agentId, span, MOST_READ),
    sumKinds(db, agentId, pending, span),
    listUnbooked(db, { agentId }),
    deps.accounts.read([agent]),
    findOpenFlows(db, [agentId]),
  ]);
  const [snapshot = null] = snapshots;
  const points = withPresent(
    curve.points,
    { snapshot, hasOpenFlow: openFlows.has(agentId) },
    nowMs,
  );
  const quote = quoteOf(deps.networks, agent, curve);
  const [first] = points;
  const begunMs = first === undefined ? null : Math.max(first.atMs, span.fromMs);
  const times = {
    fromMs: span.fromMs,
    begunMs: begunMs ?? nowMs,
    nowMs,
    recordedMs: first?.atMs ?? nowMs,
  };
  const [positions, flows, execution, planEnds] = await Promise.all([
    readBookedPositions(db, agentId, pending, times),
    listFlowsOf(db, agentId, quote.symbol, span),
    sumExecution(db, agentId, span, scalesOf(agent, quote.decimals)),
    countPlanEnds(db, agentId, span),
  ]);
  const text = (units: bigint | null) =>
    units === null ? null : formatDecimal(units, quote.decimals);
  const gaps = gapsOf(points, positions.unrecorded, nowMs);
  const values = pointsSince(withGaps(points, gaps), fromMs);
  const growth = growthOf(values);
  const fall = largestDrawdown(growth);
  const figures = tradeFigures(positions.closed);
  return {
    network: agent.network,
    quote,
    from: begunMs === null ? null : isoOf(begunMs),
    to: isoOf(nowMs),
    unbooked: new Set(unbooked.map(({ signature }) => signature)).size,
    curve: presentCurve(values, text),
    gaps: gaps
      .filter(({ toMs }) => toMs > span.fromMs)
      .map((gap) => ({ from: isoOf(gap.fromMs), to: isoOf(gap.toMs) })),
    returns: {
      timeWeighted: timeWeightedReturn(values),
      moneyWeighted: moneyWeightedReturn(withBookedFlows(values, flows)),
    },
    fall: fall && { depth: fall.depth, peakAt: isoOf(fall.peakAtMs), lowAt: isoOf(fall.lowAtMs) },
    months: [...monthlyReturns(growth)],
    money: {
      ...presentSums(sums, quote.symbol, text),
      unknownClosings: figures.unknown,
      unrealised: text(unrealisedOf(snapshot)),
      slippage: text(execution.slippage),
    },
    trades: {
      ...figures,
      averageWin: text(figures.averageWin),
      averageLoss: text(figures.averageLoss),
      exposure: begunMs === null || nowMs <= begunMs ? null : positions.openMs / (nowMs - begunMs),
    },
    ...(planEnds.length > 0 && { planEnds }),
    alertToSent: execution.alertToSent,
    alertToFilled: execution.alertToFilled,
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
  const lamports = (...kinds: LedgerKind[]) =>
    formatDecimal(sumOf(kinds, "amount", true), LAMPORT_PLACES);
  return {
    realised: text(sumOf(["trade"], "realised")),
    fees: text(sumOf(["fee"], "amount")),
    funding: text(sumOf(["funding"], "amount")),
    interest: text(sumOf(["interest"], "amount")),
    deposited: text(sumOf(["deposit", "opening"], "amount")),
    withdrawn: text(sumOf(["withdrawal"], "amount")),
    networkCost: lamports("network_fee"),
    rent: lamports("rent_paid", "rent_returned"),
  };
}

function unrealisedOf(snapshot: Awaited<ReturnType<AccountReader["read"]>>[number]): bigint | null {
  if (snapshot === null || !snapshot.state.subAccountExists) return null;
  if (snapshot.state.positions.some(({ isCostUnknown }) => isCostUnknown)) return null;
  // Fees of opening are among the book's fees, and each figure counts once
  return snapshot.state.positions.reduce(
    (sum, { unrealizedPnl, entryFees = 0n }) => sum + unrealizedPnl - entryFees,
    0n,
  );
}

const scalesOf = ({ venue }: CustodyAgent, quoteDecimals: number): ExecutionScales => ({
  quoteDecimals,
  baseDecimals: new Map(
    venue === null
      ? []
      : VENUE_PROFILES[venue].markets.map(({ marketId, baseDecimals }) => [marketId, baseDecimals]),
  ),
});

/** Returns the quote token from the ledger's points, or from the venue before the first point. */
function quoteOf(networks: Networks, agent: CustodyAgent, curve: CurveRead) {
  if (curve.quote !== null) return { symbol: curve.quote.asset, decimals: curve.quote.decimals };
  const opened = findVenue(networks, agent)?.instance.quote;
  const { symbol, decimals } = opened ?? VENUE_PROFILES[shownVenue(agent.venue)].quote;
  return { symbol, decimals };
}
