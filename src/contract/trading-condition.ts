import * as z from "zod/mini";
import { decimalText, isoTime, side, signedDecimalText } from "./fields.ts";

/** A position that was asked to be closed and is not closed yet. It is tried again until it is, or its owner ends it. */
export const exitInWork = z.strictObject({
  market: z.string(),
  /** Side of the position. */
  side,
  askedAt: isoTime,
  askedBy: z.enum(["alert", "owner", "reversal"]),
  /** Orders sent for it that left something open. */
  attempts: z.int(),
  nextAttemptAt: isoTime,
  /** Why it is not closed yet, one sentence. */
  lastReason: z.optional(z.string()),
  /** Percent the price may be worse than the market's in the next order; wider than the agent's own after attempts. */
  limitPercent: signedDecimalText,
});

/** A limit of the agent's own that it is close to. It holds back entries, never the closing of a position. */
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
  /** Orders or trades, percent of the account lost today, or percent its value is below its peak. */
  used: decimalText,
  most: decimalText,
  /** When some of it is free again; absent where no moment ends it. */
  easesAt: z.optional(isoTime),
});

export type NearLimit = z.infer<typeof nearLimit>;

/**
 * What keeps an agent from trading freely, with one sentence for why and one for what ends it.
 *
 * `halted` is the operator's; it wins over `exiting`, which wins over `reducing`: then exits alone are sent. With
 * `no_candles` the agent trades on alerts from outside, but its own conditions cannot be evaluated.
 */
export const tradingCondition = z.strictObject({
  state: z.enum(["reducing", "halted", "exiting", "no_candles"]),
  reason: z.string(),
  since: z.optional(isoTime),
  endsWhen: z.string(),
  /** Nothing but the owner's word ends it. */
  canResume: z.optional(z.literal(true)),
  exits: z.array(exitInWork),
});

export type TradingCondition = z.infer<typeof tradingCondition>;
