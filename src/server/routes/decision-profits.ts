import { type ClosedPnl, closedPnls } from "../../domain/closed-pnl.ts";
import { kindOf } from "../../venues/profiles.ts";
import { tradedSignal } from "../../domain/order/trade-log.ts";
import type { DecidedTrade } from "../store/orders/decision-sums.ts";

/** PnL of a closing trade, with the opening trade; null where unknown. */
export interface TradeProfit {
  readonly id: string;
  readonly closed: ClosedPnl;
  readonly closing: DecidedTrade;
  readonly opening: DecidedTrade | null;
}

/** Returns the PnL of every closing trade of an agent. `lines` must be oldest first. */
export function profitsOf(lines: readonly DecidedTrade[]): readonly TradeProfit[] {
  const traded = lines.filter(({ status, type }) => status === "success" && type !== "reset");
  const markets = [...new Set(traded.map(({ market }) => market))];
  return markets.flatMap((market) =>
    profitsOfMarket(traded.filter((trade) => trade.market === market)),
  );
}

function profitsOfMarket(trades: readonly DecidedTrade[]): TradeProfit[] {
  const logged = trades.map((trade) => ({
    signal: tradedSignal(trade.signal, trade.side, kindOf(trade.market)),
    baseSize: BigInt(trade.baseSize),
    quoteTotal: BigInt(trade.quoteTotal),
    fee: trade.fee === null ? null : BigInt(trade.fee),
  }));
  const closed = closedPnls(logged);
  let opening: DecidedTrade | null = null;
  return trades.flatMap((trade, index) => {
    const pnl = closed[index] ?? null;
    const found = pnl === null ? [] : [{ id: trade.id, closed: pnl, closing: trade, opening }];
    if (logged[index]?.signal.startsWith("OPEN_")) opening = trade;
    return found;
  });
}
