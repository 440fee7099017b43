import { memo, useMemo } from "react";
import { returnOver, createDrawdown } from "../../../../domain/measures/growth.ts";
import type { SimulatedTrade, SimulationResult } from "../../../../strategy/simulation.ts";
import { Button } from "../../../ui/button.tsx";
import { type Curve, CurveChart, type CurvePanel } from "../../../ui/curve-chart.tsx";
import { shareText } from "./share-text.ts";

interface EquityChartProps {
  readonly result: SimulationResult;
  readonly quoteDecimals: number;
  readonly quoteSymbol: string;
  /** Close of the last bar before the held-out part; null without one. */
  readonly splitAtMs: number | null;
  /** Selected trade; null shows the whole run. */
  readonly trade: SimulatedTrade | null;
  readonly onWhole: () => void;
}

/** Chart of account value against buy-and-hold, drawdown, and price with trades. */
export const EquityChart = memo(function EquityChart(props: EquityChartProps) {
  const { result, quoteDecimals, quoteSymbol, splitAtMs, trade, onWhole } = props;
  const { panels, summary, split } = useMemo(() => {
    const whole = equitySeries(result, quoteDecimals);
    const series = trade === null ? whole : cutSeries(whole, barsAround(whole.times, trade));
    return {
      panels: panelsOf(series, quoteSymbol, tradeMarks(series, result.trades, trade !== null)),
      summary: describe(series),
      split: splitAtMs === null ? undefined : series.times.find((time) => time > splitAtMs),
    };
  }, [result, quoteDecimals, quoteSymbol, splitAtMs, trade]);
  return (
    <CurveChart
      label="The account over time, its fall from the peak, and the price"
      panels={panels}
      summary={summary}
      shaded={split === undefined ? undefined : { from: split / 1_000, label: "Kept out" }}
    >
      {trade !== null && (
        <Button size="small" onClick={onWhole}>
          Show the whole run
        </Button>
      )}
    </CurveChart>
  );
});

/** Returns the plots of account and holding, drawdown, and price. */
function panelsOf(
  { times, equity, holding, drawdown, closes }: EquitySeries,
  quoteSymbol: string,
  points: CurvePanel["points"] = [],
): readonly CurvePanel[] {
  const seconds = times.map((atMs) => atMs / 1_000);
  const curve = (label: string, values: Float64Array, tone: Curve["tone"]): Curve => ({
    label,
    times: seconds,
    values,
    tone,
  });
  return [
    {
      curves: [curve("Account", equity, "accent"), curve("Holding", holding, "muted")],
      formatValue: (figure) => Math.round(figure).toLocaleString("en-US"),
      unit: quoteSymbol,
      height: "h-36 sm:h-48",
    },
    {
      curves: [{ ...curve("Below its peak", drawdown, "down"), isArea: true }],
      formatValue: (share) => shareText(share),
      height: "h-14 sm:h-16",
      top: 0,
      lines: 2,
    },
    {
      curves: [curve("Price", closes, "plain")],
      formatValue: (figure) => figure.toPrecision(5),
      height: "h-20 sm:h-24",
      lines: 3,
      points,
    },
  ];
}

function describe({ equity, holding, drawdown }: EquitySeries): string {
  const of = (figures: Float64Array) => shareText(returnOver(figures[0] || 1, figures.at(-1) ?? 1));
  const deepest = drawdown.reduce((a, b) => Math.min(a, b), 0);
  return `The account changed by ${of(equity)}, holding the asset by ${of(holding)}; the deepest fall was ${shareText(-deepest)}.`;
}

/** Maximum number of trades with marks over a whole run; more would hide the price. */
const MOST_MARKED = 80;

/** Returns a mark for each entry and exit among the bars. */
function tradeMarks(
  { times, closes }: EquitySeries,
  trades: readonly SimulatedTrade[],
  isClose: boolean,
): CurvePanel["points"] {
  const [from, to] = [times[0] ?? 0, times.at(-1) ?? 0];
  const inside = trades.filter(
    ({ enteredAtMs, exitedAtMs }) => enteredAtMs < to && (exitedAtMs ?? to) >= from,
  );
  if (inside.length > MOST_MARKED && !isClose) return [];
  const mark = (atMs: number, isUp: boolean) => {
    const at = times.findIndex((time) => time > atMs);
    if (at === -1 || atMs < from) return [];
    return [{ time: (times[at] ?? 0) / 1_000, value: closes[at] ?? 0, isUp }];
  };
  return inside.flatMap(({ side, enteredAtMs, exitedAtMs }) => [
    ...mark(enteredAtMs, side === "long"),
    ...(exitedAtMs === null ? [] : mark(exitedAtMs, side === "short")),
  ]);
}

/** Chart series of a run, in whole quote units. */
interface EquitySeries {
  readonly times: Float64Array;
  readonly equity: Float64Array;
  readonly holding: Float64Array;
  /** Drawdown as a fraction: 0 at a peak, -0.1 after a loss of 10 percent. */
  readonly drawdown: Float64Array;
  readonly closes: Float64Array;
}

/** Returns the chart series of a run: account value, buy-and-hold for the same money, and drawdown. */
export function equitySeries(result: SimulationResult, quoteDecimals: number): EquitySeries {
  const { times, equity, closes, firstOpen } = result;
  const start = Number(result.startMoney) / 10 ** quoteDecimals;
  const drawdown = createDrawdown(start);
  return {
    times,
    equity,
    closes,
    holding: closes.map((close) => (firstOpen > 0 ? (start * close) / firstOpen : start)),
    drawdown: equity.map((worth) => 0 - drawdown(worth)),
  };
}

/** Number of bars shown before and after a selected trade. */
const BARS_AROUND = 40;

/** Range of shown bars, start inclusive, end exclusive. */
interface ShownBars {
  readonly from: number;
  readonly to: number;
}

/** Returns the range of bars around a trade. */
export function barsAround(
  times: Float64Array,
  trade: { readonly enteredAtMs: number; readonly exitedAtMs: number | null },
): ShownBars {
  const last = times.length - 1;
  const entered = Math.max(
    0,
    times.findIndex((time) => time > trade.enteredAtMs),
  );
  const exitedAtMs = trade.exitedAtMs;
  const found = exitedAtMs === null ? last : times.findIndex((time) => time >= exitedAtMs);
  const exited = found === -1 ? last : found;
  const around = Math.max(BARS_AROUND, exited - entered);
  return { from: Math.max(0, entered - around), to: Math.min(times.length, exited + around + 1) };
}

function cutSeries(series: EquitySeries, { from, to }: ShownBars): EquitySeries {
  return {
    times: series.times.subarray(from, to),
    equity: series.equity.subarray(from, to),
    holding: series.holding.subarray(from, to),
    drawdown: series.drawdown.subarray(from, to),
    closes: series.closes.subarray(from, to),
  };
}
