import type { AgentId } from "../../../domain/ids.ts";
import { loosenedLimits, type OwnerLimits } from "../../../domain/owner-limits.ts";
import { resumed } from "../../../domain/owner-history.ts";
import type { RiskLedger } from "../../../domain/risk-ledger.ts";
import { laterThanBefore } from "../agents/agents.ts";
import type { Db } from "../postgres/db.ts";
import { toRiskLedger } from "../orders/risk-ledger-json.ts";
import { storeLedger } from "./lanes.ts";

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

/** Restarts the loss and drawdown measurement from now. The caller holds the lane's lock. */
export const storeResumed = (transaction: Db, agentId: AgentId, atMs: number): Promise<void> =>
  changeLedger(transaction, agentId, (ledger) => ({ ...ledger, own: resumed(ledger.own, atMs) }));

async function changeLedger(
  transaction: Db,
  agentId: AgentId,
  change: (ledger: RiskLedger) => RiskLedger,
): Promise<void> {
  const row = await transaction
    .selectFrom("lanes")
    .select("risk")
    .where("agent_id", "=", agentId)
    .executeTakeFirstOrThrow();
  const ledger = toRiskLedger(row.risk);
  // An agent that never traded has no figures to reset
  if (ledger.day !== "") await storeLedger(transaction, agentId, change(ledger));
}
