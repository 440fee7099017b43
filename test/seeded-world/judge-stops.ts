import type { AgentId } from "../../src/domain/ids.ts";
import type { Plan } from "../../src/domain/plan/plan.ts";
import { hasOpenOrders } from "../../src/server/store/orders/orders.ts";
import { listExits } from "../../src/server/store/orders/exits.ts";
import { findPlanRow } from "../../src/server/store/orders/plan-positions.ts";
import type { Finding } from "../judge/judge.ts";
import { inheritTerms } from "../inherit-terms.ts";
import type { BaseWorld } from "./base-world.ts";
import type { Run } from "./run.ts";

const SEEDED_PLAN: Plan = {
  stop: { at: { kind: "percent", bps: 300 } },
  targets: [{ at: { kind: "percent", bps: 200 }, closePercent: 50 }],
  adds: { on: { kind: "signal" }, times: 1, sizePercent: 50 },
  maxPositionPercent: 60,
};

/** Gives the first agent a plan, as its owner does. */
export async function givePlan({ database: { db }, agents: [first] }: BaseWorld): Promise<void> {
  if (first === undefined) throw new Error("There is no agent");
  await db
    .updateTable("agents")
    .set({ plan: JSON.stringify(SEEDED_PLAN), position_size_percent: 20 } as never)
    .where("id", "=", first.id)
    .execute();
  await inheritTerms(db);
}

/** A position is at most its first entry and one add of half of it. */
const MOST = { times: 3n, of: 2n };

/**
 * Checks after a turn of an agent's lane that nothing is under way for: what rests at the exchange is one stop of exactly
 * the position's size, nothing for a flat account, and the position is no larger than its plan lets it grow.
 */
export async function judgeStops(run: Run, agentId: AgentId): Promise<readonly Finding[]> {
  const { base, healthy, deleted } = run;
  const { db } = base.database;
  const venue = healthy.get("practice")?.venues.get("drift");
  const accounts = base.accounts.find((each) => each.agentId === agentId);
  const agent = base.agents.find(({ id }) => id === agentId);
  if (venue?.protectiveOrders === undefined || accounts === undefined || agent === undefined) {
    throw new Error("The agent has no venue that keeps stops");
  }
  const isBusy =
    deleted.has(agentId) ||
    (await hasOpenOrders(db, agentId)) ||
    (await listExits(db, [agentId])).length > 0;
  if (isBusy) return [];
  const account = {
    owner: agent.owner.address,
    multisig: accounts.multisig,
    vault: accounts.vault,
    tradingKey: accounts.tradingKey,
    subAccountId: 0,
    marketId: "SOL-PERP",
  };
  const [state, rests, row] = [
    await venue.accountState(account),
    (await venue.protectiveOrders(account)).filter(({ isOurs }) => isOurs),
    await findPlanRow(db, agentId),
  ];
  const held = state.positions.find(({ marketId }) => marketId === "SOL-PERP");
  const size = held?.baseSize ?? 0n;
  const said = rests.map(({ key, side, baseSize }) => `${key} ${side} ${baseSize}`).join(", ");
  const text = `agent ${agentId} holds ${held?.side ?? "nothing"} ${size}, at the exchange: ${said}`;
  const finding: Finding = { kind: "open", text };
  const position = row?.position ?? null;
  if (row === null || row.isOver) return rests.length === 0 ? [] : [finding];
  if (size === 0n) return rests.length === 0 ? [] : [finding];
  const [stop] = rests;
  const isCovered = rests.length === 1 && stop?.baseSize === size && stop.side !== held?.side;
  const isWithin =
    position === null || position.largestSize * MOST.of <= position.firstEntrySize * MOST.times;
  if (!isCovered || !isWithin) return [finding];
  run.counts.stops += 1;
  return [];
}
