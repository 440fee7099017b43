import type { TradeLogEntry } from "../../contract/trade-log.ts";
import { formatDecimal } from "../../domain/amount.ts";
import { PRICE_DECIMALS } from "../../domain/market.ts";
import { lineAmount } from "../../domain/order/order-states.ts";
import type { TradeLogRow } from "../store/trade-log/trade-log.ts";

/** Returns a row of the trade log as the page shows it, amounts as exact decimal text. */
export function showEntry(row: TradeLogRow): TradeLogEntry {
  const quote = (units: string) => lineAmount(units, row.quote_decimals);
  return {
    id: row.id,
    market: row.market,
    size: lineAmount(row.base_size, row.base_decimals),
    percentage: `${row.percentage}`,
    total: quote(row.quote_total),
    type: row.type,
    side: row.side,
    signal: row.signal,
    at: row.at.toISOString(),
    status: row.status,
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.price === null ? {} : { price: formatDecimal(BigInt(row.price), PRICE_DECIMALS) }),
    ...(row.fee === null ? {} : { fee: quote(row.fee) }),
    ...(row.rule_id === null ? {} : { ruleId: row.rule_id }),
    ...(row.signature === null ? {} : { signature: row.signature }),
    ...(row.plan_act === null ? {} : { plan: row.plan_act }),
    ...(row.by_owner ? { byOwner: true as const } : {}),
  };
}
