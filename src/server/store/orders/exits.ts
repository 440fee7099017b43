import type { Selectable } from "kysely";
import { type AgentId, parseAgentId } from "../../../domain/ids.ts";
import { statesBefore } from "../../../domain/order/order-states.ts";
import type { ExitAsker, ExitPart } from "../../../domain/exit.ts";
import type { PlanEnd } from "../../../domain/plan/plan.ts";
import type { Side } from "../../../domain/position.ts";
import type { Db } from "../postgres/db.ts";
import { on, toJson } from "../postgres/on.ts";
import type { ExitTable } from "../postgres/tables.ts";

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
  /** Null for the whole position. */
  readonly part: ExitPart | null;
  /** What of the position's plan asked for it; null for everything else. */
  readonly planEnd: PlanEnd | null;
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
  part: toExitPart(row.part),
  planEnd: row.plan_end,
});

/** Returns the value of the `part` column. */
export const toPartJson = (part: ExitPart | null): string | null =>
  part === null ? null : toJson(part);

function toExitPart(stored: unknown): ExitPart | null {
  const part = stored as {
    portion: number;
    goal: Readonly<Record<"left" | "keep", string>> | null;
  } | null;
  if (part === null) return null;
  const { portion, goal } = part;
  return {
    portion,
    goal: goal === null ? null : { left: BigInt(goal.left), keep: BigInt(goal.keep) },
  };
}

/** Returns the open exits of these agents. */
export async function listExits(db: Db, agentIds: readonly AgentId[]): Promise<ExitRecord[]> {
  if (agentIds.length === 0) return [];
  const rows = await on(db).rows<Selectable<ExitTable>>`
    select * from exits where agent_id = any(${agentIds}) and state = 'working' order by asked_at`;
  return rows.map(toExitRecord);
}

/** Returns whether an owner's request has already begun an exit of the agent. */
export async function wasExitRequested(
  db: Db,
  agentId: AgentId,
  requestId: string,
): Promise<boolean> {
  const rows = await on(db).rows`
    select from exits where agent_id = ${agentId} and request_id = ${requestId}`;
  return rows.length > 0;
}

/** Makes an open exit one of the whole position, on the owner's request. */
export async function joinExit(db: Db, exitId: string, requestId: string): Promise<void> {
  await on(db).rows`
    update exits set part = null, request_id = coalesce(request_id, ${requestId})
    where id = ${exitId} and state = 'working'`;
}

/** Makes an open exit of a part one of the whole position, because the plan asks for it. */
export async function widenExit(transaction: Db, exitId: string, planEnd: PlanEnd): Promise<void> {
  await on(transaction).change`
    update orders set plan_act = ${planEnd}
    where exit_id = ${exitId} and state = any(${statesBefore("submit")})`;
  await on(transaction).change`
    update exits set part = null, plan_end = ${planEnd} where id = ${exitId} and state = 'working'`;
}
