import { sql } from "kysely";
import { EMPTY_RISK_LEDGER, type RiskLedger } from "../../domain/risk-ledger.ts";
import type { Db } from "./db.ts";

/**
 * Takes an agent's lane for a while and returns the number that fences off every earlier holder. Null while somebody
 * else holds it.
 *
 * Leases run by the database's clock: the only one all servers share.
 */
export async function claimLane(
  db: Db,
  agentId: string,
  worker: string,
  leaseMs: number,
): Promise<bigint | null> {
  const claimed = await sql<{ fence: string }>`
    update lanes
    set fence = fence + 1, claimed_by = ${worker}, claimed_until = ${leaseEnd(leaseMs)}
    where agent_id = ${agentId} and (claimed_until is null or claimed_until <= clock_timestamp())
    returning fence
  `.execute(db);
  const [row] = claimed.rows;
  return row === undefined ? null : BigInt(row.fence);
}

const leaseEnd = (leaseMs: number) =>
  sql<Date>`clock_timestamp() + ${leaseMs}::double precision * interval '1 millisecond'`;

/** Holds the lane for longer. False when the lease has run out: then somebody else may have it. */
export async function renewLane(
  db: Db,
  agentId: string,
  fence: bigint,
  leaseMs: number,
): Promise<boolean> {
  const renewed = await db
    .updateTable("lanes")
    .set({ claimed_until: leaseEnd(leaseMs) })
    .where("agent_id", "=", agentId)
    .where("fence", "=", fence.toString())
    .where("claimed_until", ">", sql<Date>`clock_timestamp()`)
    .executeTakeFirst();
  return renewed.numUpdatedRows === 1n;
}

export async function releaseLane(db: Db, agentId: string, fence: bigint): Promise<void> {
  await db
    .updateTable("lanes")
    .set({ claimed_by: null, claimed_until: null })
    .where("agent_id", "=", agentId)
    .where("fence", "=", fence.toString())
    .execute();
}

/** Locks a lane until the transaction ends. False when the fence is no longer the lane's: then nothing may be done. */
export async function lockFencedLane(
  transaction: Db,
  agentId: string,
  fence: bigint,
): Promise<boolean> {
  const row = await transaction
    .selectFrom("lanes")
    .select("fence")
    .where("agent_id", "=", agentId)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined && BigInt(row.fence) === fence;
}

export async function readRiskLedger(db: Db, agentId: string): Promise<RiskLedger> {
  const row = await db
    .selectFrom("lanes")
    .select("risk")
    .where("agent_id", "=", agentId)
    .executeTakeFirst();
  const stored = row?.risk as Partial<Record<keyof RiskLedger, string | number>> | undefined;
  if (stored?.day === undefined) return EMPTY_RISK_LEDGER;
  return {
    consecutiveFailures: Number(stored.consecutiveFailures),
    day: String(stored.day),
    realizedAtDayStart: BigInt(stored.realizedAtDayStart ?? 0),
    portfolioAtDayStart: BigInt(stored.portfolioAtDayStart ?? 0),
  };
}

export async function writeRiskLedger(db: Db, agentId: string, ledger: RiskLedger): Promise<void> {
  await db
    .updateTable("lanes")
    .set({
      risk: JSON.stringify({
        consecutiveFailures: ledger.consecutiveFailures,
        day: ledger.day,
        realizedAtDayStart: ledger.realizedAtDayStart.toString(),
        portfolioAtDayStart: ledger.portfolioAtDayStart.toString(),
      }),
    })
    .where("agent_id", "=", agentId)
    .execute();
}
