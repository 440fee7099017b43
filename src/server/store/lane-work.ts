import type { Pool } from "pg";
import type { Selectable } from "kysely";
import { OPEN_ORDER_STATES } from "../../domain/order/order-states.ts";
import { EMPTY_RISK_LEDGER, type RiskLedger } from "../../domain/risk-ledger.ts";
import { type AgentRecord, toAgentRecord } from "./agents.ts";
import { stateList } from "./order-state-sql.ts";
import { type OpenOrder, type OpenOrderRow, toOpenOrder } from "./orders.ts";
import type { AgentTable, MultisigTable } from "./schema.ts";
import type { Statement } from "./statement.ts";

/** What the holder of a lane has to know of its agent, and what it has to do next. */
export interface LaneWork {
  readonly agent: AgentRecord;
  readonly ledger: RiskLedger;
  /** First whatever was sent, then the opening half of a reversal, then the orders in the order they were planned. */
  readonly order: OpenOrder | null;
}

const LANE_WORK = `
select to_jsonb(agents) as agent, to_jsonb(multisigs) as multisig, lanes.risk, open.*
from agents
join lanes on lanes.agent_id = agents.id
left join multisigs on multisigs.agent_id = agents.id
left join lateral (
  select id, agent_id, event_id, signal, leg, state, intent, planned_at, transaction, signature,
    last_valid_block_height, blockhash_slot, submitted_at
  from orders where orders.agent_id = agents.id and state in ${stateList(OPEN_ORDER_STATES)}
  order by state = 'planned', leg desc, seq
  limit 1
) as open on true
where agents.id = $1`;

/** Times inside are text: they went through JSON. */
type Jsonb<T> = { readonly [K in keyof T]: Extract<T[K], Date> extends never ? T[K] : string };

interface WorkRow extends Omit<OpenOrderRow, "id"> {
  readonly agent: Selectable<AgentTable>;
  readonly multisig: Jsonb<Selectable<MultisigTable>> | null;
  readonly risk: unknown;
  /** Null without an open order, and then every column of it. */
  readonly id: string | null;
}

export const selectLaneWork = (agentId: string): Statement => ({
  name: "lane-work",
  text: LANE_WORK,
  values: [agentId],
});

/** Null without such an agent. */
export async function readLaneWork(pool: Pool, agentId: string): Promise<LaneWork | null> {
  return toLaneWork((await pool.query(selectLaneWork(agentId))).rows);
}

export function toLaneWork(rows: readonly unknown[]): LaneWork | null {
  const [row] = rows as readonly WorkRow[];
  if (row === undefined) return null;
  const { id } = row;
  return {
    agent: toAgentRecord(row.agent, row.multisig === null ? undefined : withDates(row.multisig)),
    ledger: toRiskLedger(row.risk),
    order: id === null ? null : toOpenOrder({ ...row, id }),
  };
}

const withDates = (row: Jsonb<Selectable<MultisigTable>>): Selectable<MultisigTable> => ({
  ...row,
  created_at: new Date(row.created_at),
  last_used_at: row.last_used_at === null ? null : new Date(row.last_used_at),
  key_revoked_at: row.key_revoked_at === null ? null : new Date(row.key_revoked_at),
});

function toRiskLedger(risk: unknown): RiskLedger {
  const stored = risk as Partial<Record<keyof RiskLedger, string | number>>;
  if (stored.day === undefined) return EMPTY_RISK_LEDGER;
  return {
    consecutiveFailures: Number(stored.consecutiveFailures ?? 0),
    day: String(stored.day),
    realizedAtDayStart: BigInt(stored.realizedAtDayStart ?? 0),
    portfolioAtDayStart: BigInt(stored.portfolioAtDayStart ?? 0),
  };
}

/** What `risk` holds: JSON numbers cannot carry a u64, so amounts are text. */
export const toRiskJson = (ledger: RiskLedger): string =>
  JSON.stringify({
    consecutiveFailures: ledger.consecutiveFailures,
    day: ledger.day,
    realizedAtDayStart: ledger.realizedAtDayStart.toString(),
    portfolioAtDayStart: ledger.portfolioAtDayStart.toString(),
  });
