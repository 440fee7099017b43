import { formatDecimal } from "../../../../domain/amount.ts";
import { PRICE_DECIMALS } from "../../../../domain/market.ts";
import { barsOf } from "../../../../strategy/bar-times.ts";
import { tradeReturn } from "../../../../strategy/measures.ts";
import type { SimulatedTrade, TradeEnd } from "../../../../strategy/simulation.ts";
import type { ChartPreview, PreviewMark } from "../../../lib/chart-preview.ts";
import type { Times } from "../../../lib/time-zone.ts";
import type { AgentReport } from "../../../../assistant/simulate-agent.ts";
import { shareText } from "./share-text.ts";

/** Number of bars before and after a trade in the preview. */
const BARS_BESIDE = 500;

const END_WORDS = {
  signal: "Exit",
  liquidation: "Closed by the venue",
  open: "",
  stop: "Stop",
  trail: "Trailing stop",
  break_even: "Break-even",
  target: "Target",
  hold: "Time is up",
} as const satisfies Record<TradeEnd, string>;

/** Significant digits of a price in a mark: a longer text is cut at the chart's edge. */
const MARK_DIGITS = 6;

/** Returns the marks of a trade's entry and, where it has one, its exit. */
function marksOf(trade: SimulatedTrade): readonly PreviewMark[] {
  const { side, enteredAtMs, exitedAtMs, endedBy } = trade;
  const price = (units: bigint) =>
    String(Number(Number(formatDecimal(units, PRICE_DECIMALS)).toPrecision(MARK_DIGITS)));
  const isLong = side === "long";
  const entry: PreviewMark = {
    atMs: enteredAtMs,
    kind: isLong ? "buy" : "sell",
    text: `Entry ${price(trade.entryPrice)}`,
  };
  if (exitedAtMs === null) return [entry];
  const text = `${END_WORDS[endedBy]} ${price(trade.exitPrice)}`;
  return [entry, { atMs: exitedAtMs, kind: isLong ? "sell" : "buy", text }];
}

/** Time in which a run is played, in milliseconds. */
const PLAYED_MS = 20_000;

/** Bars before the run that are shown from the start. */
const BARS_BEFORE = 48;

/** Returns a chart preview that plays a whole run: its bars one after the other, with each trade's marks. */
export function runPreview({ request, report, source, barMinutes }: AgentReport): ChartPreview {
  const { asset } = request.agent.market;
  const { closedTrades, totalReturn } = report.measures;
  const { trades } = report.result;
  const isPartly = request.agent.alerts.some(({ condition }) => condition === undefined);
  const bars = barsOf(request.columns);
  const begun = bars.findIndex(({ openTimeMs }) => openTimeMs >= request.fromMs);
  const shown = bars.slice(Math.max(0, begun - BARS_BEFORE));
  const firstMs = shown[0]?.openTimeMs ?? request.fromMs;
  const lastMs = shown.at(-1)?.openTimeMs ?? firstMs;
  // The chart shows half of the range more on both sides
  const quarter = (lastMs - firstMs) / 4;
  const counted =
    trades.length === 0
      ? "no trade"
      : `${closedTrades} closed ${closedTrades === 1 ? "trade" : "trades"}${trades.length > closedTrades ? " and one open" : ""}, ${shareText(totalReturn, true)} after costs`;
  return {
    title: `This agent's last seven days on ${asset}, simulated: ${counted}.${isPartly ? " Alerts from outside are not in it." : ""}`,
    asset,
    intervalMinutes: barMinutes,
    source,
    bars: shown,
    marks: trades.flatMap(marksOf).toSorted((a, b) => a.atMs - b.atMs),
    view: { fromMs: firstMs + quarter, toMs: lastMs - quarter },
    played: { fromMs: request.fromMs, forMs: PLAYED_MS },
  };
}

/** Returns a chart preview of a simulated trade: the run's bars, entry and exit. */
export function tradePreview(
  { request, source, barMinutes }: AgentReport,
  trade: SimulatedTrade,
  times: Times,
): ChartPreview {
  const { side, enteredAtMs, exitedAtMs } = trade;
  const bars = barsOf(request.columns);
  const entered = bars.findIndex(({ closeTimeMs }) => closeTimeMs > enteredAtMs);
  const found = bars.findIndex(({ closeTimeMs }) => closeTimeMs > (exitedAtMs ?? Infinity));
  const exited = found === -1 ? bars.length - 1 : found;
  const until = exitedAtMs === null ? "still open" : `to ${times.short(exitedAtMs)}`;
  return {
    title: `Simulated trade, ${side}, ${times.short(enteredAtMs)} ${until} (${times.zone}): ${shareText(tradeReturn(trade), true)}.`,
    asset: request.agent.market.asset,
    intervalMinutes: barMinutes,
    source,
    bars: bars.slice(Math.max(0, entered - BARS_BESIDE), exited + BARS_BESIDE),
    marks: marksOf(trade),
    view: { fromMs: enteredAtMs, toMs: exitedAtMs ?? bars.at(-1)?.openTimeMs ?? enteredAtMs },
  };
}
