import * as z from "zod/mini";
import { isoTime, serverId, signedDecimalText } from "./fields.ts";
import { defineRoute } from "./route.ts";

const STATUSES = ["success", "pending", "failed"] as const;

/** Read in any spelling, so that one row never keeps the others from being shown; what is not known is undecided. */
const status = z.pipe(
  z.string(),
  z.transform((text) => STATUSES.find((each) => each === text.trim().toLowerCase()) ?? "pending"),
);

/**
 * The user's line about an order's outcome. Amounts are exact decimal text: `size` in the asset, `total` in quote.
 * `status` is `success` only for a fill, whole or in part; `reason` says why an entry is not simply filled.
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
  query: z.strictObject({ chatId: serverId }),
  status: 200,
  response: z.array(tradeLogEntry),
});

/**
 * What stands behind one entry. Amounts in quote, percentages of the price or of the entry's cost; absent is what is
 * not known or does not apply, never nothing.
 */
export const tradeDetails = z.strictObject({
  /** The market's price the order was decided at. */
  marketPrice: z.optional(signedDecimalText),
  /** Percent the fill was worse than that price; negative is better. */
  slippage: z.optional(signedDecimalText),
  /** Of a closing, fees of both sides counted, funding not. */
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
  query: z.strictObject({ chatId: serverId, entryId: serverId }),
  status: 200,
  response: tradeDetails,
});
