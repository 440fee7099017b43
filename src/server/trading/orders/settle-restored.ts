import { toPendingEntries } from "../../../domain/ledger/entry.ts";
import { differenceFrom } from "../../../domain/account-difference.ts";
import type { AccountState } from "../../../domain/position.ts";
import { ChainUnavailableError } from "../../../solana/chain.ts";
import { listTransactions } from "../../ledger/list-transactions.ts";
import type { HoldingRecord } from "../../store/reconcile/recorded-holding.ts";
import { insertCustodyFlag, listUnknownSignatures } from "../../store/custody/custody-notices.ts";
import { readLandedSlot } from "../../store/agents/agents.ts";
import type { RestoredLane } from "../../store/lanes/restored-lanes.ts";
import { insertUpkeep, type Upkeep } from "../../store/ledger/pending-writes.ts";
import type { Change } from "../../store/orders/change.ts";
import { listExits } from "../../store/orders/exits.ts";
import { listPlannedOrders } from "../../store/orders/orders.ts";
import {
  type ReadyAgent,
  type Step,
  type TradingAgent,
  type TradingDeps,
  stepTo,
} from "./order-context.ts";

/** A trade of ours that the restored records do not have. */
interface LostTrade extends Upkeep {
  readonly signature: string;
}

/**
 * Finds what an agent traded between the backup and the restore, before its first new order. Waits until everything
 * signed before the restore has landed or expired for good; null for an agent that cannot trade.
 *
 * Orders and exits that waited at the backup are ended when anything was traded since: they may have been done. Throws
 * `ChainUnavailableError`.
 */
export async function settleRestored(
  deps: TradingDeps,
  agent: TradingAgent,
  restored: RestoredLane,
): Promise<Step | null> {
  const { runtime } = agent;
  if (runtime === null || agent.account === null) return null;
  const atMs = deps.clock.now();
  if (restored.height === null) {
    const { lastValidBlockHeight: restoredHeight } = await runtime.chain.latestBlockhash();
    return { change: { atMs, restoredHeight, stale: [] }, next: "waiting" };
  }
  const progress = await runtime.chain.progress("finalized");
  if (progress.blockHeight <= restored.height) return stepTo("waiting");
  const trades = await findLostTrades(deps, agent, progress.slot);
  if (trades === null) return stepTo("waiting");
  await explain(deps, agent, trades);
  return { change: await release(deps, agent, trades, restored), next: "moved" };
}

/** Returns our own trades that no record has, oldest first; null while one cannot be read. */
async function findLostTrades(
  { db, clock, signer, formerFeePayers = [] }: TradingDeps,
  { record, runtime, account }: TradingAgent,
  seenSlot: bigint,
): Promise<readonly LostTrade[] | null> {
  if (runtime === null || account === null) return [];
  const { chain, venue } = runtime;
  const { outcomes, unread } = await listTransactions(chain, venue.bookAddresses(account), {
    // An agent's orders are strictly in sequence: all that is missing landed after the last known one
    sinceSlot: await readLandedSlot(db, record.id),
    seenSlot,
    commitment: "finalized",
    async isKnown(signatures) {
      const unknown = new Set(await listUnknownSignatures(db, record.id, signatures));
      return new Set(signatures.filter((signature) => !unknown.has(signature)));
    },
  });
  if (unread.length > 0) return null;
  return outcomes.flatMap((outcome) => {
    const isOurs = [signer.feePayer, ...formerFeePayers].some(
      (payer) => (outcome.lamportDeltas.get(payer) ?? 0n) < 0n,
    );
    if (outcome.error !== null || !isOurs) return [];
    const movements = venue.bookTransaction(account, outcome);
    const fills = new Map<string, bigint>();
    for (const { kind, base } of movements) {
      if (kind !== "trade" || base === undefined) continue;
      fills.set(base.marketId, (fills.get(base.marketId) ?? 0n) + base.amount);
    }
    const { signature } = outcome;
    const pending = toPendingEntries(movements, { ...outcome, atMs: clock.now() });
    return fills.size === 0 ? [] : [{ signature, fills, pending }];
  });
}

