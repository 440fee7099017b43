import { sql } from "kysely";
import type { Pool } from "pg";
import { OPEN_ORDER_STATES } from "../../../domain/order/order-states.ts";
import { EMPTY_RISK_LEDGER, type RiskLedger } from "../../../domain/risk-ledger.ts";
import type { Db } from "../postgres/db.ts";
import { toRiskJson } from "../orders/risk-ledger-json.ts";
import { type LaneWork, selectLaneWork, toLaneWork } from "./lane-work.ts";
import type { HeldLane } from "../orders/held-lane.ts";
import { onOneConnection } from "../postgres/one-connection.ts";
import { stateList } from "../orders/order-state-sql.ts";
import { sendTogether } from "../postgres/send-together.ts";

/** Leases run by the database's clock: the only one all servers share. */
const CLAIM = `
update lanes
set fence = fence + 1, claimed_by = $2,
  claimed_until = clock_timestamp() + $3::double precision * interval '1 millisecond'
where agent_id = $1 and (claimed_until is null or claimed_until <= clock_timestamp())
returning fence`;

/** A lane with nothing to do; a stopping agent's and one with an exit in work still have to see to positions. */
const LEAVE_IF_EMPTY = `
update lanes set claimed_by = null, claimed_until = null
where agent_id = $1 and fence = $2
  and not exists (
    select from orders where agent_id = $1 and state in ${stateList(OPEN_ORDER_STATES)})
  and not exists (select from agents where id = $1 and auto_trade = 'stopping')
  and not exists (select from exits where agent_id = $1 and state = 'working')`;

/**
 * Takes an agent's lane for a while, with what there is to do. Null while somebody else holds it.
 *
 * The fence it comes with shuts out every earlier holder.
 */
export async function claimLane(
  pool: Pool,
  agentId: string,
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

/** Holds the lane for longer. False when the lease has run out: then somebody else may have it. */
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

/** Releases a lane unless there is more to do. Says whether it did. */
export async function leaveIfEmpty(pool: Pool, { agentId, fence }: HeldLane): Promise<boolean> {
  const left = await pool.query({
    name: "leave-lane",
    text: LEAVE_IF_EMPTY,
    values: [agentId, fence.toString()],
  });
  return left.rowCount === 1;
}

/** Locks a lane until the transaction ends. False when the fence is no longer the lane's: then nothing may be done. */
export async function lockFencedLane(
  transaction: Db,
  { agentId, fence }: HeldLane,
): Promise<boolean> {
  const row = await transaction
    .selectFrom("lanes")
    .select("fence")
    .where("agent_id", "=", agentId)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined && BigInt(row.fence) === fence;
}

/** Reads the slot the agent's newest order landed in; 0 before the first. */
export async function readLandedSlot(db: Db, agentId: string): Promise<bigint> {
  const row = await db
    .selectFrom("lanes")
    .select("landed_slot")
    .where("agent_id", "=", agentId)
    .executeTakeFirst();
  return BigInt(row?.landed_slot ?? 0);
}

/** Stores what was learned of an agent's day. Called with the lane locked. */
export async function storeLedger(
  transaction: Db,
  agentId: string,
  ledger: RiskLedger,
): Promise<void> {
  await transaction
    .updateTable("lanes")
    .set({ risk: toRiskJson(ledger) })
    .where("agent_id", "=", agentId)
    .execute();
}

/** Resets the counter of failed orders in a row; called when auto-trade is turned on. */
export async function clearFailures(transaction: Db, agentId: string): Promise<void> {
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
