import { createHash } from "node:crypto";
import { toPendingEntries } from "../../domain/ledger/entry.ts";
import { findMarket } from "../../venues/profiles.ts";
import type { TransactionOutcome } from "../../solana/chain.ts";
import type { OwnerActivity } from "../../venues/ports.ts";
import type { CustodyChange } from "../store/custody/commit-change.ts";
import type { OwnerEntry } from "../store/trade-log/owner-entries.ts";
import type { CustodyContext } from "./account/custody-context.ts";

/** Hex length of half a SHA-256, the same as that of generated ids. */
const ID_LENGTH = 32;

/**
 * Returns an owner's landed transaction as the agent's pending entries, and its trades and transfers as entries of the
 * trade log. The same transaction gives the same entries.
 */
export const ownerEntriesOf = (
  context: CustodyContext,
  outcome: TransactionOutcome,
  atMs: number,
): Required<Pick<CustodyChange, "pending" | "ownerEntries">> => ({
  // An owner can only reduce a position
  pending: toPendingEntries(
    context.venue.bookTransaction(context.account, outcome),
    { ...outcome, atMs },
    "closes",
  ),
  ownerEntries: loggedOf(context, outcome, atMs),
});

function loggedOf(
  context: CustodyContext,
  outcome: TransactionOutcome,
  atMs: number,
): readonly OwnerEntry[] {
  const { agentId, chatId } = context.agent;
  const { signature } = outcome;
  return context.venue.ownerActivity(context.account, outcome).map((activity, n) => ({
    id: createHash("sha256").update(`${signature} ${n}`).digest("hex").slice(0, ID_LENGTH),
    agentId,
    chatId,
    signature,
    atMs,
    ...entryOf(context, activity),
  }));
}

function entryOf({ venue }: CustodyContext, activity: OwnerActivity) {
  const { marketId } = activity;
  const market = findMarket(venue.id, marketId);
  if (market === undefined) throw new Error(`${venue.id} has no market ${marketId}.`);
  const common = {
    market: marketId,
    baseDecimals: market.baseDecimals,
    quoteDecimals: venue.instance.quote.decimals,
  };
  if (activity.kind === "transfer") {
    return {
      ...common,
      signal: "MOVE_ASSET",
      type: "transfer",
      side: "other",
      baseSize: activity.baseSize,
      quoteTotal: 0n,
      price: null,
      fee: null,
    } satisfies Partial<OwnerEntry>;
  }
  const { price, baseSize, quoteSize, fee } = activity.fill;
  return {
    ...common,
    // Owners can only reduce a position
    signal: activity.side === "sell" ? "CLOSE_LONG" : "CLOSE_SHORT",
    type: "market",
    side: activity.side,
    baseSize,
    quoteTotal: quoteSize,
    price,
    fee,
  } satisfies Partial<OwnerEntry>;
}
