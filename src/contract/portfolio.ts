import * as z from "zod/mini";
import { RANGES } from "../domain/performance/range.ts";
import { heldAsset } from "./custody.ts";
import {
  decimalText,
  isoTime,
  network,
  serverId,
  signedDecimalText,
  walletAddress,
} from "./fields.ts";
import { pendingEntry } from "./ledger.ts";
import { defineRoute } from "./route.ts";

const money = z.nullable(signedDecimalText);

/** What was made in a span: the worth now less the worth then less what came in. Null where either is not known. */
const made = z.nullable(
  z.strictObject({
    amount: signedDecimalText,
    /** Of what was there then and came in since; null of nothing. */
    share: z.nullable(z.number()),
  }),
);

const portfolioAgent = z.strictObject({
  botId: serverId,
  chatId: serverId,
  agentName: z.string(),
  assetPair: z.string(),
  state: z.enum(["off", "on", "stopping", "reducing", "halted", "closing"]),
  /** What its account is worth; null before the first deposit and where it was never read. */
  value: money,
  /** The venue could not be read: the value is the last one recorded, of this time. */
  valueSince: z.optional(isoTime),
  /** Of the total of its network; null without a value. */
  share: z.nullable(z.number()),
  today: made,
  /** How far it is below its highest point of the span, 0 to 1. */
  drawdown: z.nullable(z.number()),
  /** Growth over the span at the portfolio's marks; a hole is null. */
  spark: z.array(z.nullable(z.number())),
  /** What needs the owner, one sentence each. */
  attention: z.array(z.string()),
});

const portfolioNetwork = z.strictObject({
  network,
  quote: z.strictObject({ symbol: z.string(), decimals: z.int() }),
  /** Worth of all agents; null where one of them was never read. */
  total: money,
  /** Agents whose worth is the last one recorded, or not known at all. */
  unread: z.int(),
  made: z.strictObject({ today: made, week: made, month: made, all: made }),
  /** Worth and what was paid in by then, at even marks of the span; a hole is null. Time in Unix seconds. */
  curve: z.array(z.strictObject({ time: z.int(), value: money, paidIn: money })),
  agents: z.array(portfolioAgent),
  exposure: z.array(
    z.strictObject({ asset: z.string(), long: signedDecimalText, short: signedDecimalText }),
  ),
  /** Null where the chain cannot be read. */
  wallet: z.nullable(
    z.strictObject({ sol: decimalText, quote: decimalText, assets: z.array(heldAsset) }),
  ),
  /** Oldest first, at most twenty, of `pendingCount`: on the chain, not final yet, in no figure from the book. */
  pending: z.array(pendingEntry),
  pendingCount: z.int(),
  /** Newest first, at most twenty. */
  flows: z.array(
    z.strictObject({
      at: isoTime,
      botId: serverId,
      /** `outside`: with somebody else than the owner's wallet. */
      kind: z.enum(["deposit", "withdrawal", "outside"]),
      amount: signedDecimalText,
      asset: z.string(),
    }),
  ),
});

/** Everything a wallet's agents hold and did, network by network. */
export const getPortfolio = defineRoute({
  method: "GET",
  path: "/api/wallets/:walletAddress/portfolio",
  access: { kind: "owner", of: "wallet", id: "params.walletAddress" },
  params: z.strictObject({ walletAddress }),
  query: z.strictObject({ range: z.enum(RANGES) }),
  status: 200,
  response: z.strictObject({ at: isoTime, networks: z.array(portfolioNetwork) }),
});
