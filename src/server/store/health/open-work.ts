import { sql } from "kysely";
import { OPEN_ORDER_STATES } from "../../../domain/order/order-states.ts";
import type { Db } from "../postgres/db.ts";
import { stateList } from "../orders/order-state-sql.ts";

/** Open work across all servers of the database. */
export interface OpenWork {
  /** Orders planned within the last day, by state. */
  readonly ordersByState: Readonly<Record<string, number>>;
  /** Number of agents with orders that are not final. */
  readonly lanesWaiting: number;
  /** Owners' open transactions, by state. */
  readonly custodyByState: Readonly<Record<"prepared" | "sent", number>>;
  /** Owners' waiting notices, and those given up within the last day. */
  readonly noticesByState: Readonly<Record<"waiting" | "given_up", number>>;
}

/** Returns the figures for the metrics. `since` bounds the final orders that are counted. */
export async function readOpenWork(db: Db, since: Date): Promise<OpenWork> {
  const orders = await sql<{ state: string; count: number }>`
    select state, count(*)::int as count from orders where planned_at >= ${since} group by state
  `.execute(db);
  const lanes = await sql<{ count: number }>`
    select count(distinct agent_id)::int as count from orders
    where state in ${sql.raw(stateList(OPEN_ORDER_STATES))}
  `.execute(db);
  const custody = await sql<{ state: "prepared" | "sent"; count: number }>`
    select state, count(*)::int as count from custody_transactions
    where state in ('prepared', 'sent') group by state
  `.execute(db);
  const notices = await sql<{ state: "waiting" | "given_up"; count: number }>`
    select state, count(*)::int as count from notices
    where state = 'waiting' or (state = 'given_up' and settled_at >= ${since}) group by state
  `.execute(db);
  return {
    ordersByState: Object.fromEntries(orders.rows.map(({ state, count }) => [state, count])),
    lanesWaiting: lanes.rows[0]?.count ?? 0,
    noticesByState: {
      waiting: 0,
      given_up: 0,
      ...Object.fromEntries(notices.rows.map(({ state, count }) => [state, count])),
    },
    custodyByState: {
      prepared: 0,
      sent: 0,
      ...Object.fromEntries(custody.rows.map(({ state, count }) => [state, count])),
    },
  };
}
