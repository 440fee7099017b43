import { mulDiv } from "../../../domain/amount.ts";
import { type Market, PRICE_DECIMALS, findMarket } from "../../../domain/market.ts";
import type { Fill } from "../../../domain/order/order.ts";
import { type RiskLedger, recordOrderEnd } from "../../../domain/risk-ledger.ts";
import type { HeldLane } from "../../store/lanes.ts";
import { recordEnd, type RecordedEnd } from "../../store/order-outcomes.ts";
import type { OpenOrder } from "../../store/orders.ts";
import { publishOrderChange, publishPositionChange } from "./publish-order-change.ts";
import type { TradingAgent } from "../trading-agent.ts";
import type { TradingDeps } from "../trading-deps.ts";

/** How a sent order ended. */
export type OrderEnd =
  | {
      readonly state: "filled";
      readonly fills: readonly Fill[];
      readonly marketId: string;
      readonly slot: bigint;
    }
  | { readonly state: "rejected"; readonly reason: string }
  | { readonly state: "expired" };

/** A lane with what its agent's earlier orders mean. */
export interface LaneRisk {
  readonly lane: HeldLane;
  readonly ledger: RiskLedger;
}

/**
 * Records a sent order's end with its line of the trade log, the agent's risk figures and the fate of a second leg,
 * all or nothing. False when another holder of the lane was first.
 */
export async function recordOutcome(
  deps: TradingDeps,
  order: OpenOrder,
  agent: TradingAgent,
  { lane, ledger }: LaneRisk,
  end: OrderEnd,
): Promise<boolean> {
  const isFilled = end.state === "filled";
  const isRecorded = await recordEnd(deps.lanes, lane, {
    orderId: order.id,
    state: end.state,
    reason: isFilled ? null : end.state === "rejected" ? end.reason : "expired",
    atMs: deps.clock.now(),
    ledger: recordOrderEnd(ledger, isFilled),
    figures: isFilled ? fillFigures(end.fills, agent, end.marketId) : null,
    slot: isFilled ? end.slot : null,
    dropsSecondLeg: !isFilled && order.leg === 0,
  });
  if (isRecorded) {
    publishOrderChange(deps, agent.record);
    publishPositionChange(deps, agent.record);
  }
  return isRecorded;
}

function fillFigures(
  fills: readonly Fill[],
  agent: TradingAgent,
  marketId: string,
): NonNullable<RecordedEnd["figures"]> {
  const venue = agent.place?.venue;
  const market = venue === undefined ? undefined : findMarket(venue.id, marketId);
  const sum = (pick: (fill: Fill) => bigint) => fills.reduce((all, fill) => all + pick(fill), 0n);
  const baseSize = sum((fill) => fill.baseSize);
  const quoteTotal = sum((fill) => fill.quoteSize);
  const figures = { baseSize, quoteTotal, fee: sum((fill) => fill.fee), price: null };
  if (market === undefined || venue === undefined || baseSize === 0n) return figures;
  const quoteDecimals = venue.profile.quote.decimals;
  return { ...figures, price: averagePrice(quoteTotal, baseSize, market, quoteDecimals) };
}

/** Returns quote units with six decimals per whole asset, halves rounded up. */
function averagePrice(
  quoteTotal: bigint,
  baseSize: bigint,
  market: Market,
  quoteDecimals: number,
): bigint {
  const perWhole = 10n ** BigInt(market.baseDecimals + PRICE_DECIMALS);
  return mulDiv(quoteTotal, perWhole, baseSize * 10n ** BigInt(quoteDecimals), "half_up");
}
