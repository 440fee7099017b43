import { memo, type PointerEvent, useId, useState } from "react";
import type { SimulatedTrade, SimulationResult } from "../../../../strategy/simulation.ts";
import { axisTime } from "../../../lib/times.ts";
import { useTimes } from "../../../lib/time-zone.ts";
import { Button } from "../../../ui/button.tsx";
import { barsAround, cutSeries, type EquitySeries, equitySeries } from "./equity-series.ts";
import {
  areaPath,
  linePath,
  type PlotArea,
  type PlotScale,
  scaleOf,
  xOf,
  yOf,
} from "./line-paths.ts";
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

const WIDTH = 900;
const EQUITY: PlotArea = { width: WIDTH, top: 8, height: 176 };
const DRAWDOWN: PlotArea = { width: WIDTH, top: 200, height: 64 };
const PRICE: PlotArea = { width: WIDTH, top: 280, height: 92 };
const HEIGHT = 380;

/** Chart of account value against buy-and-hold, drawdown, and price with trades. */
export const EquityChart = memo(function EquityChart(props: EquityChartProps) {
  const { result, quoteDecimals, quoteSymbol, splitAtMs, trade, onWhole } = props;
  const [pointed, setPointed] = useState<number | null>(null);
  const titleId = useId();
  const whole = equitySeries(result, quoteDecimals);
  const shown = trade === null ? null : barsAround(whole.times, trade);
  const series = shown === null ? whole : cutSeries(whole, shown);
  const count = series.times.length;
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    setPointed(Math.round(share * (count - 1)));
  };
  const split = splitAtMs === null ? -1 : series.times.findIndex((time) => time > splitAtMs);
  return (
    <figure className="min-w-0">
      <ChartLegend
        series={series}
        at={pointed ?? count - 1}
        quoteSymbol={quoteSymbol}
        hasKeptOut={split > 0}
      >
        {trade !== null && (
          <Button size="small" onClick={onWhole}>
            Show the whole run
          </Button>
        )}
      </ChartLegend>
      <div className="relative">
        <svg
          role="img"
          aria-labelledby={titleId}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="block h-72 w-full sm:h-96"
          onPointerMove={point}
          onPointerLeave={() => setPointed(null)}
        >
          <title id={titleId}>{describe(series)}</title>
          {split > 0 && <KeptOut x={xOf(split, count, EQUITY)} />}
          <Plots series={series} />
          <TradeMarks series={series} trades={result.trades} isClose={trade !== null} />
          {pointed !== null && (
            <line
              x1={xOf(pointed, count, EQUITY)}
              x2={xOf(pointed, count, EQUITY)}
              y1={0}
              y2={HEIGHT}
              className="stroke-line-strong"
              vectorEffect="non-scaling-stroke"
              strokeDasharray="3 3"
            />
          )}
        </svg>
        <Scales series={series} />
      </div>
      <TimeMarks times={series.times} />
    </figure>
  );
});

/** Scale limits of each plot at its right edge. */
function Scales({ series }: { readonly series: EquitySeries }) {
  const { equity, holding, drawdown, closes } = series;
  const whole = (figure: number) => Math.round(figure).toLocaleString("en-US");
  const worth = scaleOf(equity, holding);
  const fall = scaleOf(drawdown, [-0.01]);
  const price = scaleOf(closes);
  const marks = [
    [EQUITY.top, whole(worth.high)],
    [EQUITY.top + EQUITY.height, whole(worth.low)],
    [DRAWDOWN.top + DRAWDOWN.height, shareText(fall.low)],
    [PRICE.top, price.high.toPrecision(5)],
    [PRICE.top + PRICE.height, price.low.toPrecision(5)],
  ] as const;
  return marks.map(([y, text]) => (
    <span
      key={y}
      aria-hidden
      style={{ top: `${(y / HEIGHT) * 100}%` }}
      className="pointer-events-none absolute right-0 -translate-y-1/2 rounded-sm bg-surface/80 px-1 text-2xs text-muted tabular-nums"
    >
      {text}
    </span>
  ));
}

