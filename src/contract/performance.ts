import * as z from "zod/mini";
import { RANGES } from "../domain/performance/range.ts";
import { isoTime, network, serverId, signedDecimalText } from "./fields.ts";
import { defineRoute } from "./route.ts";

/** A share of one, for instance 0.05 for 5 %. Ratios, never money. */
const share = z.nullable(z.number());
/** Quote units; null where it is not known. */
const money = z.nullable(signedDecimalText);

/** Time in Unix seconds; a point without a value is a hole that must not be drawn over. */
const curvePoint = z.strictObject({
  time: z.int(),
  value: money,
  /** Since the first point of the curve, flows removed. */
  growth: share,
  drawdown: share,
});

export const gap = z.strictObject({ from: isoTime, to: isoTime });

const latency = z.nullable(z.strictObject({ p50: z.int(), p95: z.int(), orders: z.int() }));

/** Everything an agent did with its money in a span, from its book alone. */
const performance = z.strictObject({
  network,
  quote: z.strictObject({ symbol: z.string(), decimals: z.int() }),
  from: z.nullable(isoTime),
  to: isoTime,
  /** Transactions that are on chain and not final yet: nothing here counts them. */
  unbooked: z.int(),
  curve: z.array(curvePoint),
  /** Spans in which something was open and nothing was recorded. */
  gaps: z.array(gap),
  returns: z.strictObject({ timeWeighted: share, moneyWeighted: share }),
  fall: z.nullable(z.strictObject({ depth: z.number(), peakAt: isoTime, lowAt: isoTime })),
  months: z.array(z.strictObject({ month: z.string(), rate: share, isPartial: z.boolean() })),
  money: z.strictObject({
    /** Before fees and funding. */
    realised: money,
    /** Closings whose result nobody knows; they are not in `realised`. */
    unknownClosings: z.int(),
    /** Of what is open now; null where the venue cannot be read. */
    unrealised: money,
    fees: money,
    funding: money,
    /** What the exchange paid or took for balances. */
    interest: money,
    deposited: money,
    withdrawn: money,
    /** Fills against the price when each order was decided on; below zero is worse. */
    slippage: money,
    /** Lamports as decimal text, with nine places. */
    networkCost: signedDecimalText,
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
  /** Milliseconds from the alert, over filled orders. */
  alertToSent: latency,
  alertToFilled: latency,
});

export const getPerformance = defineRoute({
  method: "GET",
  path: "/api/agents/:botId/performance",
  access: { kind: "owner", of: "agent", id: "params.botId" },
  params: z.strictObject({ botId: serverId }),
  query: z.strictObject({ range: z.enum(RANGES) }),
  status: 200,
  response: performance,
});
