import type { PositionSummary } from "../../contract/trade.ts";
import { formatDecimal } from "../../domain/amount.ts";
import type { AgentId } from "../../domain/ids.ts";
import { PRICE_DECIMALS } from "../../domain/market.ts";
import { demandOf } from "../../domain/plan/demand.ts";
import { findAgent } from "../store/agents/agents.ts";
import { findPlanRow, readLook } from "../store/orders/plan-positions.ts";
import type { Db } from "../store/postgres/db.ts";

/** A stop that was not held against a price, or whose placing is under way, for this long is told, in milliseconds. */
const UNWATCHED_AFTER_MS = 30_000;

/** An entry that no node was asked about for this long is told, in milliseconds. */
const UNSEEN_AFTER_MS = 5_000;

type ShownPlan = NonNullable<PositionSummary["plan"]>;

/** Returns how the plan of an open position is kept, with its levels; null for an agent without a plan. */
export async function readShownPlan(
  db: Db,
  agentId: AgentId,
  nowMs: number,
): Promise<ShownPlan | null> {
  const [agent, row] = await Promise.all([findAgent(db, agentId), findPlanRow(db, agentId)]);
  const { plan = null, network, venue, marketId } = agent ?? {};
  if (plan === null || network === undefined || venue == null || marketId === undefined)
    return null;
  // The lane has a moment to see the position: `row` is there from the entry's fill on
  if (row === null || row.isOver) return { kept: "none", targets: [] };
  if (row.position === null) {
    const { openedAtMs } = row;
    const isUnseen =
      plan.stop !== undefined && openedAtMs !== null && nowMs - openedAtMs > UNSEEN_AFTER_MS;
    const since = isUnseen && { withoutStopSince: new Date(openedAtMs).toISOString() };
    return { kept: "watched", targets: [], ...since };
  }
  const { position } = row;
  const { restsAt, missingSinceMs, sent } = row.protection;
  const isMissing =
    missingSinceMs !== null && (sent === null || nowMs - missingSinceMs > UNWATCHED_AFTER_MS);
  const { protective } = demandOf(
    plan,
    { ...position, addsDone: row.addsDone, barsHeld: 0 },
    { price: position.bestPrice },
  );
  const hasStop = protective.some(({ key }) => key === "stop");
  const price = (units: bigint) => formatDecimal(units, PRICE_DECIMALS);
  const lookedAtMs = (await readLook(db, { network, venue, marketId })) ?? position.openedAtMs;
  return {
    kept: restsAt !== null && !isMissing ? "resting" : "watched",
    ...stopOf(),
    targets: protective.flatMap(({ key, triggerPrice }) =>
      key === "stop" ? [] : [{ target: Number(key.slice(-1)), price: price(triggerPrice) }],
    ),
    ...(nowMs - lookedAtMs > UNWATCHED_AFTER_MS && {
      unwatchedSince: new Date(lookedAtMs).toISOString(),
    }),
    ...(row.unprotectedSinceMs !== null &&
      !hasStop && {
        withoutStopSince: new Date(row.unprotectedSinceMs).toISOString(),
      }),
    ...(isMissing && { notRestingSince: new Date(missingSinceMs).toISOString() }),
  };

  function stopOf(): Pick<ShownPlan, "stop"> {
    const stop = protective.find(({ key }) => key === "stop");
    if (stop === undefined || stop.reason === "target") return {};
    return { stop: { price: price(stop.triggerPrice), by: stop.reason } };
  }
}
