import { memo, useMemo } from "react";
import { returnOver } from "../../../../domain/measures/growth.ts";
import type { SimulatedTrade, SimulationResult } from "../../../../strategy/simulation.ts";
import { axisTime } from "../../../lib/times.ts";
import { useTimes } from "../../../lib/time-zone.ts";
import { Button } from "../../../ui/button.tsx";
import {
  CurveCursor,
  CurveKey,
  CurvePlot,
  percent,
  TimeMarks,
  useCurveCursor,
} from "../../../ui/curve-chart.tsx";
import { type Curve, type Scale, scaleOf, thinned } from "../../../ui/curve.ts";
import { barsAround, cutSeries, type EquitySeries, equitySeries } from "./equity-series.ts";
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

const HEIGHT = 380;

/** One of the plots below each other, in units of the whole height. */
interface Plot {
  readonly top: number;
  readonly height: number;
  readonly values: Scale;
  readonly curves: readonly Curve[];
  readonly formatValue: (value: number) => string;
}

/** Returns the plots of account and holding, drawdown, and price. */
function plotsOf({ times, equity, holding, drawdown, closes }: EquitySeries) {
  const curve = (label: string, figures: Float64Array, tone: Curve["tone"]): Curve => ({
    label,
    points: thinned(times, figures),
    tone,
  });
  const worth = [curve("Holding", holding, "muted"), curve("Account", equity, "accent")];
  const fall = { ...curve("Below its peak", drawdown, "down"), isArea: true };
  const price = curve("Price", closes, "plain");
  const values = (...curves: readonly Curve[]) =>
    scaleOf(
      curves.map(({ points }) => points),
      0,
    );
  return {
    worth: {
      top: 8,
      height: 176,
      values: values(...worth),
      curves: worth,
      formatValue: (figure: number) => Math.round(figure).toLocaleString("en-US"),
    },
    fall: {
      top: 200,
      height: 64,
      values: { from: Math.min(values(fall).from, -0.01), to: 0 },
      curves: [fall],
      formatValue: shareText,
    },
    price: {
      top: 280,
      height: 92,
      values: values(price),
      curves: [price],
      formatValue: (figure: number) => figure.toPrecision(5),
    },
  } satisfies Readonly<Record<string, Plot>>;
}

/** Chart of account value against buy-and-hold, drawdown, and price with trades. */
export const EquityChart = memo(function EquityChart(props: EquityChartProps) {
  const { result, quoteDecimals, quoteSymbol, splitAtMs, trade, onWhole } = props;
  const series = useMemo(() => {
    const whole = equitySeries(result, quoteDecimals);
    return trade === null ? whole : cutSeries(whole, barsAround(whole.times, trade));
  }, [result, quoteDecimals, trade]);
  const plots = useMemo(() => plotsOf(series), [series]);
  const zoned = useTimes();
  const count = series.times.length;
  const times = { from: series.times[0] ?? 0, to: series.times[count - 1] ?? 0 };
  const { cursor, handlers } = useCurveCursor(series.times);
  const split = splitAtMs === null ? undefined : series.times.find((time) => time > splitAtMs);
  const hasKeptOut = split !== undefined && split > times.from;
  return (
    <figure className="min-w-0">
      <ChartLegend
        series={series}
        at={cursor ?? count - 1}
        quoteSymbol={quoteSymbol}
        hasKeptOut={hasKeptOut}
      >
        {trade !== null && (
          <Button size="small" onClick={onWhole}>
            Show the whole run
          </Button>
        )}
      </ChartLegend>
      <div
        role="img"
        aria-label={describe(series)}
        className="relative h-72 w-full overflow-hidden sm:h-96"
        onPointerMove={handlers.onPointerMove}
        onPointerLeave={handlers.onPointerLeave}
      >
        {hasKeptOut && (
          <span
            style={{ left: `${percent(split, times)}%` }}
            className="absolute inset-y-0 right-0 bg-hover"
          />
        )}
        {Object.values(plots).map(({ top, height, ...plot }) => (
          <div key={top} style={boxOf(top, height)} className="absolute inset-x-0">
            <CurvePlot {...plot} times={times} />
          </div>
        ))}
        <TradeMarks
          series={series}
          plot={plots.price}
          times={times}
          trades={result.trades}
          isClose={trade !== null}
        />
        {cursor !== null && <CurveCursor left={percent(series.times[cursor] ?? 0, times)} />}
        {Object.values(plots).flatMap(({ top, height, values, formatValue }) => [
          values.to !== 0 && <Limit key={top} y={top} text={formatValue(values.to)} />,
          <Limit key={top + height} y={top + height} text={formatValue(values.from)} />,
        ])}
      </div>
      <TimeMarks
        className="mt-1"
        times={{ from: times.from / 1_000, to: times.to / 1_000 }}
        formatMark={(seconds, span) => axisTime(seconds, span, zoned)}
      />
    </figure>
  );
});

