import { formatDecimal } from "../../../../domain/amount.ts";
import { PRICE_DECIMALS } from "../../../../domain/market.ts";
import type { AgentReport } from "../../../../assistant/simulate-agent.ts";

const iso = (timeMs: number | null) => (timeMs === null ? "" : new Date(timeMs).toISOString());

/** Returns a run with all its inputs except the bars; amounts are decimal digits in base units. */
export function runJson({ request, report, source, barMinutes }: AgentReport): string {
  const { columns, ...input } = request;
  const { result, inputHash, ...judged } = report;
  const { times, equity, closes, ...run } = result;
  const value = {
    inputHash,
    source,
    bars: {
      count: columns.openTimeMs.length,
      minutes: barMinutes,
      firstOpenTimeMs: columns.openTimeMs[0] ?? null,
      completeUntilMs: columns.closeTimeMs.at(-1) ?? null,
    },
    input,
    ...judged,
    run,
    equity: Array.from(times, (time, at) => [time, equity[at], closes[at]]),
  };
  return JSON.stringify(
    value,
    (_key, each: unknown) => (typeof each === "bigint" ? `${each}` : each),
    2,
  );
}

/** Returns the trades of a run as comma-separated text (RFC 4180), exact figures, times in UTC. */
export function tradesCsv({ request, report }: AgentReport): string {
  const { quoteDecimals, agent } = request;
  const price = (units: bigint) => formatDecimal(units, PRICE_DECIMALS);
  const quote = (units: bigint) => formatDecimal(units, quoteDecimals);
  const rows = report.result.trades.map((trade) => [
    iso(trade.enteredAtMs),
    iso(trade.exitedAtMs),
    trade.side,
    formatDecimal(trade.baseSize, agent.market.baseDecimals),
    price(trade.entryPrice),
    price(trade.exitPrice),
    quote(trade.pnl),
    quote(trade.fees),
    quote(trade.funding),
    `${trade.bars}`,
    trade.endedBy,
  ]);
  const head =
    "Entered,Exited,Side,Size,Entry price,Exit price,Result,Fees,Funding,Bars,Ended by".split(",");
  return [head, ...rows].map((row) => `${row.join(",")}\r\n`).join("");
}
