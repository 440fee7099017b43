import type { Pool } from "pg";
import type { AgentId } from "../../src/domain/ids.ts";
import { mulDiv } from "../../src/domain/amount.ts";
import type { Adds, Plan } from "../../src/domain/plan/plan.ts";
import type { AccountState } from "../../src/domain/position.ts";
import { hasOpenOrders } from "../../src/server/store/orders/orders.ts";
import { listExits } from "../../src/server/store/orders/exits.ts";
import { findPlanRow } from "../../src/server/store/orders/plan-positions.ts";
import type { ChainSource } from "../judge/chain-evidence.ts";
import type { Finding } from "../judge/judge.ts";
import { createRandom } from "../random.ts";
import { inheritTerms } from "../inherit-terms.ts";
import type { BaseWorld } from "./base-world.ts";
import type { Run } from "./run.ts";

/** First seed of the worlds in which prices go to where the plan asks for something. */
export const FIRST_ACTING_SEED = 2_000_001;

export const isActing = (seed: number): boolean => seed >= FIRST_ACTING_SEED;

/** Size of an entry, percent of the collateral. */
const ENTRY_PERCENT = 20;

/** Returns the plan of a seed's first agent: stop, targets and adds of its own, and room for half of the adds. */
function seededPlan(seed: number): Plan {
  const random = createRandom(seed, 2);
  const percent = (least: number, most: number) =>
    ({ kind: "percent", bps: random.int(least, most) }) as const;
  const at = percent(100, 300);
  const targets = [
    { at, closePercent: random.int(20, 50) },
    // Of plans with two targets, half have them at one price
    { at: random.chance(50) ? at : percent(300, 500), closePercent: random.int(20, 50) },
  ];
  const way = random.pick(["signal", "against", "favour"] as const);
  const adds: Adds = {
    on: way === "signal" ? { kind: way } : { kind: way, bps: random.int(50, 100) },
    times: random.int(1, 2),
    sizePercent: random.pick([50, 100]),
  };
  const trail = { afterBps: 150, by: percent(100, 200), stepBps: 25 };
  return {
    stop: {
      at: percent(250, 400),
      ...(random.chance(40) && { trail }),
      ...(isActing(seed) && random.chance(60) && { breakEvenAfterBps: 80 }),
    },
    ...(isActing(seed) && random.chance(50) && { holdBars: random.int(1, 3) }),
    targets: random.chance(isActing(seed) ? 70 : 50) ? targets : targets.slice(0, 1),
    adds,
    maxPositionPercent: (ENTRY_PERCENT * (200 + adds.times * adds.sizePercent)) / 200,
  };
}

/** Has each rule of an agent be completed by one alert, so that it trades. */
async function completeAtOnce(pool: Pool, agentId: AgentId): Promise<void> {
  await pool.query(
    `delete from rule_conditions where alert_id not in (
       select min(alert_id) from rule_conditions as kept where kept.rule_id = rule_conditions.rule_id)
       and rule_id in (select id from rules where agent_id = $1)`,
    [agentId],
  );
  await pool.query(
    `update rule_conditions set required_count = 1
     where rule_id in (select id from rules where agent_id = $1)`,
    [agentId],
  );
}

/** Gives the first agent a plan, as its owner does; in a world in which it acts also rules that one alert completes. */
export async function givePlan(
  { database: { db, pool }, agents: [first] }: BaseWorld,
  seed: number,
): Promise<void> {
  if (first === undefined) throw new Error("There is no agent");
  if (isActing(seed)) await completeAtOnce(pool, first.id);
  await db
    .updateTable("agents")
    .set({
      plan: JSON.stringify(seededPlan(seed)),
      position_size_percent: ENTRY_PERCENT,
    } as never)
    .where("id", "=", first.id)
    .execute();
  await inheritTerms(db);
}

/** Longest wait after a look for which something did not answer, in milliseconds. */
const LOOK_AGAIN_MS = 5_000;

/** What prices and fees between an add and the look at it may change, in thousandths of the largest position. */
const TOLERANCE = 10n;

/**
 * Checks after a turn of an agent's lane that nothing is under way for: what rests at the exchange is one stop of exactly
 * the position's size, nothing for a flat account, and a position that has grown is no larger than its plan lets it.
 *
 * During faults the lane may not have reached a node and looks again within seconds, or the owner reads since when the
 * position is not protected.
 */
export async function judgeStops(
  run: Run,
  agentId: AgentId,
  during: "faults" | "rest",
): Promise<readonly Finding[]> {
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
  const waits =
    during === "faults" &&
    row !== null &&
    (row.unprotectedSinceMs !== null || row.dueAtMs - run.clock.now() <= LOOK_AGAIN_MS);
  if (waits) return [];
  if (row === null || row.isOver || size === 0n) return rests.length === 0 ? [] : [finding];
  const [stop] = rests;
  const isCovered = rests.length === 1 && stop?.baseSize === size && stop.side !== held?.side;
  if (!isCovered || !(await isWithinPlan(run, agentId, state))) return [finding];
  run.counts.stops += 1;
  return [];
}

/** The chain without faults, as the judge reads accounts. */
export const chainOf = ({ chain, landed }: Run): ChainSource => ({
  landed: async () => landed,
  accounts: async (addresses) => (await chain.accounts(addresses)).accounts,
});

/** Returns the price by which the size of an agent's newest entry that filled was decided. */
async function decidedAt(pool: Pool, agentId: AgentId): Promise<bigint | null> {
  const { rows } = await pool.query<{ price: string }>(
    `select intent ->> 'referencePrice' as price from orders
     where agent_id = $1 and state in ('filled', 'partially_filled') and not (intent ->> 'reduceOnly')::boolean
     order by seq desc limit 1`,
    [agentId],
  );
  return rows[0] === undefined ? null : BigInt(rows[0].price);
}

/** Returns whether a position that grew since the last look cost no more than its plan's share of the worth when decided. */
async function isWithinPlan(
  { seed, judged, base }: Run,
  agentId: AgentId,
  { positions: [held], portfolioValue }: AccountState,
): Promise<boolean> {
  if (held === undefined) return true;
  const settled = portfolioValue - held.unrealizedPnl;
  // The owner may have withdrawn since
  const collateral = settled > judged.collateral ? settled : judged.collateral;
  const hasGrown = held.baseSize > judged.size;
  Object.assign(judged, { size: held.baseSize, collateral: settled });
  if (!hasGrown) return true;
  // What waits for its auction may fill at a better price than it was decided by
  const price = (await decidedAt(base.database.pool, agentId)) ?? held.entryPrice;
  const moved = held.side === "long" ? price - held.entryPrice : held.entryPrice - price;
  const worth = collateral + mulDiv(held.baseSize, moved, 10n ** 9n, "down");
  const cost = mulDiv(held.baseSize, price, 10n ** 9n, "down");
  const most = worth * BigInt(seededPlan(seed).maxPositionPercent ?? 0);
  return cost * 100n <= most + (most * TOLERANCE) / 1_000n;
}
