import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { GripHorizontal } from "lucide-react";
import { type KeyboardEvent, type PointerEvent, useState } from "react";
import {
  type Distance,
  type Plan,
  PLAN_RANGES,
  type Target,
} from "../../../../domain/plan/plan.ts";
import { distanceWords, losingSide, type PlanSides } from "../../../../domain/plan/plan-words.ts";
import { barSpanAt, type Bar } from "../../../../strategy/bar-times.ts";
import { planAtr, planAtrBars } from "../../../../strategy/simulated-plan.ts";
import { symbolOf } from "../../../../venues/profiles.ts";
import { clock } from "../../../lib/clock.ts";
import { displayPrice } from "../../../lib/format.ts";
import { candleHistoryQuery } from "../../../queries/candle-history.ts";
import type { PreviewMarket } from "../rules/condition-preview.tsx";

interface Level {
  readonly key: string;
  /** Distance from the average entry in basis points; profit is positive. */
  readonly bps: number;
  readonly text: string;
  readonly tone: "up" | "down" | "muted";
  /** Absent for the entry. */
  readonly move?: Move;
}

/** How a level is moved. */
interface Move {
  readonly label: string;
  readonly words: string;
  readonly range: { readonly least: number; readonly most: number };
  /** In hundredths of what its field has: percent, or a multiple. */
  readonly value: number;
  /** Basis points of the price that one of `value` is. */
  readonly each: number;
  readonly set: (value: number) => Partial<Plan>;
}

/** ATR in basis points of the last close, by length. */
type AtrBps = ReadonlyMap<number, number>;

const percent = (bps: number) => `${Math.round(Math.abs(bps)) / 100} %`;
const signed = (bps: number) => `${bps > 0 ? "+" : "−"}${percent(bps)}`;

/** Returns a level of what a field says; `sign` is −1 where it lies towards the loss. */
function levelOf(
  key: string,
  tone: Level["tone"],
  sign: 1 | -1,
  text: (distance: string) => string,
  move: Move,
): Level {
  const bps = sign * move.value * move.each;
  return { key, tone, bps, text: text(signed(bps)), move };
}

/** Returns how a distance is read and set as a level; null where the ATR that it needs is not known. */
function readDistance(at: Distance, atr: AtrBps) {
  if (at.kind === "percent") {
    const put = (bps: number): Distance => ({ ...at, bps });
    return { value: at.bps, each: 1, range: PLAN_RANGES.stopBps, put };
  }
  const range = atr.get(at.length);
  if (range === undefined) return null;
  const put = (timesHundredths: number): Distance => ({ ...at, timesHundredths });
  return {
    value: at.timesHundredths,
    each: range / 100,
    range: PLAN_RANGES.atrTimesHundredths,
    put,
  };
}

function stopLevels(stop: NonNullable<Plan["stop"]>, sides: PlanSides, atr: AtrBps): Level[] {
  const { at, trail, breakEvenAfterBps } = stop;
  const levels: Level[] = [];
  const found = readDistance(at, atr);
  if (found !== null) {
    const { put, ...read } = found;
    const far = at.kind === "percent" ? "" : `${distanceWords(at)}, `;
    levels.push(
      levelOf("stop", "down", -1, (text) => `stop ${text}`, {
        ...read,
        label: "Stop",
        words: `${far}${percent(read.value * read.each)} ${losingSide(sides)} the average entry`,
        set: (value) => ({ stop: { ...stop, at: put(value) } }),
      }),
    );
  }
  const fromProfit = (label: string, value: number, set: Move["set"]) =>
    levelOf(label, "muted", 1, (text) => `${label.toLowerCase()} ${text}`, {
      label,
      words: `from ${percent(value)} profit on`,
      range: PLAN_RANGES.afterBps,
      value,
      each: 1,
      set,
    });
  if (breakEvenAfterBps !== undefined) {
    const set = (bps: number) => ({ stop: { ...stop, breakEvenAfterBps: bps } });
    levels.push(fromProfit("Break-even", breakEvenAfterBps, set));
  }
  if (trail !== undefined) {
    const set = (afterBps: number) => ({ stop: { ...stop, trail: { ...trail, afterBps } } });
    levels.push(fromProfit("Trailing", trail.afterBps, set));
  }
  return levels;
}