/** Counts the trades towards the agent's positions and tells the owner. */
async function explain(
  { db, clock }: TradingDeps,
  { record }: TradingAgent,
  trades: readonly LostTrade[],
): Promise<void> {
  const common = { agentId: record.id, owner: record.owner, atMs: clock.now() };
  for (const { signature, ...upkeep } of trades) {
    await insertUpkeep(db, record.id, signature, upkeep);
    await insertCustodyFlag(db, "upkeep", { ...common, key: signature, text: "" });
  }
  const last = trades.at(-1);
  if (last === undefined) return;
  const text = `The records were restored from a backup. ${trades.length === 1 ? "One trade" : `${trades.length} trades`} made after it stand in the book and not in the trade log, the last is ${last.signature}. What waited at the time of the backup was not done again.`;
  await insertCustodyFlag(db, "restored", { ...common, key: last.signature, text });
}

/** Ends what the backup brought back and lets the lane go on. */
async function release(
  { db, clock }: TradingDeps,
  { record }: TradingAgent,
  trades: readonly LostTrade[],
  restored: RestoredLane,
): Promise<Change> {
  const hasTraded = trades.length > 0;
  const exits = hasTraded ? await listExits(db, [record.id]) : [];
  const planned = hasTraded ? await listPlannedOrders(db, record.id) : [];
  return {
    atMs: clock.now(),
    restoredHeight: null,
    endedExits: {
      ids: exits.filter(({ askedAtMs }) => askedAtMs < restored.atMs).map(({ id }) => id),
      state: "done",
    },
    denied: planned
      .filter(({ plannedAtMs }) => plannedAtMs < restored.atMs)
      .map(({ id }) => ({ id, reason: "restored" })),
    stale: ["agent", "order", "custody"],
  };
}

/**
 * Books what keepers made of the agent's orders that rest, before a smaller position is doubted: a stop may have been filled
 * while nothing looked. Returns whether anything was booked. Throws `ChainUnavailableError` while a transaction cannot be
 * read.
 */
export async function bookUpkeep(
  { db, clock }: Pick<TradingDeps, "db" | "clock">,
  { record, runtime, account }: ReadyAgent,
  recorded: HoldingRecord,
  seen: AccountState,
): Promise<boolean> {
  const { chain, venue } = runtime;
  const isSmaller = [...differenceFrom(seen, recorded).positions].some(
    ([marketId, size]) => size * (recorded.positions.get(marketId) ?? 0n) < 0n,
  );
  if (!isSmaller || venue.protectiveOrders === undefined) return false;
  const { account: address } = await venue.readCustody(account);
  if (address === null) return false;
  const { outcomes, unread } = await listTransactions(chain, [address], {
    sinceSlot: await readLandedSlot(db, record.id),
    seenSlot: seen.slot,
    commitment: "confirmed",
    async isKnown(signatures) {
      const unknown = new Set(await listUnknownSignatures(db, record.id, signatures));
      return new Set(signatures.filter((signature) => !unknown.has(signature)));
    },
  });
  if (unread.length > 0) throw new ChainUnavailableError("A transaction is not read yet");
  const atMs = clock.now();
  let hasBooked = false;
  for (const outcome of outcomes) {
    const activity = venue.classifyExternal?.(account, outcome);
    if (outcome.error !== null || activity?.kind !== "upkeep" || activity.fills.size === 0)
      continue;
    const pending = toPendingEntries(venue.bookTransaction(account, outcome), { ...outcome, atMs });
    await insertUpkeep(db, record.id, outcome.signature, { fills: activity.fills, pending });
    const { id: agentId, owner } = record;
    await insertCustodyFlag(db, "upkeep", {
      agentId,
      owner,
      atMs,
      key: outcome.signature,
      text: "",
    });
    hasBooked = true;
  }
  return hasBooked;
}
