import type { Pool } from "pg";
import type { Selectable } from "kysely";
import { type AgentId, type OrderId, parseAgentId } from "../../../domain/ids.ts";
import type { ExitAsker } from "../../../domain/exit.ts";
import { stateAfter, statesBefore } from "../../../domain/order/order-states.ts";
import type { Side } from "../../../domain/position.ts";
import type { Db } from "../postgres/db.ts";
import { decisionValues, INSERT_DECISION, type NewDecision } from "./decisions.ts";
import type { HeldLane } from "./held-lane.ts";
import { stateList, stateLiteral } from "./order-state-sql.ts";
import type { ExitTable } from "../schema/order-tables.ts";

/** An exit: a requested close of a position that is not yet known to be closed. */
export interface ExitRecord {
  readonly id: string;
  readonly agentId: AgentId;
  readonly marketId: string;
  /** Side of the position. */
  readonly side: Side;
  readonly askedBy: ExitAsker;
  readonly askedAtMs: number;
  /** Number of sent orders that left part of the position open. */
  readonly attempts: number;
  /** Consecutive attempts since then that could not be sent. */
  readonly waits: number;
  readonly nextAttemptAtMs: number;
  readonly lastReason: string | null;
  /** Slippage limit of its next order in basis points. */
  readonly limitBps: number;
}

export const toExitRecord = (row: Selectable<ExitTable>): ExitRecord => ({
  id: row.id,
  agentId: parseAgentId(row.agent_id),
  marketId: row.market_id,
  side: row.side,
  askedBy: row.asked_by,
  askedAtMs: row.asked_at.getTime(),
  attempts: row.attempts,
  waits: row.waits,
  nextAttemptAtMs: row.next_attempt_at.getTime(),
  lastReason: row.last_reason,
  limitBps: row.limit_bps,
});

/** Returns the open exits of these agents. */
export async function listExits(db: Db, agentIds: readonly AgentId[]): Promise<ExitRecord[]> {
  if (agentIds.length === 0) return [];
  const rows = await db
    .selectFrom("exits")
    .selectAll()
    .where("agent_id", "in", agentIds)
    .where("state", "=", "working")
    .orderBy("asked_at")
    .execute();
  return rows.map(toExitRecord);
}

/** Data to write an exit; `id` is used when the market has no exit yet. */
export type ExitUpdate = Omit<ExitRecord, "agentId" | "attempts" | "waits">;

const DEFER = `
with waiting as (
  select orders.id from orders join lanes using (agent_id)
  where orders.id = $3 and agent_id = $1 and fence = $2
    and state in ${stateList(statesBefore("submit"))}
  for update of lanes
), kept as (
  insert into exits (id, agent_id, market_id, side, asked_by, asked_at, state, next_attempt_at,
    last_reason, limit_bps, attempts, waits)
  select $4, $1, $5, $6, $7, $8, 'working', $9, $10, $11, $12, $13 from waiting
  on conflict (agent_id, market_id) where state = 'working'
  do update set attempts = excluded.attempts, waits = excluded.waits, side = excluded.side,
    next_attempt_at = excluded.next_attempt_at, last_reason = excluded.last_reason,
    limit_bps = excluded.limit_bps
  returning id
), logged as (
  update trade_log set reason = $10 where order_id = $3 and exists (select from kept)
), decided as (
  ${INSERT_DECISION(14, "orders where id in (select id from waiting) and exists (select from kept)")}
)
update orders set exit_id = kept.id from kept where orders.id = $3 returning orders.id`;

/**
 * Records that a planned close could not be sent and when it is retried. Returns false when another worker holds the
 * lane.
 */
export async function deferExit(
  pool: Pool,
  { agentId, fence }: HeldLane,
  orderId: OrderId,
  exit: Omit<ExitRecord, "agentId">,
  decision: NewDecision,
): Promise<boolean> {
  const deferred = await pool.query({
    name: "defer-exit",
    text: DEFER,
    values: [
      agentId,
      fence.toString(),
      orderId,
      exit.id,
      exit.marketId,
      exit.side,
      exit.askedBy,
      new Date(exit.askedAtMs),
      new Date(exit.nextAttemptAtMs),
      exit.lastReason,
      exit.limitBps,
      exit.attempts,
      exit.waits,
      ...decisionValues(decision),
    ],
  });
  return deferred.rowCount === 1;
}