function targetLevel(targets: readonly Target[], index: number, riskBps: number): Level[] {
  const target = targets[index];
  if (target === undefined) return [];
  const { at, closePercent } = target;
  const isPercent = at.kind === "percent";
  const [value, each] = isPercent ? [at.bps, 1] : [at.timesHundredths, riskBps / 100];
  const far = isPercent ? "" : `${value / 100} times the stop's distance, `;
  return [
    levelOf(`target ${index}`, "up", 1, (text) => `${text}, close ${closePercent} %`, {
      label: `Target ${index + 1}`,
      words: `closes ${closePercent} % at ${far}${percent(value * each)} profit`,
      range: isPercent ? PLAN_RANGES.targetBps : PLAN_RANGES.rTimesHundredths,
      value,
      each,
      set: (moved) => ({
        targets: targets.with(index, {
          ...target,
          at: isPercent ? { kind: "percent", bps: moved } : { kind: "r", timesHundredths: moved },
        }),
      }),
    }),
  ];
}

function addLevels({ adds }: Plan): Level[] {
  const on = adds?.on;
  if (adds === undefined || on === undefined || on.kind === "signal") return [];
  const isAgainst = on.kind === "against";
  return [
    levelOf("add", "muted", isAgainst ? -1 : 1, (text) => `add ${text}`, {
      label: "Adding",
      words: `adds ${adds.sizePercent} % of the first entry every ${percent(on.bps)} ${isAgainst ? "against it" : "in profit"}`,
      range: PLAN_RANGES.addBps,
      value: on.bps,
      each: 1,
      set: (bps) => ({ adds: { ...adds, on: { ...on, bps } } }),
    }),
  ];
}

/** Returns the levels of a plan; those in multiples of an ATR that is not known are left out. */
function levelsOf(plan: Plan, sides: PlanSides, atr: AtrBps, entry: string): readonly Level[] {
  const { stop, targets = [] } = plan;
  const risk = stop === undefined ? null : readDistance(stop.at, atr);
  const riskBps = risk === null ? Number.NaN : risk.value * risk.each;
  const levels: Level[] = [
    { key: "entry", bps: 0, text: entry, tone: "muted" },
    ...(stop === undefined ? [] : stopLevels(stop, sides, atr)),
    ...targets.flatMap((_, index) => targetLevel(targets, index, riskBps)),
    ...addLevels(plan),
  ];
  return levels.filter(({ bps }) => Number.isFinite(bps));
}

/** Height of the picture and least distance of two levels, in pixels. */
const HEIGHT = 176;
const ROW = 24;
const MARGIN = 12;

/** What an arrow key moves a level by, a page key, and what a dragged level keeps to: tenths, and whole ones. */
const STEP = 10;
const LEAP = 100;

/** Where the picture's levels are: the lowest distance and how much it shows. */
interface Scale {
  readonly least: number;
  readonly span: number;
}

/** A level that is dragged, with where it and the pointer began. */
interface Dragged extends Scale {
  readonly key: string;
  readonly fromValue: number;
  readonly fromY: number;
}

/** Returns the places of line and text of each level by its key, no text over another. */
function placesOf(levels: readonly Level[], lineAt: (bps: number) => number) {
  const places = new Map<string, { readonly line: number; readonly top: number }>();
  let lowest = -ROW;
  for (const { key, bps } of levels.toSorted((a, b) => lineAt(a.bps) - lineAt(b.bps))) {
    const line = lineAt(bps);
    lowest = Math.max(lowest + ROW, line - ROW / 2);
    places.set(key, { line, top: lowest });
  }
  return { places, height: Math.max(HEIGHT, lowest + ROW) };
}

/** Returns where the picture begins and ends: all levels, and of the prices what is not far beyond them. */
function scaleOf(levels: readonly number[], prices: readonly number[]): Scale {
  const [least, most] = [Math.min(...levels), Math.max(...levels)];
  const beyond = (most - least) / 2;
  const bottom = Math.max(Math.min(least, ...prices), least - beyond);
  const top = Math.min(Math.max(most, ...prices), most + beyond);
  return { least: bottom, span: top - bottom || 1 };
}

/** Bars whose closes are drawn behind the levels. */
const SHOWN_BARS = 80;

/** Most bars asked for: an ATR of the longest length reads fewer. */
const MOST_BARS = 2_000;

