import { formatDecimal } from "../../../../domain/amount.ts";
import { PRICE_DECIMALS } from "../../../../domain/market.ts";
import { barsOf } from "../../../../strategy/bar-columns.ts";
import { tradeReturn } from "../../../../strategy/measures.ts";
import type { SimulatedTrade, TradeEnd } from "../../../../strategy/simulation.ts";
import type { ChartPreview, PreviewMark } from "../../../lib/chart-preview.ts";
import type { Times } from "../../../lib/times.ts";
import type { AgentReport } from "../../../workers/simulate-agent.ts";
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

/** Returns a chart preview of a simulated trade: the run's bars, entry and exit. */
export function tradePreview(
  { request, source, barMinutes }: AgentReport,
  trade: SimulatedTrade,
  times: Times,
): ChartPreview {
  const { side, enteredAtMs, exitedAtMs, endedBy } = trade;
  const bars = barsOf(request.columns);
  const entered = bars.findIndex(({ closeTimeMs }) => closeTimeMs > enteredAtMs);
  const found = bars.findIndex(({ closeTimeMs }) => closeTimeMs > (exitedAtMs ?? Infinity));
  const exited = found === -1 ? bars.length - 1 : found;
  const price = (units: bigint) => formatDecimal(units, PRICE_DECIMALS);
  const exit: PreviewMark[] =
    exitedAtMs === null
      ? []
      : [
          {
            atMs: exitedAtMs,
            kind: side === "long" ? "sell" : "buy",
            text: `${END_WORDS[endedBy]} ${price(trade.exitPrice)}`,
          },
        ];
  const until = exitedAtMs === null ? "still open" : `to ${times.short(exitedAtMs)}`;
  return {
    title: `Simulated trade, ${side}, ${times.short(enteredAtMs)} ${until} (${times.zone}): ${shareText(tradeReturn(trade), true)}.`,
    asset: request.agent.market.asset,
    intervalMinutes: barMinutes,
    source,
    bars: bars.slice(Math.max(0, entered - BARS_BESIDE), exited + BARS_BESIDE),
    marks: [
      {
        atMs: enteredAtMs,
        kind: side === "long" ? "buy" : "sell",
        text: `Entry ${price(trade.entryPrice)}`,
      },
      ...exit,
    ],
    view: { fromMs: enteredAtMs, toMs: exitedAtMs ?? bars.at(-1)?.openTimeMs ?? enteredAtMs },
  };
}