const POSTPONE = `
update exits set waits = waits + 1, next_attempt_at = $4, last_reason = $5
where id = $3 and state = 'working'
  and exists (select from lanes where lanes.agent_id = $1 and fence = $2)`;

/** Records that the position could not be read and when that is retried. */
export async function postponeExit(
  pool: Pool,
  { agentId, fence }: HeldLane,
  exit: Pick<ExitRecord, "id" | "nextAttemptAtMs" | "lastReason">,
): Promise<void> {
  await pool.query({
    name: "postpone-exit",
    text: POSTPONE,
    values: [agentId, fence.toString(), exit.id, new Date(exit.nextAttemptAtMs), exit.lastReason],
  });
}

/** Inserts exits for positions without one. The caller holds the lane's lock. */
export async function insertExits(
  transaction: Db,
  agentId: AgentId,
  exits: readonly ExitUpdate[],
): Promise<void> {
  await transaction
    .insertInto("exits")
    .values(
      exits.map((exit) => ({
        id: exit.id,
        agent_id: agentId,
        market_id: exit.marketId,
        side: exit.side,
        asked_by: exit.askedBy,
        asked_at: new Date(exit.askedAtMs),
        state: "working" as const,
        next_attempt_at: new Date(exit.nextAttemptAtMs),
        last_reason: exit.lastReason,
        limit_bps: exit.limitBps,
        ended_at: null,
      })),
    )
    .execute();
}

/** Ends open exits. The caller holds the lane's lock. */
export async function endExits(
  transaction: Db,
  agentId: AgentId,
  state: "done" | "ended_by_owner",
  atMs: number,
  exitId?: string,
): Promise<number> {
  const ended = await transaction
    .updateTable("exits")
    .set({ state, ended_at: new Date(atMs) })
    .where("agent_id", "=", agentId)
    .where("state", "=", "working")
    .$if(exitId !== undefined, (query) => query.where("id", "=", exitId ?? ""))
    .executeTakeFirst();
  return Number(ended.numUpdatedRows);
}

/** Ends the open exits of an agent that were asked for before a time. */
export async function endExitsBefore(
  transaction: Db,
  agentId: AgentId,
  beforeMs: number,
  atMs: number,
): Promise<void> {
  await transaction
    .updateTable("exits")
    .set({ state: "done", ended_at: new Date(atMs) })
    .where("agent_id", "=", agentId)
    .where("state", "=", "working")
    .where("asked_at", "<", new Date(beforeMs))
    .execute();
}

const DENY_BEHIND_EXIT = `
with joined as (
  update orders set state = ${stateLiteral(stateAfter("deny"))}, reason = 'joined_exit', settled_at = $2
  from exits
  where orders.agent_id = $1 and orders.state in ${stateList(statesBefore("deny"))} and exit_id is null
    and exits.agent_id = $1 and exits.state = 'working'
    and signal = 'CLOSE_' || upper(exits.side)
    and not exists (
      select from orders as entry where entry.agent_id = $1 and entry.signal like 'OPEN_%'
        and entry.state in ${stateList(statesBefore("deny"))} and entry.seq < orders.seq)
  returning orders.id
), late as (
  update orders set state = ${stateLiteral(stateAfter("deny"))}, reason = 'signal_expired', settled_at = $2
  where agent_id = $1 and state in ${stateList(statesBefore("deny"))} and exit_id is null
    and signal like 'OPEN_%' and planned_at < $3
    and exists (select from exits where exits.agent_id = $1 and exits.state = 'working')
  returning id
)
update trade_log set status = 'failed', at = $2,
  reason = case when order_id in (select id from late) then 'signal_expired' else 'joined_exit' end
where order_id in (select id from joined union select id from late)`;

/**
 * Denies orders queued behind an open exit: closes of the same position are merged into it, unless an entry is queued
 * between them, and entries older than `freshSinceMs` are too late. Returns whether there were any.
 */
export async function denyBehindExit(
  pool: Pool,
  agentId: AgentId,
  atMs: number,
  freshSinceMs: number,
): Promise<boolean> {
  const denied = await pool.query({
    name: "deny-behind-exit",
    text: DENY_BEHIND_EXIT,
    values: [agentId, new Date(atMs), new Date(freshSinceMs)],
  });
  return (denied.rowCount ?? 0) > 0;
}
