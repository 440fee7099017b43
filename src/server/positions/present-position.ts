import { formatDecimal, formatFixed, mulDiv } from "../../domain/amount.ts";
import { type Market, PRICE_DECIMALS } from "../../domain/market.ts";
import { findMarket, kindOf, VENUE_PROFILES } from "../../venues/profiles.ts";
import type { Position } from "../../domain/position.ts";
import type { CustodyAgent } from "../store/custody/multisigs.ts";
import { shownVenue } from "../../domain/venue-id.ts";
import type { AccountSnapshot } from "./account-reader.ts";
import type { PositionSummary } from "../../contract/trade.ts";
import type { AgentId } from "../../domain/ids.ts";
import { demandOf } from "../../domain/plan/demand.ts";
import { findAgent } from "../store/agents/agents.ts";
import { findPlanRow, readLook } from "../store/orders/plan-positions.ts";
import type { Db } from "../store/postgres/db.ts";

/** Decimals of quote figures and percentages on the wire. */
const PLACES = 2;

/** Returns the PnL in percent of the entry value with two decimals; 0.00 for an empty position. */
export function pnlPercent(position: Position, market: Market): string {
  const entryValue = mulDiv(
    position.baseSize,
    position.entryPrice,
    10n ** BigInt(market.baseDecimals),
    "down",
  );
  if (entryValue <= 0n) return "0.00";
  const hundredths = mulDiv(position.unrealizedPnl, 10_000n, entryValue, "half_up");
  return formatFixed(hundredths, PLACES, PLACES);
}

const presentPnl = (position: Position, market: Market) =>
  position.isCostUnknown === true ? {} : { pnl: pnlPercent(position, market) };

/** Returns the size with its sign: short is negative. */
export function signedSize(position: Position, market: Market): string {
  const size = position.side === "short" ? -position.baseSize : position.baseSize;
  return formatDecimal(size, market.baseDecimals);
}

const UNREAD = {
  position: "0",
  portfolioValue: "0.00",
  pnl: "0.00",
  positionValue: "0.00",
  available: false,
};

/**
 * Returns an agent's account in its wire format; when it could not be read, zeros marked unavailable with the time
 * since when.
 */
export function presentSummary(
  agent: CustodyAgent,
  snapshot: AccountSnapshot | null,
  unreadSinceMs: number | null = null,
) {
  if (snapshot === null) {
    return unreadSinceMs === null
      ? UNREAD
      : { ...UNREAD, asOf: new Date(unreadSinceMs).toISOString() };
  }
  const { state } = snapshot;
  const quoteDecimals = quoteDecimalsOf(agent);
  const quote = (units: bigint): string => formatFixed(units, quoteDecimals, PLACES);
  const market = findMarket(shownVenue(agent.venue), agent.marketId);
  const position = state.positions.find((held) => held.marketId === agent.marketId);
  const isFlat = market === undefined || position === undefined;
  return {
    position: isFlat ? "0" : signedSize(position, market),
    portfolioValue: quote(state.portfolioValue),
    ...(isFlat ? { pnl: "0.00" } : presentPnl(position, market)),
    positionValue: quote(isFlat ? 0n : position.positionValue),
    ...(!isFlat && presentExposure(position, state.portfolioValue, quoteDecimals)),
    available: true,
    asOf: new Date(snapshot.readAtMs).toISOString(),
    freeCollateral: quote(state.freeCollateral),
    withdrawable: formatDecimal(state.withdrawable, quoteDecimals),
    health: state.health,
    ...(state.bound !== undefined && {
      [state.bound.isDrawn ? "limitLeft" : "entryLimit"]: quote(state.freeCollateral),
    }),
  };
}

/** Direction, entry and, for perpetuals, exposure, funding and the price of liquidation. */
function presentExposure(position: Position, worth: bigint, quoteDecimals: number) {
  const { marketId, side, entryPrice, isCostUnknown, liquidationPrice, fundingPerHour } = position;
  const price = (value: bigint): string => formatDecimal(value, PRICE_DECIMALS);
  return {
    side,
    ...(isCostUnknown !== true && { entryPrice: price(entryPrice) }),
    ...(kindOf(marketId) === "perpetual" &&
      worth > 0n && {
        exposure: formatFixed(mulDiv(position.positionValue, 100n, worth, "up"), PLACES, PLACES),
      }),
    ...(fundingPerHour !== undefined && {
      fundingPerHour: formatDecimal(fundingPerHour, quoteDecimals),
    }),
    ...(liquidationPrice !== undefined && {
      liquidationPrice: liquidationPrice === null ? "none" : price(liquidationPrice),
    }),
  };
}

/** Returns the venue's quote decimals; throws for an agent without a venue, which cannot have been read. */
function quoteDecimalsOf({ agentId, venue }: CustodyAgent): number {
  if (venue === null) throw new Error(`Agent ${agentId} was read on no venue`);
  return VENUE_PROFILES[venue].quote.decimals;
}

/** Returns every open position of an agent in its wire format. */
export function presentPositions(agent: CustodyAgent, snapshot: AccountSnapshot) {
  const quoteDecimals = quoteDecimalsOf(agent);
  return snapshot.state.positions.flatMap((position) => {
    const market = findMarket(shownVenue(agent.venue), position.marketId);
    if (market === undefined) return [];
    return [
      {
        agentId: agent.agentId,
        agent: agent.name,
        market: position.marketId,
        side: position.side,
        size: formatDecimal(position.baseSize, market.baseDecimals),
        ...(position.isCostUnknown !== true && {
          entryPrice: formatDecimal(position.entryPrice, PRICE_DECIMALS),
        }),
        ...presentPnl(position, market),
        positionValue: formatFixed(position.positionValue, quoteDecimals, PLACES),
      },
    ];
  });
}

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
