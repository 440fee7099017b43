import type { AgentId } from "../../../domain/ids.ts";
import type { Network } from "../../../domain/network.ts";
import { isPriceUsable } from "../../../domain/order/risk.ts";
import { demandOf, type PlanDemand, planEndOf } from "../../../domain/plan/demand.ts";
import { type Plan } from "../../../domain/plan/plan.ts";
import { ChainUnavailableError } from "../../../solana/chain.ts";
import type { Venue } from "../../../venues/ports.ts";
import { findVenue, inClass } from "../../networks.ts";
import { lockLane } from "../../store/agents/agents.ts";
import type { Change } from "../../store/orders/change.ts";
import { applyChange } from "../../store/orders/commit-change.ts";
import { listExits, widenExit } from "../../store/orders/exits.ts";
import { followsProtective, hasOpenOrders } from "../../store/orders/orders.ts";
import {
  findPlanRow,
  type KeptPosition,
  listWatched,
  type MovedStop,
  type PlanRow,
  saveLook,
  saveMovedStops,
  type WatchedPosition,
} from "../../store/orders/plan-positions.ts";
import type { Db } from "../../store/postgres/db.ts";
import { publishStale } from "../orders/commit.ts";
import { beginPlanExit, nextCloseMs, plannedPosition } from "../orders/keep-plan.ts";
import { planOrder, type TradingDeps } from "../orders/order-context.ts";

/** Exits and adds begun at once. */
const MAX_AT_ONCE = 8;

/**
 * Time that a stop at the venue has to be triggered once its price is passed, in milliseconds; then the server closes the
 * position, beside what rests.
 */
const VENUE_TURN_MS = 15_000;

/** What a price asks for of one agent's position. */
interface Demanded extends WatchedPosition {
  readonly demand: PlanDemand;
}

/**
 * Holds the present prices against the plans of all positions of a network once: one read of a price serves every agent
 * in its market. A stale, uncertain or missing price decides nothing.
 *
 * Exits and adds that are due are planned, and `wake` is called for their agents' lanes; stops that follow are booked.
 */
export async function watchPlans(
  deps: TradingDeps,
  network: Network,
  wake: (agentId: AgentId, isExit: boolean) => void,
): Promise<void> {
  const networks = inClass(deps.networks, "exit");
  const markets = new Map<string, WatchedPosition[]>();
  for (const watched of await listWatched(deps.lanes, network)) {
    const key = `${watched.agent.venue} ${watched.row.position.marketId}`;
    markets.set(key, [...(markets.get(key) ?? []), watched]);
  }
  await Promise.all(
    [...markets.values()].map(async (positions) => {
      const [first] = positions;
      const venue = first && findVenue(networks, first.agent);
      // Of a venue or network that is not traded on here nothing is known
      if (venue !== undefined) await watchMarket(deps, network, venue, positions, wake);
    }),
  );
}

async function watchMarket(
  deps: TradingDeps,
  network: Network,
  venue: Venue,
  positions: readonly WatchedPosition[],
  wake: (agentId: AgentId, isExit: boolean) => void,
): Promise<void> {
  const marketId = positions[0]?.row.position.marketId ?? "";
  const price = await venue.price(marketId).catch((error: unknown) => {
    if (error instanceof ChainUnavailableError) return null;
    throw error;
  });
  const nowMs = deps.clock.now();
  if (price === null || !isPriceUsable(price, nowMs)) return;
  await saveLook(deps.db, { network, venue: venue.id, marketId }, nowMs);
  const moved: MovedStop[] = [];
  const due: Demanded[] = [];
  for (const { agent, row } of positions) {
    if (agent.plan === null) continue;
    const position = plannedPosition(agent, row, row.position, nowMs);
    const demand = demandOf(agent.plan, position, { price: price.price });
    const { bestPrice, stopPrice, closeNow, addNow } = demand;
    const mayAdd = agent.autoTrade === "on" && row.position.addAfterMs <= nowMs;
    const hitSinceMs = isLeftToVenue(row, demand) ? (row.position.hitSinceMs ?? nowMs) : null;
    if (hitSinceMs !== null && nowMs - hitSinceMs < VENUE_TURN_MS) {
      moved.push({ agentId: agent.id, version: row.version, bestPrice, stopPrice, hitSinceMs });
    } else if (closeNow !== null || (addNow !== null && mayAdd)) due.push({ agent, row, demand });
    else if (hasMoved(agent.plan, row.position, demand)) {
      moved.push({ agentId: agent.id, version: row.version, bestPrice, stopPrice, hitSinceMs });
    }
  }
  await saveMovedStops(deps.db, moved, nowMs);
  for (const { agentId, hitSinceMs } of moved) if (hitSinceMs !== null) wake(agentId, true);
  while (due.length > 0) {
    await Promise.all(
      due.splice(0, MAX_AT_ONCE).map(async (each) => {
        if (await carryOut(deps, each)) wake(each.agent.id, each.demand.closeNow !== null);
      }),
    );
  }
}

