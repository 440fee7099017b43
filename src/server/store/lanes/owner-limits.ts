import type { AgentId } from "../../../domain/ids.ts";
import { loosenedLimits, type OwnerLimits } from "../../../domain/owner-limits.ts";
import { resumed } from "../../../domain/owner-history.ts";
import { laterThanBefore } from "../agents/agents.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";
import { changeLedger } from "./lanes.ts";

/**
 * Stores an owner's limits for an agent. The caller holds the lane's lock.
 *
 * The peak of a new limit is measured from the next reading of the account. The peak of an existing limit is kept, and
 * so is a drawdown that reached it, unless the new limit is wider.
 */
export async function storeOwnerLimits(
  transaction: Db,
  agentId: AgentId,
  { before, after }: { readonly before: OwnerLimits; readonly after: OwnerLimits },
  atMs: number,
): Promise<void> {
  await on(transaction).change`
    update agents set owner_limits = ${JSON.stringify(after)}, updated_at = ${laterThanBefore(atMs)}
    where id = ${agentId}`;
  await changeLedger(transaction, agentId, atMs, (ledger) => ({
    ...ledger,
    lossSinceMs: null,
    own: {
      ...ledger.own,
      fallSinceMs: loosenedLimits(before, after).includes("fallBps")
        ? null
        : ledger.own.fallSinceMs,
      ...(before.fallBps === null ? { peak: null, peakSeenMs: atMs } : {}),
    },
  }));
}

/** Restarts the loss and drawdown measurement from now. The caller holds the lane's lock. */
export const storeResumed = (transaction: Db, agentId: AgentId, atMs: number): Promise<void> =>
  changeLedger(transaction, agentId, atMs, (ledger) => ({
    ...ledger,
    own: resumed(ledger.own, atMs),
  }));
