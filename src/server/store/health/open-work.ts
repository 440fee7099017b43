import { sql } from "kysely";
import { OPEN_ORDER_STATES } from "../../../domain/order/order-states.ts";
import type { Db } from "../postgres/db.ts";
import { deletesBefore, on } from "../postgres/on.ts";
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

/** Orders planned within one such time are added up once. */
const SPAN = sql`interval '10 minutes'`;

/** The times between two moments, with the one that holds each of them. */
const spansBetween = (since: Date, now: Date) => sql`
  generate_series(date_bin(${SPAN}, ${since}, 'epoch'), ${now}, ${SPAN}) as begins_at`;

/** Adds up the orders of the times that are over, once every order of theirs is final and its state stays. */
async function tallyOrders(db: Db, since: Date, now: Date): Promise<void> {
  await on(db).change`
    with due as (
      select begins_at from ${spansBetween(since, now)}
      where begins_at >= ${since} and begins_at + 2 * ${SPAN} <= ${now}
        and not exists (select from order_tallies where order_tallies.begins_at = begins_at.begins_at)
        and not exists (
          select from orders where state in ${sql.raw(stateList(OPEN_ORDER_STATES))}
            and planned_at >= begins_at and planned_at < begins_at + ${SPAN})
    ), tallied as (
      select begins_at, state, count(*) as orders from due join orders
        on planned_at >= begins_at and planned_at < begins_at + ${SPAN} group by begins_at, state
      union all select begins_at, '', 0 from due
    )
    insert into order_tallies select * from tallied on conflict do nothing`;
}

/** Deletes tallies of times before that are not counted any more. */
export const deleteOldTallies = deletesBefore("order_tallies", "begins_at, state", "begins_at");

/** Returns the figures for the metrics. `since` bounds the final orders that are counted. */
export async function readOpenWork(db: Db, since: Date, now: Date): Promise<OpenWork> {
  await tallyOrders(db, since, now);
  const orders = await on(db).rows<{ state: string; count: number }>`
    with tallied as (
      select begins_at, state, orders from order_tallies where begins_at >= ${since}
    ), untallied as (
      select begins_at from ${spansBetween(since, now)} where begins_at not in (select begins_at from tallied)
    ), counted as (
      select state, orders from tallied where state <> ''
      union all
      select state, 1 from untallied join orders
        on planned_at >= greatest(begins_at, ${since}) and planned_at < begins_at + ${SPAN}
    )
    select state, sum(orders)::int as count from counted group by state`;
  const lanes = await on(db).only<{ count: number }>`
    select count(distinct agent_id)::int as count from orders
    where state in ${sql.raw(stateList(OPEN_ORDER_STATES))}`;
  const custody = await on(db).rows<{ state: "prepared" | "sent"; count: number }>`
    select state, count(*)::int as count from custody_transactions
    where state in ('prepared', 'sent') group by state`;
  const notices = await on(db).rows<{ state: "waiting" | "given_up"; count: number }>`
    select state, count(*)::int as count from notices
    where state = 'waiting' or (state = 'given_up' and settled_at >= ${since}) group by state`;
  return {
    ordersByState: Object.fromEntries(orders.map(({ state, count }) => [state, count])),
    lanesWaiting: lanes.count,
    noticesByState: {
      waiting: 0,
      given_up: 0,
      ...Object.fromEntries(notices.map(({ state, count }) => [state, count])),
    },
    custodyByState: {
      prepared: 0,
      sent: 0,
      ...Object.fromEntries(custody.map(({ state, count }) => [state, count])),
    },
  };
}

/** Orders that wait for their turn, by network; waits in milliseconds since they were planned. */
export interface WaitingOrders {
  readonly network: string;
  readonly count: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

/** Returns the orders that are planned and not sent yet; a network without one has no row. */
export async function readWaitingOrders(db: Db, now: Date): Promise<readonly WaitingOrders[]> {
  return on(db).rows<WaitingOrders>`
    select agents.network, count(*)::int as count,
      percentile_cont(0.5) within group (order by waited)::float8 as "p50Ms",
      percentile_cont(0.95) within group (order by waited)::float8 as "p95Ms"
    from orders join agents on agents.id = orders.agent_id
    cross join lateral (select extract(epoch from ${now} - planned_at) * 1000 as waited) waits
    where state in ${sql.raw(stateList(OPEN_ORDER_STATES))} and state = 'planned'
    group by agents.network`;
}

/** What a commit of the database is worth. */
export interface Durability {
  /** Machines that have a commit before it is confirmed. */
  readonly machines: number;
  /** Other servers and backups that read the log behind it. */
  readonly followers: number;
}

/** Commits wait for the standbys of `synchronous_standby_names` with these values of `synchronous_commit` alone. */
const WAITING: ReadonlySet<string> = new Set(["on", "remote_write", "remote_apply"]);

/** Returns how many standbys a commit waits for, from the setting's value; a list without a number is one. */
export function standbysWaitedFor(names: string): number {
  if (names.trim() === "") return 0;
  const number = /^\s*(?:first\s+|any\s+)?(\d+)\s*\(/i.exec(names)?.[1];
  return number === undefined ? 1 : Number(number);
}

/** Returns what a commit on these connections is worth. */
export async function readDurability(db: Db): Promise<Durability> {
  const { rows } = await sql<{ names: string; mode: string; followers: number }>`
    select current_setting('synchronous_standby_names') as names,
      current_setting('synchronous_commit') as mode,
      (select count(*)::int from pg_stat_replication) as followers`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error("The database told no settings");
  const standbys = WAITING.has(row.mode) ? standbysWaitedFor(row.names) : 0;
  return { machines: 1 + standbys, followers: row.followers };
}
