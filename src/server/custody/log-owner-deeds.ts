import { createHash } from "node:crypto";
import type { Clock } from "../../domain/clock.ts";
import { findMarket } from "../../venues/profiles.ts";
import type { TransactionOutcome } from "../../solana/chain.ts";
import type { OwnerDeed } from "../../venues/venue.ts";
import type { Networks } from "../networks.ts";
import type { Db } from "../store/postgres/db.ts";
import { findCustodyAgent } from "../store/custody/multisigs.ts";
import { insertOwnerEntries, type OwnerEntry } from "../store/trade-log/owner-entries.ts";
import { type CustodyContext, findContext } from "./account/custody-context.ts";

/** Half a SHA-256 in hex is as long as an id of ours. */
const ID_LENGTH = 32;

/**
 * Writes what a landed transaction of the owner traded or moved into the agent's trade log. Answers the chat whose log
 * it is, or null when there is nothing to write. The same transaction logged again changes nothing.
 */
export async function logOwnerDeeds(
  { db, networks, clock }: { readonly db: Db; readonly networks: Networks; readonly clock: Clock },
  agentId: string,
  outcome: TransactionOutcome,
): Promise<string | null> {
  const agent = await findCustodyAgent(db, agentId);
  const context = agent === null ? null : findContext(networks, agent);
  if (context === null) return null;
  const entries = context.venue
    .ownerDeeds(context.account, outcome)
    .map((deed) => entryOf(context, deed));
  if (entries.length === 0) return null;
  const atMs = clock.now();
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

function entryOf({ venue }: CustodyContext, deed: OwnerDeed) {
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
    // An owner only ever makes a position smaller
    signal: deed.side === "sell" ? "CLOSE_LONG" : "CLOSE_SHORT",
    type: "market",
    side: deed.side,
    baseSize,
    quoteTotal: quoteSize,
    price,
    fee,
  } satisfies Partial<OwnerEntry>;
}
