import { type Selectable, sql } from "kysely";
import type { Pool } from "pg";
import type { AgentId } from "../../../domain/ids.ts";
import {
  OPEN_ORDER_STATES,
  SENT_ORDER_STATES,
  statesBefore,
} from "../../../domain/order/order-states.ts";
import { EMPTY_RISK_LEDGER, type RiskLedger } from "../../../domain/risk-ledger.ts";
import type { Db } from "../postgres/db.ts";
import { toRiskLedger } from "../orders/risk-ledger-json.ts";
import type { FollowUp, HeldLane } from "../orders/change.ts";
import { applyChange } from "../orders/commit-change.ts";
import {
  on,
  type Statement,
  WITHOUT_WAITING,
  onOneConnection,
  sendTogether,
} from "../postgres/on.ts";
import { stateList } from "../orders/order-state-sql.ts";
import {
  AGENT_COLUMNS,
  type AgentJson,
  type AgentRecord,
  type Jsonb,
  toAgent,
} from "../agents/agents.ts";
import { type ExitRecord, toExitRecord } from "../orders/exits.ts";
import { type OpenOrder, type OpenOrderRow, toOpenOrder } from "../orders/orders.ts";
import { type FollowUpJson, LAST_FOLLOW_UP, toFollowUp } from "../orders/order-transactions.ts";
import { PLAN_COLUMN, type PlanJson, type PlanRow, toPlanRow } from "../orders/plan-positions.ts";
import type { ExitTable } from "../postgres/tables.ts";
import type { RestoredLane } from "./restored-lanes.ts";

/**
 * Leases use the database's clock, the only one all servers share. A crash may forget a claim, and nothing more: whatever
 * its holder stores is on disk only together with it. The fence is drawn, not counted, so that the next claim does not
 * get the number of a forgotten one.
 */
const CLAIM = `
update lanes
set fence = floor(random() * 9007199254740992), claimed_by = $2,
  claimed_until = clock_timestamp() + $3::double precision * interval '1 millisecond'
from (select ${WITHOUT_WAITING}) as quickly
where agent_id = $1
  and (claimed_until is null or claimed_until <= clock_timestamp() or claimed_by = $2)`;

/**
 * Claims an agent's lane for the length of a lease and returns its next work. Null while another worker holds it; a worker
 * that claims its own lane again goes on with a new number.
 *
 * The fencing number invalidates every earlier holder.
 */
export async function claimLane(
  pool: Pool,
  agentId: AgentId,
  worker: string,
  { leaseMs, nowMs }: { readonly leaseMs: number; readonly nowMs: number },
): Promise<LaneWork | null> {
  const claim = { name: "claim-lane", text: CLAIM, values: [agentId, worker, leaseMs] };
  const [claimed, work] = await onOneConnection(pool, (client) =>
    sendTogether(client, [claim, selectLaneWork(agentId, nowMs)]),
  );
  return claimed?.rowCount === 1 ? toLaneWork(work?.rows ?? [], nowMs) : null;
}

/** Extends the leases of the agents' lanes that a worker holds; one that is being written is left to the next time. */
export async function renewLanes(
  db: Db,
  agentIds: readonly AgentId[],
  worker: string,
  leaseMs: number,
): Promise<void> {
  if (agentIds.length === 0) return;
  await on(db).change`
    update lanes set claimed_until = clock_timestamp() + ${leaseMs}::double precision * interval '1 millisecond'
    from (select ${sql.raw(WITHOUT_WAITING)}) as quickly
    where agent_id in (select agent_id from lanes where agent_id = any(${agentIds}) and claimed_by = ${worker}
      and claimed_until > clock_timestamp() for update skip locked)`;
}

/** Releases a lane. A release that a crash forgets ends with its lease. */
export async function releaseLane(db: Db, { agentId, fence }: HeldLane): Promise<void> {
  await on(db).change`
    update lanes set claimed_by = null, claimed_until = null
    from (select ${sql.raw(WITHOUT_WAITING)}) as quickly
    where agent_id = ${agentId} and fence = ${fence}`;
}

/** Replaces an agent's risk figures. The caller holds the lane's lock. */
export async function changeLedger(
  transaction: Db,
  agentId: AgentId,
  atMs: number,
  change: (ledger: RiskLedger) => RiskLedger,
): Promise<void> {
  const { risk } = await on(transaction).only<{ risk: unknown }>`
    select risk from lanes where agent_id = ${agentId}`;
  const ledger = toRiskLedger(risk);
  // An agent that never traded and never failed has no figures to reset
  if (ledger.day === "" && ledger.consecutiveFailures === 0) return;
  await applyChange(transaction, agentId, { atMs, ledger: change(ledger), stale: [] });
}

/** Resets the consecutive-failure counter; called when auto-trade is turned on. */
export const clearFailures = (transaction: Db, agentId: AgentId, atMs: number): Promise<void> =>
  changeLedger(transaction, agentId, atMs, (ledger) => ({
    ...ledger,
    consecutiveFailures: EMPTY_RISK_LEDGER.consecutiveFailures,
    failingSinceMs: EMPTY_RISK_LEDGER.failingSinceMs,
  }));

