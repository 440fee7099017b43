import type { Pool } from "pg";
import type { OrderState } from "../../src/domain/order/order-states.ts";

export interface EventRow {
  readonly id: string;
  readonly agent: string;
  /** Key of the firing the event belongs to; null when it belongs to none. */
  readonly key: string | null;
  readonly name: string;
  readonly outcome: string;
  readonly reason: string | null;
}

export interface OrderRow {
  readonly id: string;
  readonly agent: string;
  readonly event: string | null;
  readonly signal: string;
  readonly leg: number;
  readonly state: OrderState;
  readonly reason: string | null;
  readonly signature: string | null;
  readonly exit: string | null;
  /** Null before it was decided. */
  readonly reduces: boolean | null;
}

export interface LogRow {
  readonly agent: string;
  readonly order: string | null;
  readonly event: string | null;
  readonly signal: string;
  readonly status: "pending" | "success" | "failed";
  readonly side: string;
  readonly base: number;
  readonly signature: string | null;
  readonly isOwners: boolean;
}

/** All stored rows of a world in the order written, without times and sequence numbers. */
export interface Rows {
  readonly agents: readonly { readonly id: string; readonly autoTrade: string }[];
  readonly events: readonly EventRow[];
  readonly orders: readonly OrderRow[];
  readonly log: readonly LogRow[];
  readonly counters: readonly {
    readonly rule: string;
    readonly alert: string;
    readonly count: number;
  }[];
  readonly fills: readonly {
    readonly order: string;
    readonly signature: string;
    readonly base: number;
  }[];
  readonly exits: readonly {
    readonly id: string;
    readonly agent: string;
    readonly side: string;
    readonly state: string;
  }[];
  readonly followUps: readonly { readonly order: string; readonly signature: string }[];
}

const hex = (column: string) => `encode(uuid_send(${column}), 'hex')`;

const list = (name: string, select: string, orderBy: string) =>
  `'${name}', (select coalesce(json_agg(row_to_json(each)), '[]') from (${select} order by ${orderBy}) each)`;

const READ = `select json_build_object(
  ${list("agents", `select id, auto_trade as "autoTrade" from agents`, "id")},
  ${list("events", `select ${hex("id")} as id, ${hex("agent_id")} as agent, case when outcome in ('accepted', 'ignored') then alert_name || fired_at end as key, alert_name as name, outcome, reason from alert_events`, "seq")},
  ${list("orders", `select id, agent_id as agent, ${hex("event_id")} as event, signal, leg, state, reason, signature, exit_id as exit, (intent->>'reduceOnly')::boolean as reduces from orders`, "seq")},
  ${list("log", `select agent_id as agent, order_id as order, ${hex("event_id")} as event, signal, status, side, base_size as base, signature, by_owner as "isOwners" from trade_log`, "seq")},
  ${list("counters", "select rule_id as rule, name_key as alert, count from rule_conditions join alerts on alerts.id = alert_id", "rule_id, name_key")},
  ${list("fills", "select order_id as order, signature, base_size as base from order_fills", "order_id, signature, n")},
  ${list("exits", "select id, agent_id as agent, side, state from exits", "id")},
  ${list("followUps", "select order_id as order, signature from order_transactions", "seq")}
) as rows`;

/** Reads them in one statement, so at one moment. */
export async function readRows(pool: Pool): Promise<Rows> {
  const { rows } = await pool.query<{ rows: Rows }>({ name: "seeded-world-rows", text: READ });
  const [row] = rows;
  if (row === undefined) throw new Error("The database answered nothing");
  return row.rows;
}