const share = (y: number) => `${(y / HEIGHT) * 100}%`;
const boxOf = (top: number, height: number) => ({ top: share(top), height: share(height) });

/** Limit of a plot's scale at its right edge. */
const Limit = ({ y, text }: { readonly y: number; readonly text: string }) => (
  <span
    aria-hidden
    style={{ top: share(y) }}
    className="pointer-events-none absolute right-0 -translate-y-1/2 rounded-sm bg-surface/80 px-1 text-2xs text-muted tabular-nums"
  >
    {text}
  </span>
);

function describe({ equity, holding, drawdown }: EquitySeries): string {
  const of = (figures: Float64Array) => shareText(returnOver(figures[0] || 1, figures.at(-1) ?? 1));
  const deepest = drawdown.reduce((a, b) => Math.min(a, b), 0);
  return `The account over time: it changed by ${of(equity)}, holding the asset by ${of(holding)}; its deepest fall was ${shareText(-deepest)}.`;
}

/** Maximum number of entry and exit marks; more would hide the price. */
const MOST_MARKS = 80;

/** Width of the marks' view box, in units of the chart's height. */
const WIDTH = 900;

function TradeMarks(props: {
  readonly series: EquitySeries;
  readonly plot: Plot;
  readonly times: Scale;
  readonly trades: readonly SimulatedTrade[];
  readonly isClose: boolean;
}) {
  const { series, plot, times } = props;
  const inside = props.trades.filter(
    ({ enteredAtMs, exitedAtMs }) =>
      enteredAtMs < times.to && (exitedAtMs ?? times.to) >= times.from,
  );
  if (inside.length > MOST_MARKS && !props.isClose) return null;
  const mark = (atMs: number, isBuy: boolean, key: string) => {
    const at = series.times.findIndex((time) => time > atMs);
    if (at === -1 || atMs < times.from) return null;
    const x = (percent(series.times[at] ?? 0, times) / 100) * WIDTH;
    const y = (1 - percent(series.closes[at] ?? 0, plot.values) / 100) * plot.height;
    const d = isBuy ? `M${x} ${y + 3}l5 9h-10Z` : `M${x} ${y - 3}l5 -9h-10Z`;
    return <path key={key} d={d} className={isBuy ? "fill-up" : "fill-down"} />;
  };
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${WIDTH} ${plot.height}`}
      preserveAspectRatio="none"
      style={boxOf(plot.top, plot.height)}
      className="absolute inset-x-0 w-full overflow-visible"
    >
      {inside.flatMap(({ side, enteredAtMs, exitedAtMs }) => [
        mark(enteredAtMs, side === "long", `in ${enteredAtMs}`),
        exitedAtMs === null ? null : mark(exitedAtMs, side === "short", `out ${exitedAtMs}`),
      ])}
    </svg>
  );
}

function ChartLegend(props: {
  readonly series: EquitySeries;
  readonly at: number;
  readonly quoteSymbol: string;
  readonly hasKeptOut: boolean;
  readonly children: React.ReactNode;
}) {
  const { series, at, quoteSymbol, hasKeptOut, children } = props;
  const times = useTimes();
  const time = series.times[at];
  const money = (figures: Float64Array) =>
    `${Math.round(figures[at] ?? 0).toLocaleString("en-US")} ${quoteSymbol}`;
  return (
    <figcaption className="mb-1 flex min-h-7 flex-wrap items-center gap-x-4 gap-y-1 text-xs text-muted">
      <CurveKey curve={{ label: "Account", tone: "accent" }} value={money(series.equity)} />
      <CurveKey curve={{ label: "Holding", tone: "muted" }} value={money(series.holding)} />
      <CurveKey
        curve={{ label: "Below its peak", tone: "down" }}
        value={shareText(series.drawdown[at])}
      />
      <span>
        Price <b className="font-medium text-ink">{(series.closes[at] ?? 0).toPrecision(6)}</b>
      </span>
      {hasKeptOut && (
        <span className="inline-flex items-center gap-1.5">
          <span aria-hidden className="h-2.5 w-4 border border-line bg-hover" />
          Kept out
        </span>
      )}
      {time !== undefined && <span>{times.full(new Date(time).toISOString())}</span>}
      <span className="ml-auto">{children}</span>
    </figcaption>
  );
}