const MINUTE_MS = 60_000;

interface PlanPictureProps {
  readonly plan: Plan;
  readonly sides: PlanSides;
  /** Null until market and interval are chosen. */
  readonly market: PreviewMarket | null;
  readonly onChange: (parts: Partial<Plan>) => void;
}

/** Picture of a plan's levels over the market's last prices. A level is moved by dragging it or with the arrow keys. */
export function PlanPicture({ market, ...props }: PlanPictureProps) {
  return market === null ? (
    <Levels {...props} closes={[]} atr={new Map()} caption={null} />
  ) : (
    <MarketLevels {...props} market={market} />
  );
}

/** Reads the market's closed bars that a plan is shown over; none while they load and where they cannot be loaded. */
export function usePlanBars({ network, asset, intervalMinutes }: PreviewMarket, plan: Plan) {
  const [openedAt] = useState(() => clock.now());
  const toMs = barSpanAt(intervalMinutes, openedAt).openTimeMs;
  const atrBars = planAtrBars(plan);
  const count = atrBars <= MOST_BARS ? Math.max(SHOWN_BARS, atrBars) : SHOWN_BARS;
  const { data, isError } = useQuery({
    ...candleHistoryQuery({
      network,
      symbol: symbolOf(asset),
      intervalMinutes,
      fromMs: toMs - count * intervalMinutes * MINUTE_MS,
      toMs,
    }),
    placeholderData: keepPreviousData,
  });
  const bars: readonly Bar[] = data?.bars ?? [];
  return { bars, isError };
}

/** Levels over the market's closed bars; without them while they load and where they cannot be loaded. */
function MarketLevels({
  market,
  ...props
}: Omit<PlanPictureProps, "market"> & { readonly market: PreviewMarket }) {
  const { asset, intervalMinutes } = market;
  const { bars, isError } = usePlanBars(market, props.plan);
  const closes = bars.slice(-SHOWN_BARS).map(({ close }) => close);
  const last = closes.at(-1) ?? 0;
  const atr = planAtr(bars, props.plan, intervalMinutes);
  const atrBps = [...atr].map(([length, value]) => [length, Number(value) / 100 / last] as const);
  const missing = isError ? "The last prices could not be loaded." : null;
  return (
    <Levels
      {...props}
      closes={closes}
      atr={new Map(atrBps)}
      caption={
        closes.length > 1
          ? `${asset}, last ${closes.length} closes; as if entered at the last one.`
          : missing
      }
    />
  );
}

interface LevelsProps extends Omit<PlanPictureProps, "market"> {
  /** Oldest first; the last one stands for the average entry. */
  readonly closes: readonly number[];
  readonly atr: AtrBps;
  readonly caption: string | null;
}