/** An agent's data for the holder of its lane, with the next work. */
export interface LaneWork {
  /** As its present holder has it. */
  readonly lane: HeldLane;
  /** Stands as long as nobody but the holder changes what is read here. */
  readonly version: bigint;
  readonly askedAtMs: number;
  readonly agent: AgentRecord;
  readonly ledger: RiskLedger;
  /** Next order: a sent one first, then the opening leg of a reversal, then planned orders in sequence. */
  readonly order: OpenOrder | null;
  /** The open exit the order is an attempt of, otherwise the exit due next; null without any. */
  readonly exit: ExitRecord | null;
  /** The position that the agent's plan speaks of; null for none. */
  readonly plan: PlanRow | null;
  /** The last transaction for the order that rests. */
  readonly followUp: FollowUp | null;
  /** Null once what was traded after the backup is known, and in a database that was never restored. */
  readonly restored: RestoredLane | null;
}

/*
 * While an exit is open no other order of the agent is placed: planned orders wait, except the exit's own once it is
 * due.
 */
const LANE_WORK = `
select ${AGENT_COLUMNS}, lanes.fence, lanes.version, lanes.risk,
  lanes.restored_at, lanes.restored_height, open.*,
  to_jsonb(exit) as exit, ${PLAN_COLUMN}
from agents
join lanes on lanes.agent_id = agents.id
left join multisigs on multisigs.agent_id = agents.id
left join plan_positions on plan_positions.agent_id = agents.id
left join lateral (
  select id, agent_id, event_id, signal, leg, state, intent, resting, exit_id, portion, plan_act, planned_at,
    transaction, signature, last_valid_block_height, blockhash_slot, submitted_at,
    ${LAST_FOLLOW_UP} as follow_up
  from orders
  where orders.agent_id = agents.id and state in ${stateList(OPEN_ORDER_STATES)}
    and (state in ${stateList(SENT_ORDER_STATES)}
      or not exists (select from exits where agent_id = agents.id and exits.state = 'working')
      or exists (select from exits where exits.id = exit_id and exits.state = 'working'
        and next_attempt_at <= $2))
  order by state in ${stateList(statesBefore("submit"))}, exit_id is null, leg desc, seq
  limit 1
) as open on true
left join lateral (
  select * from exits
  where exits.agent_id = agents.id and exits.state = 'working'
    and (open.exit_id is null or exits.id = open.exit_id)
  order by next_attempt_at
  limit 1
) as exit on true
where agents.id = $1`;

interface WorkRow extends Omit<OpenOrderRow, "id">, AgentJson {
  readonly fence: string;
  readonly version: string;
  readonly risk: unknown;
  readonly restored_at: Date | null;
  readonly restored_height: string | null;
  readonly exit: Jsonb<Selectable<ExitTable>> | null;
  readonly plan: PlanJson | null;
  readonly follow_up: FollowUpJson | null;
  /** Null without an open order, as is every other column of it. */
  readonly id: string | null;
}

const selectLaneWork = (agentId: AgentId, nowMs: number): Statement => ({
  name: "lane-work",
  text: LANE_WORK,
  values: [agentId, new Date(nowMs)],
});

/** Returns an agent's next work, or null when the agent does not exist. */
export async function readLaneWork(
  pool: Pool,
  agentId: AgentId,
  nowMs: number,
): Promise<LaneWork | null> {
  return toLaneWork((await pool.query(selectLaneWork(agentId, nowMs))).rows, nowMs);
}

function toLaneWork(rows: readonly unknown[], askedAtMs: number): LaneWork | null {
  const [row] = rows as readonly WorkRow[];
  if (row === undefined) return null;
  const { id } = row;
  const agent = toAgent(row);
  return {
    lane: { agentId: agent.id, fence: BigInt(row.fence) },
    version: BigInt(row.version),
    askedAtMs,
    agent,
    ledger: toRiskLedger(row.risk),
    order: id === null ? null : toOpenOrder({ ...row, id }),
    exit: row.exit === null ? null : toExitRecord(withExitDates(row.exit)),
    plan: row.plan === null ? null : toPlanRow(row.plan),
    followUp: row.follow_up === null ? null : toFollowUp(row.follow_up),
    restored: row.restored_at === null ? null : toRestored(row.restored_at, row.restored_height),
  };
}

const toRestored = (at: Date, height: string | null): RestoredLane => ({
  atMs: at.getTime(),
  height: height === null ? null : BigInt(height),
});

const withExitDates = (row: Jsonb<Selectable<ExitTable>>): Selectable<ExitTable> => ({
  ...row,
  asked_at: new Date(row.asked_at),
  next_attempt_at: new Date(row.next_attempt_at),
  ended_at: row.ended_at === null ? null : new Date(row.ended_at),
});

/**
 * Ends the lane leases of a worker that is known to be dead, so that they need not expire; every worker's without a
 * name, which is only safe when no other server uses this database.
 */
export async function endAllLaneLeases(db: Db, worker?: string): Promise<void> {
  await on(db).change`
    update lanes set claimed_by = null, claimed_until = null
    where claimed_by = coalesce(${worker ?? null}, claimed_by)`;
}
