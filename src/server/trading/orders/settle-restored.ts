import type { TransactionOutcome } from "../../../solana/chain.ts";
import { listTransactions } from "../../ledger/list-transactions.ts";
import { insertCustodyFlag, listUnknownSignatures } from "../../store/custody/custody-notices.ts";
import { lockFencedLane, readLandedSlot } from "../../store/lanes/lanes.ts";
import {
  keepRestoredHeight,
  releaseRestoredLane,
  type RestoredLane,
} from "../../store/lanes/restored-lanes.ts";
import { endExitsBefore } from "../../store/orders/exits.ts";
import type { HeldLane } from "../../store/orders/held-lane.ts";
import { denyPlannedBefore } from "../../store/orders/orders.ts";
import { updateTradeLogOfOrder } from "../../store/trade-log/trade-log-writes.ts";
import { publishTrading } from "./exits.ts";
import { publishOrderChange } from "./publish-order-change.ts";
import type { TradingAgent } from "./trading-agent.ts";
import type { TradingDeps } from "./trading-deps.ts";

/** A trade of ours that the restored records do not have. */
interface LostTrade {
  readonly signature: string;
  /** Net base units by market, bought less sold. */
  readonly fills: ReadonlyMap<string, bigint>;
}

/**
 * Finds what an agent traded between the backup and the restore, before its first new order. Returns whether that is
 * known: `waiting` until everything signed before the restore has landed or expired for good, `untraded` for an agent
 * that cannot trade.
 *
 * Orders and exits that waited at the backup are ended when anything was traded since: they may have been done. Throws
 * `ChainUnavailableError`.
 */
export async function settleRestored(
  deps: TradingDeps,
  lane: HeldLane,
  agent: TradingAgent,
  restored: RestoredLane,
): Promise<"settled" | "waiting" | "lost" | "untraded"> {
  const { place } = agent;
  if (place === null || agent.account === null) return "untraded";
  if (restored.height === null) {
    const { lastValidBlockHeight } = await place.chain.latestBlockhash();
    await keepRestoredHeight(deps.db, lane, lastValidBlockHeight);
    return "waiting";
  }
  const progress = await place.chain.progress("finalized");
  if (progress.blockHeight <= restored.height) return "waiting";
  const trades = await findLostTrades(deps, agent, progress.slot);
  if (trades === null) return "waiting";
  await explain(deps, agent, trades);
  return (await release(deps, lane, agent, { trades, restored })) ? "settled" : "lost";
}

/** Returns our own trades that no record has, oldest first; null while one cannot be read. */
async function findLostTrades(
  { db, signer, formerFeePayers = [] }: TradingDeps,
  { record, place, account }: TradingAgent,
  seenSlot: bigint,
): Promise<readonly LostTrade[] | null> {
  if (place === null || account === null) return [];
  const { outcomes, unread } = await listTransactions(
    place.chain,
    place.venue.bookAddresses(account),
    {
      // An agent's orders are strictly in sequence: all that is missing landed after the last known one
      sinceSlot: await readLandedSlot(db, record.id),
      seenSlot,
      commitment: "finalized",
      async isKnown(signatures) {
        const unknown = new Set(await listUnknownSignatures(db, record.id, signatures));
        return new Set(signatures.filter((signature) => !unknown.has(signature)));
      },
    },
  );
  if (unread.length > 0) return null;
  return outcomes.flatMap((outcome) => {
    const isOurs = [signer.feePayer, ...formerFeePayers].some(
      (payer) => (outcome.lamportDeltas.get(payer) ?? 0n) < 0n,
    );
    if (outcome.error !== null || !isOurs) return [];
    const fills = new Map<string, bigint>();
    for (const { marketId, amount } of tradedIn(outcome)) {
      fills.set(marketId, (fills.get(marketId) ?? 0n) + amount);
    }
    return fills.size === 0 ? [] : [{ signature: outcome.signature, fills }];
  });

  function tradedIn(outcome: TransactionOutcome) {
    if (place === null || account === null) return [];
    const movements = place.venue.bookTransaction(account, outcome);
    return movements.flatMap(({ kind, base }) => (kind === "trade" ? (base ?? []) : []));
  }
}

/** Counts the trades towards the agent's positions and tells the owner. */
async function explain(
  { db, clock }: TradingDeps,
  { record }: TradingAgent,
  trades: readonly LostTrade[],
): Promise<void> {
  const common = { agentId: record.id, owner: record.owner, atMs: clock.now() };
  for (const { signature, fills } of trades) {
    await insertCustodyFlag(db, "upkeep", { ...common, key: signature, text: "", fills });
  }
  const last = trades.at(-1);
  if (last === undefined) return;
  const text = `The records were restored from a backup. ${trades.length === 1 ? "One trade" : `${trades.length} trades`} made after it stand in the book and not in the trade log, the last is ${last.signature}. What waited at the time of the backup was not done again.`;
  await insertCustodyFlag(db, "restored", { ...common, key: last.signature, text });
}

/** Ends what the backup brought back and lets the lane go on. Returns false when another worker holds it. */
async function release(
  deps: TradingDeps,
  lane: HeldLane,
  { record }: TradingAgent,
  { trades, restored }: { readonly trades: readonly LostTrade[]; readonly restored: RestoredLane },
): Promise<boolean> {
  const atMs = deps.clock.now();
  const reason = "restored";
  const isReleased = await deps.db.transaction().execute(async (transaction) => {
    if (!(await lockFencedLane(transaction, lane))) return false;
    if (trades.length > 0) {
      await endExitsBefore(transaction, record.id, restored.atMs, atMs);
      const end = { reason, atMs } as const;
      for (const id of await denyPlannedBefore(transaction, record.id, restored.atMs, end)) {
        await updateTradeLogOfOrder(transaction, id, { status: "failed", reason, atMs });
      }
    }
    await releaseRestoredLane(transaction, lane);
    return true;
  });
  if (!isReleased) return false;
  publishTrading(deps, record);
  publishOrderChange(deps, record);
  deps.publisher.publish(record.owner, { topic: "custody", id: record.id });
  return true;
}
