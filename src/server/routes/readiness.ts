import { AppError } from "../../contract/errors.ts";
import { USUAL_READINESS_BAR } from "../../domain/readiness.ts";
import { assetOf } from "../../venues/profiles.ts";
import type { AgentDeps } from "../agents/agent-changes.ts";
import { goLive } from "../agents/go-live.ts";
import type { Handlers } from "../http/handler.ts";
import { findAgent } from "../store/agents/agents.ts";
import { insertAudit } from "../store/audit/audit.ts";
import { listPriceGaps } from "../store/market-data/paper-feed.ts";
import {
  readCopies,
  readMachine,
  readReadinessBar,
  storeReadinessBar,
} from "../store/agents/readiness.ts";

/** Answers the calls about whether an agent with play money is ready for real money. */
export function readinessHandlers(deps: AgentDeps) {
  const { db } = deps;
  return {
    async getReadiness({ params: { agentId }, session }) {
      const agent = await findAgent(db, agentId);
      const machine = await readMachine(db, agentId);
      if (agent === null || machine === null) throw new AppError("not_found");
      const { since, missedAlerts, waitedExits } = machine;
      const gaps =
        agent.network === "paper" ? await listPriceGaps(db, assetOf(agent.marketId), since) : [];
      const { twin, live } = await readCopies(db, agentId);
      return {
        bar: (await readReadinessBar(db, session.wallet)) ?? USUAL_READINESS_BAR,
        since: since.toISOString(),
        missedAlerts,
        waitedExits,
        withoutPrices: gaps.map(({ from, to }) => ({
          from: from.toISOString(),
          to: to.toISOString(),
        })),
        ...(twin === null ? {} : { twin }),
        live: [...live],
      };
    },
    async setReadinessBar({ body: { bar }, session }) {
      await db.transaction().execute(async (tx) => {
        await storeReadinessBar(tx, session.wallet, bar);
        await insertAudit(tx, deps.clock.now(), session, "readiness_bar_set");
      });
      return bar;
    },
    goLive: ({ params, body, session }) => goLive(deps, { params, body }, session),
  } satisfies Partial<Handlers>;
}
