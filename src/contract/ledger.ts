import * as z from "zod/mini";
import { LEDGER_KINDS, LEDGER_PLACES } from "../domain/ledger/entry.ts";
import { wholeNumber } from "./codec.ts";
import {
  agentId,
  decimalText,
  isoTime,
  network,
  signedDecimalText,
  ownAgentQuery,
  ownWalletQuery,
} from "./fields.ts";
import { READS, route } from "./route.ts";

/** A time, or a date: its first moment in UTC. */
const moment = z.union([isoTime, z.iso.date()], {
  error: "Give a date like 2026-11-23, or a time in UTC like 2026-11-23T08:00:00Z.",
});

/** Times from (inclusive) and to (exclusive); absent: from the beginning, until now. */
export const ledgerRange = {
  from: z.optional(moment),
  to: z.optional(moment),
};

const limit = z.optional(wholeNumber(/^\d{1,4}$/));

/** The `next` of the previous response. */
const cursor = z.optional(z.string().check(z.regex(/^\d{1,16}-\d{1,19}$/)));

/** A movement on chain that is not final yet. Amounts are exact signed decimal text; incoming amounts are positive. */
export const pendingEntry = z.strictObject({
  agentId,
  signature: z.string(),
  kind: z.enum(LEDGER_KINDS),
  market: z.optional(z.string()),
  asset: z.string(),
  amount: signedDecimalText,
  /** The other side of a trade. */
  base: z.optional(z.strictObject({ asset: z.string(), amount: signedDecimalText })),
  at: isoTime,
});

/**
 * One amount that moved, read from a finalized transaction. `realised` is the realised PnL of a closing before fees and
 * funding.
 */
export const ledgerEntry = z.strictObject({
  ...pendingEntry.shape,
  id: z.string(),
  place: z.enum(LEDGER_PLACES),
  realised: z.optional(signedDecimalText),
  slot: z.string(),
});

/** Result of comparing one agent's ledger with the chain. `checkedAt` is the last time they agreed. */
export const ledgerCheck = z.strictObject({
  agentId,
  state: z.enum(["right", "different", "unchecked"]),
  checkedAt: z.optional(isoTime),
  /** Since when they differ, the first transaction after they last agreed, and the differences. */
  since: z.optional(isoTime),
  firstSignature: z.optional(z.string()),
  accounts: z.optional(
    z.array(
      z.strictObject({
        place: z.string(),
        market: z.optional(z.string()),
        asset: z.string(),
        booked: signedDecimalText,
        onChain: signedDecimalText,
      }),
    ),
  ),
});

const ledgerPage = z.strictObject({
  /** Newest first. */
  entries: z.array(ledgerEntry),
  next: z.optional(z.string()),
  pending: z.array(pendingEntry),
  checks: z.array(ledgerCheck),
});

const filter = { ...ledgerRange, kind: z.optional(z.enum(LEDGER_KINDS)), cursor, limit };

export const listAgentLedger = route("GET", "/api/ledger/agent", {
  ...READS,
  ...ownAgentQuery(filter),
  readToken: true,
  response: ledgerPage,
});

/** Ledger of every agent of the wallet on one network, including deleted ones. */
export const listWalletLedger = route("GET", "/api/ledger/wallet", {
  ...READS,
  ...ownWalletQuery({ network, ...filter }),
  readToken: true,
  response: ledgerPage,
});

/**
 * Value of an agent in quote, with the price used. `netFlow` is total deposits less withdrawals since its start; its
 * change between two points is the flow. A period without points is unknown, not flat.
 */
export const equityPoint = z.strictObject({
  agentId,
  at: isoTime,
  cause: z.enum(["fill", "flow", "hour"]),
  value: signedDecimalText,
  netFlow: signedDecimalText,
  asset: z.string(),
  market: z.string(),
  price: z.optional(signedDecimalText),
  priceAt: z.optional(isoTime),
});

const equityPage = z.strictObject({
  /** Oldest first, at most 500; `next` is the start of the following page. */
  points: z.array(equityPoint),
  next: z.optional(isoTime),
});

export const listAgentEquity = route("GET", "/api/equity/agent", {
  ...READS,
  ...ownAgentQuery(ledgerRange),
  readToken: true,
  response: equityPage,
});

export const listWalletEquity = route("GET", "/api/equity/wallet", {
  ...READS,
  ...ownWalletQuery({ network, ...ledgerRange }),
  readToken: true,
  response: equityPage,
});

/** The fills of one transaction in one market on one side, read from the chain, with their fees. */
export const trade = z.strictObject({
  agentId,
  at: isoTime,
  market: z.string(),
  side: z.enum(["buy", "sell"]),
  size: decimalText,
  price: decimalText,
  /** Size times price; fee and profit are in the same asset. */
  total: decimalText,
  asset: z.string(),
  fee: signedDecimalText,
  realised: z.optional(signedDecimalText),
  signature: z.string(),
  slot: z.string(),
});

const tradePage = z.strictObject({
  /** Oldest first; `next` is the `from` of the following page. */
  trades: z.array(trade),
  next: z.optional(isoTime),
});

const tradesAsked = { ...ledgerRange, limit };

export const listAgentTrades = route("GET", "/api/trades/agent", {
  ...READS,
  ...ownAgentQuery(tradesAsked),
  readToken: true,
  response: tradePage,
});

/** Trades of every agent of the wallet on one network, including deleted ones. */
export const listWalletTrades = route("GET", "/api/trades/wallet", {
  ...READS,
  ...ownWalletQuery({ network, ...tradesAsked }),
  readToken: true,
  response: tradePage,
});
