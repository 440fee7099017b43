import { createHash } from "node:crypto";
import type { Clock } from "../../domain/clock.ts";
import type { AgentId, ChatId } from "../../domain/ids.ts";
import { numbered, type PendingEntry } from "../../domain/ledger/entry.ts";
import { findMarket } from "../../venues/profiles.ts";
import type { TransactionOutcome } from "../../solana/chain.ts";
import type { OwnerActivity } from "../../venues/ports.ts";
import type { Networks } from "../networks.ts";
import type { Db } from "../store/postgres/db.ts";
import { findCustodyAgent } from "../store/custody/multisigs.ts";
import { insertPending } from "../store/ledger/pending-writes.ts";
import { insertOwnerEntries, type OwnerEntry } from "../store/trade-log/owner-entries.ts";
import { type CustodyContext, findContext } from "./account/custody-context.ts";

/** Hex length of half a SHA-256, the same as that of generated ids. */
const ID_LENGTH = 32;

/**
 * Writes an owner's landed transaction to the agent's pending entries, and its trades and transfers to the trade log.
 * Returns the log's chat, or null when that has nothing of it. Idempotent.
 */
export async function logOwnerActivity(
  { db, networks, clock }: { readonly db: Db; readonly networks: Networks; readonly clock: Clock },
  agentId: AgentId,
  outcome: TransactionOutcome,
): Promise<ChatId | null> {
  const agent = await findCustodyAgent(db, agentId);
  const context = agent === null ? null : findContext(networks, agent);
  if (context === null) return null;
  const atMs = clock.now();
  await insertPending(db, agentId, pendingOf(context, outcome, atMs));
  const entries = context.venue
    .ownerActivity(context.account, outcome)
    .map((deed) => entryOf(context, deed));
  if (entries.length === 0) return null;
  const { signature } = outcome;
  const { chatId } = context.agent;
  await insertOwnerEntries(
    db,
    entries.map((entry, n) => ({
      id: createHash("sha256").update(`${signature} ${n}`).digest("hex").slice(0, ID_LENGTH),
      agentId,
      chatId,
      signature,
      atMs,
      ...entry,
    })),
  );
  return chatId;
}

/** Returns the entries the book will have of a landed transaction of the owner, who can only reduce a position. */
function pendingOf(
  { venue, account }: CustodyContext,
  outcome: TransactionOutcome,
  atMs: number,
): readonly PendingEntry[] {
  const { signature, slot } = outcome;
  return numbered(venue.bookTransaction(account, outcome)).map((movement) => ({
    ...movement,
    effect: movement.kind === "trade" ? "closes" : null,
    signature,
    slot,
    atMs,
  }));
}

function entryOf({ venue }: CustodyContext, deed: OwnerActivity) {
  const { marketId } = deed;
  const market = findMarket(venue.id, marketId);
  if (market === undefined) throw new Error(`${venue.id} has no market ${marketId}.`);
  const common = {
    market: marketId,
    baseDecimals: market.baseDecimals,
    quoteDecimals: venue.instance.quote.decimals,
  };
  if (deed.kind === "transfer") {
    return {
      ...common,
      signal: "MOVE_ASSET",
      type: "transfer",
      side: "other",
      baseSize: deed.baseSize,
      quoteTotal: 0n,
      price: null,
      fee: null,
    } satisfies Partial<OwnerEntry>;
  }
  const { price, baseSize, quoteSize, fee } = deed.fill;
  return {
    ...common,
    // Owners can only reduce a position
    signal: deed.side === "sell" ? "CLOSE_LONG" : "CLOSE_SHORT",
    type: "market",
    side: deed.side,
    baseSize,
    quoteTotal: quoteSize,
    price,
    fee,
  } satisfies Partial<OwnerEntry>;
}
