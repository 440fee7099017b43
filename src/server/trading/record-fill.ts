import { mulDiv } from "../../domain/amount.ts";
import { type Market, PRICE_DECIMALS, findMarket } from "../../domain/market.ts";
import type { Fill } from "../../domain/order.ts";
import { recordOrderEnd } from "../../domain/risk-ledger.ts";
import { tradeLogStatus } from "../../domain/trade-log.ts";
import { lockFencedLane, readRiskLedger, writeRiskLedger } from "../store/lanes.ts";
import { denyPlannedOrders, moveOrder, type OpenOrder } from "../store/orders.ts";
import { type TradeLogChange, updateTradeLogOfOrder } from "../store/trade-log-writes.ts";
import { publishOrderChange, publishPositionChange } from "./publish-order-change.ts";
import type { TradingAgent } from "./trading-agent.ts";
import type { TradingDeps } from "./trading-deps.ts";

/** How a sent order ended. */
export type OrderEnd =
  | { readonly state: "filled"; readonly fills: readonly Fill[]; readonly marketId: string }
  | { readonly state: "rejected"; readonly reason: string }
  | { readonly state: "expired" };

/**
 * Records a sent order's end with its line of the trade log, the agent's risk figures and the fate of a second leg,
 * all or nothing. False when another holder of the lane was first.
 */
export async function recordOutcome(
  deps: TradingDeps,
  order: OpenOrder,
  agent: TradingAgent,
  fence: bigint,
  end: OrderEnd,
): Promise<boolean> {
  const atMs = deps.clock.now();
  const reason = end.state === "filled" ? null : end.state === "rejected" ? end.reason : "expired";
  const isRecorded = await deps.db.transaction().execute(async (transaction) => {
    if (!(await lockFencedLane(transaction, order.agentId, fence))) return false;
    const to = { state: end.state, reason, settledAtMs: atMs };
    if (!(await moveOrder(transaction, order.id, ["submitted", "unknown"], to))) return false;
    await updateTradeLogOfOrder(transaction, order.id, {
      status: tradeLogStatus(end.state),
      reason,
      atMs,
      ...(end.state === "filled" ? fillFigures(end.fills, agent, end.marketId) : {}),
    });
    const ledger = await readRiskLedger(transaction, order.agentId);
    const next = recordOrderEnd(ledger, end.state === "filled");
    await writeRiskLedger(transaction, order.agentId, next);
    if (end.state !== "filled" && order.leg === 0) {
      await denySecondLeg(transaction, order.agentId, atMs);
    }
    return true;
  });
  if (isRecorded) {
    publishOrderChange(deps, agent.record);
    publishPositionChange(deps, agent.record);
  }
  return isRecorded;
}

async function denySecondLeg(
  transaction: TradingDeps["db"],
  agentId: string,
  atMs: number,
): Promise<void> {
  const reason = "first_leg_failed";
  const ids = await denyPlannedOrders(transaction, agentId, "second_leg", reason, atMs);
  for (const id of ids) {
    await updateTradeLogOfOrder(transaction, id, { status: "failed", reason, atMs });
  }
}

function fillFigures(
  fills: readonly Fill[],
  agent: TradingAgent,
  marketId: string,
): Pick<TradeLogChange, "baseSize" | "quoteTotal" | "fee" | "price"> {
  const venue = agent.place?.venue;
  const market = venue === undefined ? undefined : findMarket(venue.id, marketId);
  const sum = (pick: (fill: Fill) => bigint) => fills.reduce((all, fill) => all + pick(fill), 0n);
  const baseSize = sum((fill) => fill.baseSize);
  const quoteTotal = sum((fill) => fill.quoteSize);
  const figures = { baseSize, quoteTotal, fee: sum((fill) => fill.fee) };
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
