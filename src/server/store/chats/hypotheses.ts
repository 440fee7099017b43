import { type AgentId, type ChatId, parseAgentId, parseChatId } from "../../../domain/ids.ts";
import type { TradeLogRow } from "../trade-log/trade-log.ts";
import type { Db } from "../postgres/db.ts";

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
  const explained = db
    .selectFrom("hypotheses")
    .innerJoin("trade_log", "trade_log.id", "hypotheses.trade_log_id")
    .selectAll("trade_log")
    .select(["hypotheses.id as hypothesisId", "hypotheses.text"])
    .where("hypotheses.chat_id", "=", chatId)
    .where("trade_log.status", "<>", "failed");
  const older = before === null ? explained : explained.where("trade_log.seq", "<", before);
  return older.orderBy("trade_log.seq", "desc").limit(limit).execute();
}

/** Returns the number of a hypothesis's trade; null when the chat has no such hypothesis. */
export async function findExplainedSeq(db: Db, chatId: ChatId, id: string): Promise<string | null> {
  const row = await db
    .selectFrom("hypotheses")
    .innerJoin("trade_log", "trade_log.id", "hypotheses.trade_log_id")
    .select("trade_log.seq")
    .where("hypotheses.chat_id", "=", chatId)
    .where("hypotheses.id", "=", id)
    .executeTakeFirst();
  return row?.seq ?? null;
}

/** Counts filled trades without a hypothesis and returns the oldest; counter resets are left out. */
export async function readUnexplained(
  db: Db,
  chatId: ChatId,
): Promise<{ count: number; oldest: TradeLogRow | undefined }> {
  const unexplained = db
    .selectFrom("trade_log")
    .where("chat_id", "=", chatId)
    .where("status", "=", "success")
    .where("type", "<>", "reset")
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("hypotheses")
            .select("hypotheses.id")
            .whereRef("hypotheses.trade_log_id", "=", "trade_log.id"),
        ),
      ),
    );
  const [{ count }, oldest] = await Promise.all([
    unexplained.select(({ fn }) => fn.countAll<string>().as("count")).executeTakeFirstOrThrow(),
    unexplained.selectAll().orderBy("seq").limit(1).executeTakeFirst(),
  ]);
  return { count: Number(count), oldest };
}

/** Locks the agent of a trade log entry, so that counting and storing a hypothesis cannot race. */
export async function lockAgentOfTradeLogEntry(
  db: Db,
  tradeLogId: string,
): Promise<{ agentId: AgentId; chatId: ChatId } | null> {
  const row = await db
    .selectFrom("trade_log")
    .innerJoin("agents", "agents.id", "trade_log.agent_id")
    .select(["agents.id as agentId", "trade_log.chat_id as chatId"])
    .where("trade_log.id", "=", tradeLogId)
    .forNoKeyUpdate("agents")
    .executeTakeFirst();
  if (row === undefined) return null;
  return { agentId: parseAgentId(row.agentId), chatId: parseChatId(row.chatId) };
}

export async function countHypothesesSince(
  db: Db,
  agentId: AgentId,
  since: number,
): Promise<number> {
  const { count } = await db
    .selectFrom("hypotheses")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("agent_id", "=", agentId)
    .where("created_at", ">", new Date(since))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Inserts a hypothesis; returns false when the entry has one already. */
export async function insertHypothesis(
  db: Db,
  row: HypothesisRecord & { readonly agentId: AgentId; readonly chatId: ChatId },
  now: number,
): Promise<boolean> {
  const inserted = await db
    .insertInto("hypotheses")
    .values({
      id: row.id,
      trade_log_id: row.tradeLogId,
      agent_id: row.agentId,
      chat_id: row.chatId,
      text: row.text,
      created_at: new Date(now),
    })
    .onConflict((conflict) => conflict.column("trade_log_id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}