/** Time labels at start, middle and end of the shown range. */
function TimeMarks({ times }: Pick<EquitySeries, "times">) {
  const zoned = useTimes();
  const [from = 0, to = 0] = [times[0], times.at(-1)];
  return (
    <div aria-hidden className="mt-1 flex justify-between gap-2 text-2xs text-faint tabular-nums">
      {[0, 0.5, 1].map((share) => (
        <span key={share}>
          {axisTime((from + share * (to - from)) / 1_000, (to - from) / 1_000, zoned)}
        </span>
      ))}
    </div>
  );
}

function describe({ equity, holding, drawdown }: EquitySeries): string {
  const of = (figures: Float64Array) => shareText((figures.at(-1) ?? 1) / (figures[0] || 1) - 1);
  const deepest = drawdown.reduce((a, b) => Math.min(a, b), 0);
  return `The account over time: it changed by ${of(equity)}, holding the asset by ${of(holding)}; its deepest fall was ${shareText(-deepest)}.`;
}

function KeptOut({ x }: { readonly x: number }) {
  return <rect x={x} y={0} width={WIDTH - x} height={HEIGHT} className="fill-hover" />;
}

function Plots({ series }: { readonly series: EquitySeries }) {
  const { equity, holding, drawdown, closes } = series;
  const worth = scaleOf(equity, holding);
  const fall: PlotScale = { low: scaleOf(drawdown, [-0.01]).low, high: 0 };
  const price = scaleOf(closes);
  const line = { fill: "none", vectorEffect: "non-scaling-stroke" as const };
  return (
    <>
      <path
        {...line}
        d={linePath(holding, worth, EQUITY)}
        className="stroke-faint"
        strokeDasharray="4 3"
      />
      <path
        {...line}
        d={linePath(equity, worth, EQUITY)}
        className="stroke-accent-text"
        strokeWidth={2}
      />
      <path d={areaPath(drawdown, fall, DRAWDOWN)} className="fill-down-soft" />
      <path {...line} d={linePath(drawdown, fall, DRAWDOWN)} className="stroke-down" />
      <path {...line} d={linePath(closes, price, PRICE)} className="stroke-muted" />
    </>
  );
}

/** Maximum number of entry and exit marks; more would hide the price. */
const MOST_MARKS = 80;

function TradeMarks(props: {
  readonly series: EquitySeries;
  readonly trades: readonly SimulatedTrade[];
  readonly isClose: boolean;
}) {
  const { times, closes } = props.series;
  const first = times[0] ?? 0;
  const last = times.at(-1) ?? 0;
  const inside = props.trades.filter(
    ({ enteredAtMs, exitedAtMs }) => enteredAtMs < last && (exitedAtMs ?? last) >= first,
  );
  if (inside.length > MOST_MARKS && !props.isClose) return null;
  const scale = scaleOf(closes);
  const mark = (atMs: number, isBuy: boolean, key: string) => {
    const at = times.findIndex((time) => time > atMs);
    if (at === -1 || atMs < first) return null;
    const x = xOf(at, times.length, PRICE);
    const y = yOf(closes[at] ?? 0, scale, PRICE);
    const d = isBuy ? `M${x} ${y + 3}l5 9h-10Z` : `M${x} ${y - 3}l5 -9h-10Z`;
    return <path key={key} d={d} className={isBuy ? "fill-up" : "fill-down"} />;
  };
  return inside.flatMap(({ side, enteredAtMs, exitedAtMs }) => [
    mark(enteredAtMs, side === "long", `in ${enteredAtMs}`),
    exitedAtMs === null ? null : mark(exitedAtMs, side === "short", `out ${exitedAtMs}`),
  ]);
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
      <span className="inline-flex items-center gap-1.5">
        <span aria-hidden className="h-0.5 w-4 bg-accent-text" />
        Account <b className="font-medium text-ink">{money(series.equity)}</b>
      </span>
      <span className="inline-flex items-center gap-1.5">
        <span aria-hidden className="w-4 border-t border-dashed border-line-strong" />
        Holding <b className="font-medium text-ink">{money(series.holding)}</b>
      </span>
      <span className="inline-flex items-center gap-1.5">
        <span aria-hidden className="h-0.5 w-4 bg-down" />
        Below its peak <b className="font-medium text-ink">{shareText(series.drawdown[at])}</b>
      </span>
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