/** A stop that is hit and rests at the venue is the venue's to fill, for a while. */
const isLeftToVenue = ({ protection }: PlanRow, { closeNow }: PlanDemand): boolean =>
  protection.restsAt !== null &&
  closeNow !== null &&
  closeNow.reason !== "target" &&
  closeNow.reason !== "hold";

/** The best price matters where the stop follows it, and a price that came back from beyond the stop. */
const hasMoved = ({ stop }: Plan, before: KeptPosition, after: PlanDemand): boolean =>
  before.hitSinceMs !== null ||
  ((stop?.trail !== undefined || stop?.breakEvenAfterBps !== undefined) &&
    (before.bestPrice !== after.bestPrice || before.stopPrice !== after.stopPrice));

/** Plans what is due, unless the agent's lane changed anything meanwhile. Returns whether it did. */
async function carryOut(deps: TradingDeps, demanded: Demanded): Promise<boolean> {
  const { agent, row, demand } = demanded;
  const isDone = await deps.db.transaction().execute(async (transaction) => {
    await lockLane(transaction, agent.id);
    if ((await findPlanRow(transaction, agent.id))?.version !== row.version) return false;
    // A stop that was triggered is followed until it filled, or an exit takes its place
    if (await followsProtective(transaction, agent.id)) return false;
    const change =
      demand.closeNow === null
        ? await addTo(deps, transaction, demanded)
        : await closePart(deps, transaction, demanded, demand.closeNow);
    if (change === null) return false;
    const position = { ...row.position, ...change.position };
    const { bestPrice, stopPrice } = demand;
    const { version, unprotectedSinceMs, dueAtMs } = row;
    await applyChange(transaction, agent.id, {
      ...change.planned,
      plan: {
        kind: "looked",
        version,
        position: { ...position, bestPrice, stopPrice },
        unprotectedSinceMs,
        dueAtMs,
      },
    });
    return true;
  });
  if (isDone) publishStale(deps.publisher, agent, ["order", "agent", "position"]);
  return isDone;
}

interface PlannedStep {
  readonly planned: Change;
  readonly position: Partial<KeptPosition>;
}

/**
 * Begins the exit. While another exit is open, a target waits for its end, and one of a part becomes one of the whole
 * where the plan closes the whole.
 */
async function closePart(
  deps: TradingDeps,
  transaction: Db,
  { agent, row: { position } }: Demanded,
  closeNow: NonNullable<PlanDemand["closeNow"]>,
): Promise<PlannedStep | null> {
  const { baseSize, targets } = closeNow;
  const end = planEndOf(closeNow);
  const targetsHit = [...new Set([...position.targetsHit, ...targets])];
  const open = (await listExits(transaction, [agent.id])).find(
    ({ marketId }) => marketId === position.marketId,
  );
  if (open === undefined) {
    const planned = beginPlanExit(deps, agent, position, end, baseSize);
    return { planned, position: { targetsHit } };
  }
  const isWhole = baseSize >= position.baseSize;
  if (open.side !== position.side || open.part === null || !isWhole) return null;
  await widenExit(transaction, open.id, end);
  return { planned: { atMs: deps.clock.now(), stale: [] }, position: { targetsHit } };
}

/** Plans an opening order that adds to the position; the next one not before the bar has closed, unless it fills. */
async function addTo(
  deps: TradingDeps,
  transaction: Db,
  { agent, row: { position } }: Demanded,
): Promise<PlannedStep | null> {
  const isBusy =
    (await hasOpenOrders(transaction, agent.id)) ||
    (await listExits(transaction, [agent.id])).length > 0;
  if (isBusy) return null;
  const atMs = deps.clock.now();
  const { marketId, side } = position;
  const planned = planOrder(
    deps,
    agent,
    {
      eventId: null,
      signal: side === "long" ? "OPEN_LONG" : "OPEN_SHORT",
      leg: 0,
      marketId,
      exitId: null,
      planAct: "add",
      plannedAtMs: atMs,
    },
    { percentage: agent.plan?.adds?.sizePercent ?? 100 },
  );
  return {
    planned: { atMs, planned: [planned], stale: [] },
    position: { addAfterMs: nextCloseMs(agent, atMs) },
  };
}
