import type { ResponseOf } from "../../contract/route.ts";
import type { ROUTES } from "../../contract/routes.ts";
import { formatDecimal } from "../../domain/amount.ts";
import type { ClosedPnl } from "../../domain/closed-pnl.ts";
import { PRICE_DECIMALS } from "../../domain/market.ts";
import { kindOf } from "../../venues/profiles.ts";
import { lineAmount, tradedSignal } from "../../domain/order/trade-log.ts";
import type { TradeLogRecord } from "../store/trade-log/trade-log.ts";
import { percentOf } from "./percent-of.ts";

type Details = ResponseOf<typeof ROUTES.getTradeDetails>;

/** Returns the details of an entry; `closed` is what it earned where it closed something. */
export function presentDetails(entry: TradeLogRecord, closed: ClosedPnl | null): Details {
  return { ...priceFigures(entry), ...pnlFigures(entry, closed), ...timeFigures(entry) };
}

function priceFigures({ intent, price, signal, side, market: marketId }: TradeLogRecord) {
  const reference = (intent as { readonly referencePrice?: string } | null)?.referencePrice;
  if (reference === undefined) return {};
  const market = BigInt(reference);
  const marketPrice = formatDecimal(market, PRICE_DECIMALS);
  if (price === null || market <= 0n) return { marketPrice };
  const traded = tradedSignal(signal, side, kindOf(marketId));
  const isBuy = traded === "OPEN_LONG" || traded === "CLOSE_SHORT";
  const worse = isBuy ? BigInt(price) - market : market - BigInt(price);
  return { marketPrice, slippage: percentOf(worse, market) };
}

function pnlFigures(entry: TradeLogRecord, closed: ClosedPnl | null) {
  if (closed === null) return {};
  const pnl = lineAmount(closed.pnl, entry.quote_decimals);
  return closed.entry <= 0n ? { pnl } : { pnl, pnlPercent: percentOf(closed.pnl, closed.entry) };
}

function timeFigures({ received_at, status, at }: TradeLogRecord) {
  if (received_at === null) return {};
  const alertAt = received_at.toISOString();
  if (status !== "success") return { alertAt };
  return { alertAt, fillMs: Math.max(0, at.getTime() - received_at.getTime()) };
}
