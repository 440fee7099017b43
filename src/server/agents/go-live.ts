import type { Agent } from "../../contract/agent.ts";
import { AppError, found } from "../../contract/errors.ts";
import type { goLive as goLiveRoute } from "../../contract/readiness.ts";
import type { RequestOf } from "../../contract/route.ts";
import type { CompleteDraft } from "../../contract/save-agent.ts";
import { isBuiltIn } from "../../domain/network.ts";
import {
  belowBar,
  FIRST_LIVE_DAY_LOSS_BPS,
  FIRST_LIVE_SIZE_PERCENT,
  type ReadinessFigures,
  readinessOf,
  USUAL_READINESS_BAR,
} from "../../domain/readiness.ts";
import type { OwnerAddress } from "../../domain/ids.ts";
import type { Session } from "../session.ts";
import { type AgentRecord, findAgent } from "../store/agents/agents.ts";
import { insertLiveCopy, readReadinessBar } from "../store/agents/readiness.ts";
import { storeOwnerLimits } from "../store/lanes/owner-limits.ts";
import type { Db } from "../store/postgres/db.ts";
import type { AgentDeps } from "./agent-changes.ts";
import { createCompleteAgent } from "./create-agent.ts";
import { readSetUp } from "./set-up-words.ts";
import { showAgent } from "./show-agents.ts";

/** Returns what of an agent's figures is below its owner's bar, in words; null where nothing is. */
export async function belowBarOf(
  db: Db,
  owner: OwnerAddress,
  figures: ReadinessFigures,
): Promise<string | null> {
  const bar = (await readReadinessBar(db, owner)) ?? USUAL_READINESS_BAR;
  return belowBar(readinessOf(figures, bar));
}

/** Makes a new agent on a real network from one with play money; it is off and has no money. */
export async function goLive(
  deps: AgentDeps,
  { params, body }: Pick<RequestOf<typeof goLiveRoute>, "params" | "body">,
  session: Session,
): Promise<Agent> {
  const twin = found(await findAgent(deps.db, params.agentId));
  if (!isBuiltIn(twin.network)) {
    throw new AppError("conflict", { message: "This agent is on a real network already." });
  }
  if (isBuiltIn(body.network)) {
    throw new AppError("validation_failed", {
      fields: { network: "Going live needs a real network." },
    });
  }
  const below = await belowBarOf(deps.db, session.wallet, body.figures);
  const draft = await draftOf(deps.db, twin, body);
  const saved = await createCompleteAgent(deps, draft, session, async (tx, agentId) => {
    const now = deps.clock.now();
    const { limits: before } = twin;
    const dayLossBps = Math.min(
      before.dayLossBps ?? FIRST_LIVE_DAY_LOSS_BPS,
      FIRST_LIVE_DAY_LOSS_BPS,
    );
    await storeOwnerLimits(tx, agentId, { before, after: { ...before, dayLossBps } }, now);
    await insertLiveCopy(tx, { agentId, twinId: twin.id, below, now });
  });
  const made = found(await findAgent(deps.db, saved.agent.id));
  return showAgent(deps, made);
}

async function draftOf(
  db: Db,
  twin: AgentRecord,
  { name, network }: Pick<RequestOf<typeof goLiveRoute>["body"], "name" | "network">,
): Promise<CompleteDraft> {
  const { alerts, rules } = await readSetUp(db, twin.id);
  const nameOf = new Map(alerts.map((alert) => [alert.id, alert.name]));
  return {
    agent: {
      name,
      network,
      marketId: twin.marketId,
      venue: twin.venue ?? "",
      interval: twin.interval,
      slippagePercent: twin.slippageBps / 100,
      positionSizePercent: Math.min(twin.positionSizePercent, FIRST_LIVE_SIZE_PERCENT),
      maxSignalAgeSeconds: twin.maxSignalAgeSeconds,
      plan: twin.plan,
    },
    alerts: alerts.map(({ name: alertName, description, condition }) => ({
      name: alertName,
      description,
      condition,
    })),
    rules: rules.map(({ action, portion, conditions }) => ({
      action,
      portion,
      conditions: conditions.map(({ alertId, requiredCount }) => ({
        alertName: nameOf.get(alertId) ?? "",
        requiredCount,
      })),
    })),
  };
}
