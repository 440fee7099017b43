import { sql } from "kysely";
import { type AgentId, type ChatId, parseAgentId, parseChatId } from "../../../domain/ids.ts";
import type { TradeLogRow } from "../trade-log/trade-log.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";

export interface HypothesisRecord {
  readonly id: string;
  readonly tradeLogId: string;
  readonly text: string;
}

/** A hypothesis with its trade. */
export type ExplainedTrade = TradeLogRow & { readonly hypothesisId: string; readonly text: string };

/** Returns trades with a hypothesis, older than the one numbered `before`, newest first; failed ones are left out. */
export async function listExplainedTrades(
  db: Db,
  chatId: ChatId,
  before: string | null,
  limit: number,
): Promise<ExplainedTrade[]> {
  return on(db).rows<ExplainedTrade>`
    select trade_log.*, (select plan_act from orders where orders.id = order_id) as plan_act, hypotheses.id as "hypothesisId", hypotheses.text
    from hypotheses join trade_log on trade_log.id = trade_log_id
    where hypotheses.chat_id = ${chatId} and trade_log.status <> 'failed'
      ${before === null ? sql`` : sql`and trade_log.seq < ${before}`}
    order by trade_log.seq desc limit ${limit}`;
}

/** Returns the number of a hypothesis's trade; null when the chat has no such hypothesis. */
export async function findExplainedSeq(db: Db, chatId: ChatId, id: string): Promise<string | null> {
  const row = await on(db).row<{ seq: string }>`
    select trade_log.seq from hypotheses join trade_log on trade_log.id = trade_log_id
    where hypotheses.chat_id = ${chatId} and hypotheses.id = ${id}`;
  return row?.seq ?? null;
}

/** Counts filled trades without a hypothesis and returns the oldest; counter resets are left out. */
export async function readUnexplained(
  db: Db,
  chatId: ChatId,
): Promise<{ count: number; oldest: TradeLogRow | undefined }> {
  const unexplained = sql`
    from trade_log where chat_id = ${chatId} and status = 'success' and type <> 'reset'
      and not exists (select from hypotheses where trade_log_id = trade_log.id)`;
  const [{ count }, oldest] = await Promise.all([
    on(db).only<{ count: string }>`select count(*) as count ${unexplained}`,
    on(db).row<TradeLogRow>`
      select *, (select plan_act from orders where orders.id = order_id) as plan_act ${unexplained} order by seq limit 1`,
  ]);
  return { count: Number(count), oldest: oldest ?? undefined };
}

/** Locks the agent of a trade log entry, so that counting and storing a hypothesis cannot race. */
export async function lockAgentOfTradeLogEntry(
  db: Db,
  tradeLogId: string,
): Promise<{ agentId: AgentId; chatId: ChatId } | null> {
  const row = await on(db).row<{ agentId: string; chatId: string }>`
    select agents.id as "agentId", trade_log.chat_id as "chatId"
    from trade_log join agents on agents.id = trade_log.agent_id
    where trade_log.id = ${tradeLogId} for no key update of agents`;
  if (row === null) return null;
  return { agentId: parseAgentId(row.agentId), chatId: parseChatId(row.chatId) };
}

export async function countHypothesesSince(
  db: Db,
  agentId: AgentId,
  since: number,
): Promise<number> {
  const { count } = await on(db).only<{ count: string }>`
    select count(*) as count from hypotheses
    where agent_id = ${agentId} and created_at > ${new Date(since)}`;
  return Number(count);
}

/** Inserts a hypothesis; returns false when the entry has one already. */
export async function insertHypothesis(
  db: Db,
  row: HypothesisRecord & { readonly agentId: AgentId; readonly chatId: ChatId },
  now: number,
): Promise<boolean> {
  const inserted = await on(db).change`
    insert into hypotheses (id, trade_log_id, agent_id, chat_id, text, created_at)
    values (${row.id}, ${row.tradeLogId}, ${row.agentId}, ${row.chatId}, ${row.text}, ${new Date(now)})
    on conflict (trade_log_id) do nothing`;
  return inserted > 0;
}
