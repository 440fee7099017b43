import * as z from "zod/mini";
import { PLAN_ENDS } from "../domain/plan/plan-end.ts";
import { decimalText, isoTime, portion, side, signedDecimalText } from "./fields.ts";

/** An exit in progress. It is retried until the position, or its part, is closed or the owner ends it. */
export const exitInWork = z.strictObject({
  market: z.string(),
  /** Side of the position. */
  side,
  /** Percent of the position that a rule closes; absent: all of it. */
  portion: z.optional(portion),
  askedAt: isoTime,
  askedBy: z.enum(["alert", "owner", "reversal", "plan"]),
  /** What of the position's plan asked for it. */
  planEnd: z.optional(z.enum(PLAN_ENDS)),
  /** Number of orders sent for it that left part of the position open. */
  attempts: z.int(),
  nextAttemptAt: isoTime,
  /** Why the position is not closed yet, one sentence. */
  lastReason: z.optional(z.string()),
  /** Slippage limit of the next order in percent; it widens beyond the agent's own after repeated attempts. */
  limitPercent: signedDecimalText,
});

/** A limit the agent is close to. It blocks entries, never the closing of a position. */
export const nearLimit = z.strictObject({
  limit: z.enum([
    "orders_a_minute",
    "orders_an_hour",
    "failures",
    "daily_loss",
    "fall",
    "trades_a_day",
    "losses_in_a_row",
  ]),
  isReached: z.boolean(),
  /** Number of orders or trades, percent of the account lost today, or drawdown from the peak in percent. */
  used: decimalText,
  most: decimalText,
  /** Time at which part of the limit is free again; absent where time does not free it. */
  easesAt: z.optional(isoTime),
});

export type NearLimit = z.infer<typeof nearLimit>;

/**
 * Restriction on an agent's trading, with one sentence on its cause and one on what ends it.
 *
 * `halted` is set by the operator and takes precedence over `exiting`, which takes precedence over `reducing`: only
 * exits are then sent. A trading key that may be stolen is said before everything else, also while the agent is off. With `no_candles` the agent trades on alerts from outside, but its own conditions cannot be
 * evaluated.
 */
export const tradingCondition = z.strictObject({
  state: z.enum(["reducing", "halted", "exiting", "no_candles"]),
  reason: z.string(),
  since: z.optional(isoTime),
  endsWhen: z.string(),
  /** Present where only the owner's confirmation ends it. */
  canResume: z.optional(z.literal(true)),
  /** Present where somebody else seems to hold the trading key, so that it should be revoked. */
  mayBeStolen: z.optional(z.literal(true)),
  exits: z.array(exitInWork),
});

export type TradingCondition = z.infer<typeof tradingCondition>;
