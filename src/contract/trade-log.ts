import * as z from "zod/mini";
import { chatId, isoTime, serverId, signedDecimalText } from "./fields.ts";
import { defineRoute } from "./route.ts";

const STATUSES = ["success", "pending", "failed"] as const;

/** Accepts any spelling, so that one unreadable row never hides the others; an unknown status reads as undecided. */
const status = z.pipe(
  z.string(),
  z.transform((text) => STATUSES.find((each) => each === text.trim().toLowerCase()) ?? "pending"),
);

/**
 * Outcome of an order for the user. Amounts are exact decimal text: `size` in the asset, `total` in quote. `status` is
 * `success` only for a whole or partial fill; `reason` says why an entry did not simply fill.
 */
export const tradeLogEntry = z.strictObject({
  _id: serverId,
  market: z.string(),
  size: z.string(),
  percentage: z.string(),
  total: z.string(),
  type: z.string(),
  side: z.string(),
  webhookSignal: z.string(),
  timestamps: isoTime,
  status,
  reason: z.optional(z.string()),
  price: z.optional(z.string()),
  fee: z.optional(z.string()),
  signature: z.optional(z.string()),
  /** True where the owner did it with the wallet. */
  byOwner: z.optional(z.literal(true)),
});

/** Newest first, at most the last 10,000 entries. */
export const listTradeLog = defineRoute({
  method: "GET",
  path: "/api/logs/get-all-by-chat-id",
  access: { kind: "owner", of: "chat", id: "query.chatId" },
  query: z.strictObject({ chatId }),
  status: 200,
  response: z.array(tradeLogEntry),
});

/**
 * Details of one trade log entry. Amounts in quote, percentages of the price or of the entry's cost; absent means
 * unknown or not applicable, never zero.
 */
export const tradeDetails = z.strictObject({
  /** Market price at which the order was decided. */
  marketPrice: z.optional(signedDecimalText),
  /** Slippage of the fill against that price in percent; negative is better. */
  slippage: z.optional(signedDecimalText),
  /** Realised PnL of a closing with the fees of both sides, without funding. */
  pnl: z.optional(signedDecimalText),
  pnlPercent: z.optional(signedDecimalText),
  alertAt: z.optional(isoTime),
  /** Milliseconds from the arrival of the alert to the fill. */
  fillMs: z.optional(z.int()),
});

export const getTradeDetails = defineRoute({
  method: "GET",
  path: "/api/logs/get-details",
  access: { kind: "owner", of: "chat", id: "query.chatId" },
  query: z.strictObject({ chatId, entryId: serverId }),
  status: 200,
  response: tradeDetails,
});
