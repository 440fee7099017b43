import * as z from "zod/mini";
import { PLAN_ACTS } from "../domain/plan/plan.ts";
import { renamed } from "./codec.ts";
import { agentId, chatId, isoTime, serverId, signedDecimalText } from "./fields.ts";
import { READS, route } from "./route.ts";

const STATUSES = ["success", "pending", "failed"] as const;

/** Accepts any spelling, so that one unreadable row never hides the others; an unknown status reads as undecided. */
const status = z.codec(z.string(), z.enum(STATUSES), {
  decode: (text) =>
    STATUSES.find((each) => each === text.trim().toLowerCase()) ?? ("pending" as const),
  encode: (known) => known,
});

/**
 * Outcome of an order for the user. Amounts are exact decimal text: `size` in the asset, `total` in quote. `status` is
 * `success` only for a whole or partial fill; `reason` says why an entry did not simply fill.
 */
export const tradeLogEntry = renamed(
  z.strictObject({
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
    /** Realised PnL of a closing in quote, with the fees of both sides, without funding; absent where unknown. */
    pnl: z.optional(signedDecimalText),
    /** Rule that fired; absent for an order without one. */
    ruleId: z.optional(serverId),
    signature: z.optional(z.string()),
    /** True where the owner did it with the wallet. */
    byOwner: z.optional(z.literal(true)),
    /** What of the position's plan asked for it. */
    plan: z.optional(z.enum(PLAN_ACTS)),
  }),
  { _id: "id", webhookSignal: "signal", timestamps: "at" },
);

export type TradeLogEntry = z.infer<typeof tradeLogEntry>;

/** `trades`: what did not fail. `attention`: what failed or has a reason. */
export const LOG_FILTERS = ["trades", "attention"] as const;

/** Largest number of entries in one response. */
export const LOG_PAGE = 200;

const filter = z.optional(z.enum(LOG_FILTERS));
const ownChat = { kind: "owner", of: "chat", id: "query.chatId" } as const;

/**
 * A page of entries, newest first; fewer than 200 are the last page. `before` is the id of the previous page's last
 * entry.
 */
export const listTradeLog = route("GET", "/api/logs/get-all-by-chat-id", {
  ...READS,
  access: ownChat,
  staleOn: ["trade-log"],
  pollMs: 3_000,
  freshMs: 2_000,
  query: z.strictObject({ chatId, filter, before: z.optional(serverId) }),
  response: z.array(tradeLogEntry),
});

/** Largest number of entries in the inbox. */
export const INBOX_ENTRIES = 50;

/** The newest entries of all agents of the wallet that are filled or failed, newest first, each with its agent and chat. */
export const listInbox = route("GET", "/api/logs/inbox", {
  ...READS,
  access: { kind: "session" },
  staleOn: ["trade-log"],
  freshMs: 0,
  pollMs: 15_000,
  response: z.array(
    renamed(z.strictObject({ chatId, botId: agentId, agent: z.string(), entry: tradeLogEntry }), {
      botId: "agentId",
    }),
  ),
});

/** Number of entries per filter, of the whole log. */
export const countTradeLog = route("GET", "/api/logs/counts", {
  ...READS,
  access: ownChat,
  staleOn: ["trade-log"],
  pollMs: 3_000,
  freshMs: 2_000,
  query: z.strictObject({ chatId }),
  response: z.strictObject({ trades: z.int(), attention: z.int() }),
});

/** The whole log as a CSV file, newest first. */
export const exportTradeLog = route("GET", "/api/logs/export", {
  ...READS,
  isBig: true,
  access: ownChat,
  query: z.strictObject({ chatId, filter }),
  status: 200,
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

export const getTradeDetails = route("GET", "/api/logs/get-details", {
  ...READS,
  access: ownChat,
  staleOn: ["trade-log"],
  query: z.strictObject({ chatId, entryId: serverId }),
  response: tradeDetails,
});
