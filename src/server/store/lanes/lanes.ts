import { sql } from "kysely";
import type { Pool } from "pg";
import type { AgentId } from "../../../domain/ids.ts";
import { OPEN_ORDER_STATES } from "../../../domain/order/order-states.ts";
import { EMPTY_RISK_LEDGER, type RiskLedger } from "../../../domain/risk-ledger.ts";
import type { Db } from "../postgres/db.ts";
import { toRiskJson } from "../orders/risk-ledger-json.ts";
import { type LaneWork, selectLaneWork, toLaneWork } from "./lane-work.ts";
import type { HeldLane } from "../orders/held-lane.ts";
import { onOneConnection, sendTogether, WITHOUT_WAITING } from "../postgres/statement.ts";
import { stateList } from "../orders/order-state-sql.ts";

/** Leases use the database's clock, the only one all servers share. */
const CLAIM = `
update lanes
set fence = fence + 1, claimed_by = $2,
  claimed_until = clock_timestamp() + $3::double precision * interval '1 millisecond'
where agent_id = $1 and (claimed_until is null or claimed_until <= clock_timestamp())
returning fence`;

/**
 * Releases a lane without work; a stopping agent's lane and one with an open exit still have positions to check. A
 * release that a crash forgets ends with its lease; a claim is never forgotten, or its fence would be given twice.
 */
const LEAVE_IF_EMPTY = `
update lanes set claimed_by = null, claimed_until = null
from (select ${WITHOUT_WAITING}) as quickly
where agent_id = $1 and fence = $2
  and not exists (
    select from orders where agent_id = $1 and state in ${stateList(OPEN_ORDER_STATES)})
  and not exists (select from agents where id = $1 and auto_trade = 'stopping')
  and not exists (select from exits where agent_id = $1 and state = 'working')`;

/**
 * Claims an agent's lane for the length of a lease, with its next work. Null while another worker holds it.
 *
 * The returned fencing number invalidates every earlier holder.
 */
export async function claimLane(
  pool: Pool,
  agentId: AgentId,
  worker: string,
  { leaseMs, nowMs }: { readonly leaseMs: number; readonly nowMs: number },
): Promise<{ readonly lane: HeldLane; readonly work: LaneWork | null } | null> {
  const claim = { name: "claim-lane", text: CLAIM, values: [agentId, worker, leaseMs] };
  const [claimed, work] = await onOneConnection(pool, (client) =>
    sendTogether(client, [claim, selectLaneWork(agentId, nowMs)]),
  );
  const [row] = (claimed?.rows ?? []) as { fence: string }[];
  if (row === undefined) return null;
  return { lane: { agentId, fence: BigInt(row.fence) }, work: toLaneWork(work?.rows ?? []) };
}

/** Extends the lease. Returns false when it has expired: another worker may then hold the lane. */
export async function renewLane(
  db: Db,
  { agentId, fence }: HeldLane,
  leaseMs: number,
): Promise<boolean> {
  const until = sql<Date>`clock_timestamp() + ${leaseMs}::double precision * interval '1 millisecond'`;
  const renewed = await db
    .updateTable("lanes")
    .set({ claimed_until: until })
    .where("agent_id", "=", agentId)
    .where("fence", "=", fence.toString())
    .where("claimed_until", ">", sql<Date>`clock_timestamp()`)
    .executeTakeFirst();
  return renewed.numUpdatedRows === 1n;
}

export async function releaseLane(db: Db, { agentId, fence }: HeldLane): Promise<void> {
  await db
    .updateTable("lanes")
    .set({ claimed_by: null, claimed_until: null })
    .where("agent_id", "=", agentId)
    .where("fence", "=", fence.toString())
    .execute();
}

/** Releases a lane unless it has work. Returns whether it did. */
export async function releaseIfIdle(pool: Pool, { agentId, fence }: HeldLane): Promise<boolean> {
  const left = await pool.query({
    name: "leave-lane",
    text: LEAVE_IF_EMPTY,
    values: [agentId, fence.toString()],
  });
  return left.rowCount === 1;
}

/** Returns the slot the agent's newest order landed in; 0 before the first. */
export async function readLandedSlot(db: Db, agentId: AgentId): Promise<bigint> {
  const row = await db
    .selectFrom("lanes")
    .select("landed_slot")
    .where("agent_id", "=", agentId)
    .executeTakeFirst();
  return BigInt(row?.landed_slot ?? 0);
}

/** Stores an agent's daily risk figures. The caller holds the lane's lock. */
export async function storeLedger(
  transaction: Db,
  agentId: AgentId,
  ledger: RiskLedger,
): Promise<void> {
  await transaction
    .updateTable("lanes")
    .set({ risk: toRiskJson(ledger) })
    .where("agent_id", "=", agentId)
    .execute();
}

/** Resets the consecutive-failure counter; called when auto-trade is turned on. */
export async function clearFailures(transaction: Db, agentId: AgentId): Promise<void> {
  const { consecutiveFailures, failingSinceMs } = EMPTY_RISK_LEDGER;
  const change = JSON.stringify({
    consecutiveFailures,
    failingSinceMs,
  } satisfies Partial<RiskLedger>);
  await transaction
    .updateTable("lanes")
    .set({ risk: sql`risk || ${change}::jsonb` })
    .where("agent_id", "=", agentId)
    .execute();
}
