import * as z from "zod/mini";
import { decimalText, isoTime, signedDecimalText, ownAgentQuery } from "./fields.ts";
import { READS, route } from "./route.ts";

/**
 * Position of an agent as decimal text: `position` in the asset, signed (short is negative), `pnl` in percent of the
 * entry value, the rest in quote. Zeros with `available: false` mean the venue could not be read, never that the
 * account is flat.
 */
const positionSummary = z.strictObject({
  position: signedDecimalText,
  portfolioValue: signedDecimalText,
  /** Absent where the cost of the position is unknown. */
  pnl: z.optional(signedDecimalText),
  positionValue: signedDecimalText,
  /** Direction of the open position; absent while flat. */
  side: z.optional(z.enum(["long", "short"])),
  /** Average price per asset; absent where the cost is unknown. */
  entryPrice: z.optional(signedDecimalText),
  /** Position value as a multiple of the account's, of a perpetual market. */
  exposure: z.optional(signedDecimalText),
  /** Funding received for this size in the last hour; negative when paid. */
  fundingPerHour: z.optional(signedDecimalText),
  /** Price at which the exchange may liquidate; `none` where no price of this market does. */
  liquidationPrice: z.optional(z.union([signedDecimalText, z.literal("none")])),
  available: z.boolean(),
  /** Time of the reading; while the figures are unavailable, since when they are. */
  asOf: z.optional(isoTime),
  freeCollateral: z.optional(signedDecimalText),
  withdrawable: z.optional(signedDecimalText),
  /**
   * Amount an entry may still cost under the trading key's daily limit; present only where the account has more and trades
   * have drawn from the limit today.
   */
  limitLeft: z.optional(signedDecimalText),
  /** The same while nothing was drawn today: the limit itself, or what of it could be sold again, is lower than the funds. */
  entryLimit: z.optional(signedDecimalText),
  health: z.optional(z.int()),
  /**
   * How the stop of the agent's plan for the open position is kept; absent while flat and without a plan. `watched`: by this
   * server, and not while it is off, as its targets are; `resting`: at the exchange; `none`: the owner keeps the position
   * without the plan.
   */
  plan: z.optional(
    z.strictObject({
      kept: z.enum(["watched", "resting", "none"]),
      stop: z.optional(
        z.strictObject({ price: decimalText, by: z.enum(["stop", "trail", "break_even"]) }),
      ),
      /** Targets not reached yet, by their number in the plan from 1. */
      targets: z.array(z.strictObject({ target: z.int(), price: decimalText })),
      /** Since when no usable price was held against the plan, where it is longer than 30 seconds. */
      unwatchedSince: z.optional(isoTime),
      /** Since when the plan's stop has no level. */
      withoutStopSince: z.optional(isoTime),
      /** Since when the stop should rest at the exchange and does not, where it is longer than 30 seconds. */
      notRestingSince: z.optional(isoTime),
    }),
  ),
});

export type PositionSummary = z.infer<typeof positionSummary>;

export const getPosition = route("GET", "/api/trade/get-drift-position", {
  ...READS,
  ...ownAgentQuery({}),
  staleOn: ["position", "custody"],
  pollMs: 5_000,
  pollsWhilePushed: true,
  response: z.codec(z.strictObject({ response: positionSummary }), z.custom<PositionSummary>(), {
    decode: ({ response }) => response,
    encode: (response) => ({ response }),
  }),
});
