import type { Plan } from "../src/domain/plan/plan.ts";
import { lockLane } from "../src/server/store/agents/agents.ts";
import { lookAtPlanSoon } from "../src/server/store/orders/plan-positions.ts";
import { inheritTerms } from "./inherit-terms.ts";
import type { TradingWorld } from "./trading-world.ts";

/** Saves a plan, and other fields of the agent, as a form of the page does. */
export async function savePlan(
  world: TradingWorld,
  plan: Plan | null,
  changed: { readonly position_size_percent?: number; readonly leverage?: number } = {},
): Promise<void> {
  const { db } = world.database;
  await db
    .updateTable("agents")
    .set({ plan: plan === null ? null : JSON.stringify(plan), ...changed } as never)
    .where("id", "=", world.agentId)
    .execute();
  await inheritTerms(db);
  await db.transaction().execute(async (transaction) => {
    await lockLane(transaction, world.agentId);
    await lookAtPlanSoon(transaction, world.agentId, world.clock.now());
  });
}