function Levels({ plan, sides, closes, atr, caption, onChange }: LevelsProps) {
  const [dragged, setDragged] = useState<Dragged | null>(null);
  const last = closes.at(-1);
  const entry = last === undefined ? "entry" : `entry ${displayPrice(last.toFixed(8))}`;
  const levels = levelsOf(plan, sides, atr, entry);
  if (levels.length < 2) return null;
  const isShort = sides.length === 1 && sides[0] === "short";
  const prices = closes.map((close) => (close / (last ?? close) - 1) * (isShort ? -1e4 : 1e4));
  // The scale stands still while a level is dragged, so that the level stays under the pointer
  const { least, span } =
    dragged ??
    scaleOf(
      levels.map(({ bps }) => bps),
      prices,
    );
  const inner = HEIGHT - 2 * MARGIN;
  const heightOf = (bps: number) => {
    const share = (bps - least) / span;
    return MARGIN + (isShort ? share : 1 - share) * inner;
  };
  const { places, height } = placesOf(levels, (bps) =>
    Math.min(HEIGHT - MARGIN, Math.max(MARGIN, heightOf(bps))),
  );
  const moveTo = ({ range, set }: Move, value: number) =>
    onChange(set(Math.min(range.most, Math.max(range.least, value))));
  return (
    <figure className="flex w-full shrink-0 flex-col gap-1 text-xs sm:w-64">
      <div
        role="group"
        aria-label="Levels of the plan"
        className="relative rounded-md border border-line bg-surface"
        style={{ height }}
      >
        <LevelLines {...{ levels, places, height }} prices={prices.map(heightOf)} />
        {levels.map(({ key, bps, text, tone, move }) => {
          // A short's gain is below its entry
          const way = bps >= 0 === isShort ? -1 : 1;
          return (
            <span
              key={key}
              {...(move && {
                ...sliderOf(move, way),
                onKeyDown: (event: KeyboardEvent) => {
                  const by = stepOf(event.key);
                  if (by === 0) return;
                  event.preventDefault();
                  moveTo(move, move.value + by * way);
                },
                onPointerDown: (event: PointerEvent<HTMLElement>) => {
                  event.currentTarget.setPointerCapture(event.pointerId);
                  setDragged({ key, least, span, fromValue: move.value, fromY: event.clientY });
                },
                onPointerMove: (event: PointerEvent<HTMLElement>) => {
                  if (dragged?.key !== key) return;
                  const by = (((dragged.fromY - event.clientY) / inner) * span * way) / move.each;
                  moveTo(move, Math.round((dragged.fromValue + by) / STEP) * STEP);
                },
                onPointerUp: () => setDragged(null),
                onPointerCancel: () => setDragged(null),
              })}
              aria-hidden={move === undefined}
              className={clsx(
                "absolute left-[calc(100%-9.5rem)] flex h-6 items-center gap-1 rounded-sm px-1 whitespace-nowrap",
                { up: "text-up", down: "text-down", muted: "text-muted" }[tone],
                move && "cursor-ns-resize touch-none select-none hover:bg-hover",
              )}
              style={{ top: places.get(key)?.top }}
            >
              {text}
              {move && <GripHorizontal aria-hidden className="size-3 text-faint" />}
            </span>
          );
        })}
      </div>
      {caption !== null && <figcaption className="text-muted">{caption}</figcaption>}
    </figure>
  );
}

interface LevelLinesProps {
  readonly levels: readonly Level[];
  readonly places: ReturnType<typeof placesOf>["places"];
  readonly height: number;
  /** Heights of the closes, oldest first. */
  readonly prices: readonly number[];
}

/** The price's line and one for each level, which ends beside its text. */
function LevelLines({ levels, places, height, prices }: LevelLinesProps) {
  return (
    <svg
      aria-hidden
      viewBox={`0 0 100 ${height}`}
      preserveAspectRatio="none"
      className="absolute inset-y-0 left-0 h-full w-[calc(100%-9.75rem)] overflow-hidden"
      fill="none"
    >
      {prices.length > 1 && (
        <polyline
          className="stroke-faint"
          vectorEffect="non-scaling-stroke"
          points={prices
            .map((y, at) => `${(at / (prices.length - 1)) * 88},${y.toFixed(1)}`)
            .join(" ")}
        />
      )}
      {levels.map(({ key, tone }) => {
        const { line, top } = places.get(key) ?? { line: 0, top: 0 };
        return (
          <path
            key={key}
            d={`M0,${line} H92 L100,${top + ROW / 2}`}
            vectorEffect="non-scaling-stroke"
            strokeDasharray={tone === "muted" ? "3 3" : undefined}
            className={{ up: "stroke-up", down: "stroke-down", muted: "stroke-line-strong" }[tone]}
          />
        );
      })}
    </svg>
  );
}

/** Returns a level as a slider, whose value is how far the price is from the entry in percent; `way` is its sign. */
const sliderOf = ({ label, words, range: { least, most }, value, each }: Move, way: number) => ({
  role: "slider",
  tabIndex: 0,
  "aria-label": `${label}, level`,
  "aria-orientation": "vertical" as const,
  "aria-valuemin": Math.round((way > 0 ? least : -most) * each) / 100,
  "aria-valuemax": Math.round((way > 0 ? most : -least) * each) / 100,
  "aria-valuenow": Math.round(way * value * each) / 100,
  "aria-valuetext": words,
});

/** Returns what a key moves a level up by; 0 for every other key. */
function stepOf(key: string): number {
  switch (key) {
    case "ArrowUp":
    case "ArrowRight":
      return STEP;
    case "ArrowDown":
    case "ArrowLeft":
      return -STEP;
    case "PageUp":
      return LEAP;
    case "PageDown":
      return -LEAP;
    default:
      return 0;
  }
}
