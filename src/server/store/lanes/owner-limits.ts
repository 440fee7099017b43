import { loosenedLimits, type OwnerLimits } from "../../../domain/owner-limits.ts";
import { resumed } from "../../../domain/owner-history.ts";
import type { RiskLedger } from "../../../domain/risk-ledger.ts";
import { laterThanBefore } from "../agents/agents.ts";
import type { Db } from "../postgres/db.ts";
import { toRiskLedger } from "../orders/risk-ledger-json.ts";
import { storeLedger } from "./lanes.ts";

/**
 * Writes what an owner allows an agent. Called with the lane locked.
 *
 * The peak of a new limit is measured from now on; of one that was there before it stays, and so does
 * a fall that reached it, unless the limit is wider now.
 */
export async function storeOwnerLimits(
  transaction: Db,
  agentId: string,
  { before, after }: { readonly before: OwnerLimits; readonly after: OwnerLimits },
  atMs: number,
): Promise<void> {
  await transaction
    .updateTable("agents")
    .set({ owner_limits: JSON.stringify(after), updated_at: laterThanBefore(atMs) })
    .where("id", "=", agentId)
    .execute();
  await changeLedger(transaction, agentId, (ledger) => ({
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

/** Counts losses and the fall from the peak from now on. Called with the lane locked. */
export const storeResumed = (transaction: Db, agentId: string, atMs: number): Promise<void> =>
  changeLedger(transaction, agentId, (ledger) => ({ ...ledger, own: resumed(ledger.own, atMs) }));

async function changeLedger(
  transaction: Db,
  agentId: string,
  change: (ledger: RiskLedger) => RiskLedger,
): Promise<void> {
  const row = await transaction
    .selectFrom("lanes")
    .select("risk")
    .where("agent_id", "=", agentId)
    .executeTakeFirstOrThrow();
  const ledger = toRiskLedger(row.risk);
  // Of an agent that never traded there is nothing to change
  if (ledger.day !== "") await storeLedger(transaction, agentId, change(ledger));
}
