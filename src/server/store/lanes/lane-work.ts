import type { Pool } from "pg";
import type { Selectable } from "kysely";
import type { AgentId } from "../../../domain/ids.ts";
import {
  OPEN_ORDER_STATES,
  SENT_ORDER_STATES,
  statesBefore,
} from "../../../domain/order/order-states.ts";
import type { RiskLedger } from "../../../domain/risk-ledger.ts";
import {
  AGENT_COLUMNS,
  type AgentJson,
  type Jsonb,
  toAgent,
  type AgentRecord,
} from "../agents/agents.ts";
import { type ExitRecord, toExitRecord } from "../orders/exits.ts";
import { stateList } from "../orders/order-state-sql.ts";
import { toRiskLedger } from "../orders/risk-ledger-json.ts";
import { type OpenOrder, type OpenOrderRow, toOpenOrder } from "../orders/orders.ts";
import type { ExitTable } from "../schema/order-tables.ts";
import type { Statement } from "../postgres/statement.ts";
import type { RestoredLane } from "./restored-lanes.ts";

/** An agent's data for the holder of its lane, with the next work. */
export interface LaneWork {
  readonly agent: AgentRecord;
  readonly ledger: RiskLedger;
  /** Next order: a sent one first, then the opening leg of a reversal, then planned orders in sequence. */
  readonly order: OpenOrder | null;
  /** The open exit the order is an attempt of, otherwise the exit due next; null without any. */
  readonly exit: ExitRecord | null;
  /** Null once what was traded after the backup is known, and in a database that was never restored. */
  readonly restored: RestoredLane | null;
}

/*
 * While an exit is open no other order of the agent is placed: planned orders wait, except the exit's own once it is
 * due.
 */
const LANE_WORK = `
select ${AGENT_COLUMNS}, lanes.risk,
  lanes.restored_at, lanes.restored_height, open.*,
  to_jsonb(exit) as exit
from agents
join lanes on lanes.agent_id = agents.id
left join multisigs on multisigs.agent_id = agents.id
left join lateral (
  select id, agent_id, event_id, signal, leg, state, intent, resting, exit_id, planned_at,
    transaction, signature, last_valid_block_height, blockhash_slot, submitted_at
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
  readonly risk: unknown;
  readonly restored_at: Date | null;
  readonly restored_height: string | null;
  readonly exit: Jsonb<Selectable<ExitTable>> | null;
  /** Null without an open order, as is every other column of it. */
  readonly id: string | null;
}

export const selectLaneWork = (agentId: AgentId, nowMs: number): Statement => ({
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
  return toLaneWork((await pool.query(selectLaneWork(agentId, nowMs))).rows);
}

export function toLaneWork(rows: readonly unknown[]): LaneWork | null {
  const [row] = rows as readonly WorkRow[];
  if (row === undefined) return null;
  const { id } = row;
  return {
    agent: toAgent(row),
    ledger: toRiskLedger(row.risk),
    order: id === null ? null : toOpenOrder({ ...row, id }),
    exit: row.exit === null ? null : toExitRecord(withExitDates(row.exit)),
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
