import { AppError, found } from "../../contract/errors.ts";
import { HYPOTHESES_PAGE } from "../../contract/hypotheses.ts";
import type { AgentDeps } from "../agents/agent-changes.ts";
import { newId } from "../crypto/new-id.ts";
import { insertAudit } from "../store/audit/audit.ts";
import * as store from "../store/chats/hypotheses.ts";
import type { Handlers } from "../http/handler.ts";
import { showEntry } from "./log-entry.ts";

/** Maximum number of hypotheses per agent in 24 hours. */
const MAX_PER_DAY = 20;
const DAY_MS = 24 * 3600_000;

export function hypothesisHandlers(deps: Pick<AgentDeps, "db" | "clock" | "random" | "publisher">) {
  const { db, clock, publisher } = deps;
  return {
    async createHypothesis({ body, session }) {
      const now = clock.now();
      const { entryId, text } = body;
      const stored = { id: newId(deps.random), tradeLogId: entryId, text };
      const chatId = await db.transaction().execute(async (tx) => {
        const owner = found(await store.lockAgentOfTradeLogEntry(tx, entryId));
        const today = await store.countHypothesesSince(tx, owner.agentId, now - DAY_MS);
        if (today >= MAX_PER_DAY) throw new AppError("hypothesis_limit_exceeded");
        if (!(await store.insertHypothesis(tx, { ...stored, ...owner }, now))) {
          throw new AppError("hypothesis_exists");
        }
        await insertAudit(tx, now, session, "hypothesis_added", stored.id);
        return owner.chatId;
      });
      publisher.publish(session.wallet, { topic: "hypotheses", id: chatId });
      return { id: stored.id, entryId, text };
    },

    async listHypotheses({ params: { chatId }, query }) {
      const last = query.before;
      const before =
        last === undefined ? null : found(await store.findExplainedSeq(db, chatId, last));
      const rows = await store.listExplainedTrades(db, chatId, before, HYPOTHESES_PAGE);
      return rows.map(({ hypothesisId, text, ...row }) => ({
        id: hypothesisId,
        entryId: row.id,
        text,
        entry: showEntry(row),
      }));
    },

    async getUnexplained({ params: { chatId } }) {
      const { count, oldest } = await store.readUnexplained(db, chatId);
      return { count, ...(oldest === undefined ? {} : { oldest: showEntry(oldest) }) };
    },
  } satisfies Partial<Handlers>;
}
