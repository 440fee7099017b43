import { type RawBuilder, type Selectable, sql, type SqlBool } from "kysely";
import type { ChatId, OwnerAddress } from "../../../domain/ids.ts";
import type { PlanAct } from "../../../domain/plan/plan.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";
import type { TradeLogTable } from "../postgres/tables.ts";

/** A stored trade log entry of an order's outcome; `bigint` columns are decimal text. */
export interface TradeLogRow extends Selectable<TradeLogTable> {
  /** What of the position's plan asked for its order. */
  readonly plan_act: PlanAct | null;
}

/** `trades`: what did not fail. `attention`: what failed or has a reason. */
export type LogFilter = "all" | "trades" | "attention";

const FILTERS: Readonly<Record<LogFilter, RawBuilder<SqlBool>>> = {
  all: sql`true`,
  // As the index of them says it
  trades: sql`status <> 'failed'`,
  attention: sql`(status = 'failed' or reason is not null)`,
};

/** Part of a chat's log: entries older than the one numbered `before`. */
export interface LogPage {
  readonly chatId: ChatId;
  readonly filter: LogFilter;
  /** Null for the newest. */
  readonly before: string | null;
  readonly limit: number;
}

/** Returns a part of a chat's log, newest first. */
export async function listTradeLogOf(
  db: Db,
  { chatId, filter, before, limit }: LogPage,
): Promise<TradeLogRow[]> {
  return on(db).rows<TradeLogRow>`
    select *, (select plan_act from orders where orders.id = order_id) as plan_act from trade_log
    where chat_id = ${chatId} and ${FILTERS[filter]} ${before === null ? sql`` : sql`and seq < ${before}`}
    order by seq desc limit ${limit}`;
}

/** An entry with the name of its agent. */
export interface NamedTradeLogRow extends TradeLogRow {
  readonly agent_name: string;
}

/** Returns the newest settled entries of all agents of an owner, newest first. */
export const listNewestOf = (
  db: Db,
  owner: OwnerAddress,
  limit: number,
): Promise<NamedTradeLogRow[]> => on(db).rows<NamedTradeLogRow>`
  select newest.*, agents.name as agent_name from agents cross join lateral (
    select *, (select plan_act from orders where orders.id = order_id) as plan_act
    from trade_log where agent_id = agents.id and status <> 'pending'
    order by seq desc limit ${limit}
  ) as newest
  where agents.owner = ${owner} order by newest.at desc, newest.seq desc limit ${limit}`;

/** Returns the number of an entry of the chat; null when there is none. */
export async function findLogSeq(db: Db, chatId: ChatId, id: string): Promise<string | null> {
  const row = await on(db).row<{ seq: string }>`
    select seq from trade_log where chat_id = ${chatId} and id = ${id}`;
  return row?.seq ?? null;
}

/** Counts the entries of a chat's whole log. */
export async function countTradeLogOf(
  db: Db,
  chatId: ChatId,
): Promise<{ trades: number; attention: number }> {
  return on(db).only<{ trades: number; attention: number }>`
    select count(*) filter (where ${FILTERS.trades})::int as trades,
      count(*) filter (where ${FILTERS.attention})::int as attention
    from trade_log where chat_id = ${chatId}`;
}

/** An entry with its order's decision facts and the arrival time of its alert. */
export interface TradeLogRecord extends TradeLogRow {
  readonly intent: unknown;
  readonly received_at: Date | null;
}

export const findTradeLogEntry = (
  db: Db,
  chatId: ChatId,
  id: string,
): Promise<TradeLogRecord | null> => on(db).row<TradeLogRecord>`
  select trade_log.*, plan_act, intent, received_at from trade_log
  left join orders on orders.id = order_id
  left join alert_events on alert_events.id = trade_log.event_id
  where trade_log.chat_id = ${chatId} and trade_log.id = ${id}`;
