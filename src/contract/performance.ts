import * as z from "zod/mini";
import { PLAN_ENDS } from "../domain/plan/plan.ts";
import { RANGES } from "../domain/performance/range.ts";
import { isoTime, network, ownAgent, signedDecimalText } from "./fields.ts";
import { READS, route, type ResponseOf } from "./route.ts";

/** A share of one, for instance 0.05 for 5 %. Ratios, never money. */
const share = z.nullable(z.number());
/** Quote units; null where it is unknown. */
const money = z.nullable(signedDecimalText);

/** Time in Unix seconds; a point without a value is a gap that must not be drawn over. */
const curvePoint = z.strictObject({
  time: z.int(),
  value: money,
  /** Growth since the first point of the curve, adjusted for deposits and withdrawals. */
  growth: share,
  drawdown: share,
});

export const gap = z.strictObject({ from: isoTime, to: isoTime });

const latency = z.nullable(z.strictObject({ p50: z.int(), p95: z.int(), orders: z.int() }));

/** Performance of an agent in a period, from its ledger alone. */
const performance = z.strictObject({
  network,
  quote: z.strictObject({ symbol: z.string(), decimals: z.int() }),
  from: z.nullable(isoTime),
  to: isoTime,
  /** Number of transactions on chain that are not final yet and not included here. */
  unbooked: z.int(),
  curve: z.array(curvePoint),
  /** Periods with an open position and no recorded value. */
  gaps: z.array(gap),
  returns: z.strictObject({ timeWeighted: share, moneyWeighted: share }),
  fall: z.nullable(z.strictObject({ depth: z.number(), peakAt: isoTime, lowAt: isoTime })),
  months: z.array(z.strictObject({ month: z.string(), rate: share, isPartial: z.boolean() })),
  money: z.strictObject({
    /** Realised PnL before fees and funding. */
    realised: money,
    /** Closings with an unknown result; `realised` does not include them. */
    unknownClosings: z.int(),
    /** Unrealised PnL of the open position; null where the venue cannot be read. */
    unrealised: money,
    fees: money,
    funding: money,
    /** Interest the exchange paid, or charged, on balances. */
    interest: money,
    deposited: money,
    withdrawn: money,
    /** Slippage of the fills against the price when each order was decided on; negative is worse. */
    slippage: money,
    /** Transaction fees in SOL, decimal text with nine places. */
    networkCost: signedDecimalText,
    /** Rent returned less rent paid in SOL; what is locked in accounts mostly comes back with a deletion. */
    rent: signedDecimalText,
  }),
  trades: z.strictObject({
    known: z.int(),
    unknown: z.int(),
    wins: z.int(),
    losses: z.int(),
    hitRate: share,
    averageWin: money,
    averageLoss: money,
    profitFactor: share,
    longestLosingRun: z.int(),
    exposure: share,
  }),
  /** How often each part of the position's plan ended a position or part of it; absent where none did. */
  planEnds: z.optional(z.array(z.strictObject({ by: z.enum(PLAN_ENDS), count: z.int() }))),
  /** Latency from the alert in milliseconds, over filled orders. */
  alertToSent: latency,
  alertToFilled: latency,
});

export const getPerformance = route("GET", "/api/agents/:botId/performance", {
  ...READS,
  isBig: true,
  ...ownAgent,
  staleOn: ["ledger", "position", "custody"],
  pollMs: 15_000,
  pollsWhilePushed: true,
  query: z.strictObject({ range: z.enum(RANGES) }),
  response: performance,
});

export type Performance = ResponseOf<typeof getPerformance>;
