import type { Db } from "../postgres/db.ts";

export interface HypothesisRecord {
  readonly id: string;
  readonly tradeLogId: string;
  readonly text: string;
}

export async function listHypothesesOf(db: Db, chatId: string): Promise<HypothesisRecord[]> {
  return db
    .selectFrom("hypotheses")
    .select(["id", "trade_log_id as tradeLogId", "text"])
    .where("chat_id", "=", chatId)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(10_000)
    .execute();
}

/** Locks the agent of a trade log entry, so that counting and storing a hypothesis cannot race. */
export async function lockAgentOfTradeLogEntry(
  db: Db,
  tradeLogId: string,
): Promise<{ agentId: string; chatId: string } | null> {
  const row = await db
    .selectFrom("trade_log")
    .innerJoin("agents", "agents.id", "trade_log.agent_id")
    .select(["agents.id as agentId", "trade_log.chat_id as chatId"])
    .where("trade_log.id", "=", tradeLogId)
    .forNoKeyUpdate("agents")
    .executeTakeFirst();
  return row ?? null;
}

export async function countHypothesesSince(
  db: Db,
  agentId: string,
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
  row: HypothesisRecord & { readonly agentId: string; readonly chatId: string },
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
