import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { listAlerts } from "../../../contract/alerts.ts";
import type { Agent } from "../../../contract/agent.ts";
import { getPosition } from "../../../contract/trade.ts";
import type { AlertCondition, Operand } from "../../../domain/condition/condition.ts";
import { operandText } from "../../../domain/condition/condition-text.ts";
import {
  createIndicator,
  type IndicatorName,
  PRICE_FIELDS,
  specOf,
} from "../../../domain/condition/indicator-table.ts";
import { CLOSE, HIGH, LOW, OPEN, OPEN_TIME, VOLUME } from "../../../domain/indicators/indicator.ts";
import { parseInterval } from "../../../domain/interval.ts";
import type { Bar } from "../../../strategy/bar-times.ts";
import {
  createConditionEvaluator,
  type NamedCondition,
  warmUpBars,
} from "../../../strategy/evaluate-conditions.ts";
import { assetsReadBy, comparisonsOf, operandsOf } from "../../../strategy/warm-up.ts";
import { symbolOf } from "../../../venues/profiles.ts";
import { sizeDecimals, displayDecimal } from "../../lib/format.ts";
import { candleHistoryQuery } from "../../queries/candle-history.ts";
import { useRead } from "../../queries/read.ts";
import type { Candle } from "./candle.ts";
import { HUE_STEP } from "./comparison.ts";
import type { IndicatorLine, PlacedFiring, PriceLevel } from "./picture.ts";
import { CHART_POLL_MS } from "./position-line.tsx";
import { type Timeframe, timeframeOf, type TimeframeId } from "./timeframe.ts";
import type { ChartData } from "./use-chart-data.ts";

/** Timeframes whose candles can be an agent's bars, longest first; 3M shows days and a month has no fixed length. */
const BAR_TIMEFRAMES = ["1W", "1D", "1h", "30m"] as const satisfies readonly TimeframeId[];

/** Returns the timeframe of an agent's interval, or the next shorter one; the shortest where none is. */
export function timeframeOfInterval(interval: string): TimeframeId {
  const seconds = (parseInterval(interval)?.minutes ?? 0) * 60;
  return BAR_TIMEFRAMES.find((id) => timeframeOf(id).candleSeconds <= seconds) ?? "30m";
}

/** Indicators in units of the price, drawn on the candles; all others have a pane of their own. */
const ON_PRICE: readonly IndicatorName[] = [
  "SMA",
  "EMA",
  "WMA",
  "BB",
  "VWAP",
  "DONCHIAN",
  "KELTNER",
  "SUPERTREND",
];

/** Outputs of these that are no price. */
const NO_PRICES = ["width", "direction"];

/** Largest number of panes below the candles. */
const MOST_PANES = 2;

const FIRST_HUE = 210;

type IndicatorOperand = Extract<Operand, { readonly kind: "indicator" }>;

const isOnPrice = ({ name, output, source = "close" }: IndicatorOperand): boolean =>
  ON_PRICE.includes(name) && !NO_PRICES.includes(output) && source !== "volume";

/** Returns the indicators that conditions name, each once, without the offset of earlier bars. */
function namedIndicators(conditions: readonly AlertCondition[]): readonly IndicatorOperand[] {
  const named = conditions.flatMap(comparisonsOf).flatMap(operandsOf);
  const byText = new Map<string, IndicatorOperand>();
  for (const operand of named) {
    // On the agent's own bars, the line of an indicator of longer bars would be another one
    if (operand.kind !== "indicator" || operand.on !== undefined) continue;
    const { barsBack: _, ...now } = operand;
    byText.set(operandText(now), now);
  }
  return [...byText.values()];
}

/** Returns the numbers that an indicator is compared with. */
function levelsOf(text: string, conditions: readonly AlertCondition[]): readonly number[] {
  const numbers = conditions.flatMap(comparisonsOf).flatMap((comparison) => {
    if (!("right" in comparison)) return [];
    const { left, right } = comparison;
    if (left.kind === "number" && operandText(right) === text) return [left.value];
    return right.kind === "number" && operandText(left) === text ? [right.value] : [];
  });
  return [...new Set(numbers)];
}

const barOf = ({ time, open, high, low, close, volume }: Candle): Omit<Bar, "closeTimeMs"> => ({
  openTimeMs: time * 1_000,
  open,
  high,
  low,
  close,
  volume,
});

/**
 * Returns the lines of the indicators that conditions name, computed with the code that fires alerts. `before` are the
 * bars before the first candle, on which they warm up.
 */
export function indicatorLines(
  conditions: readonly AlertCondition[],
  before: readonly Bar[],
  candles: readonly Candle[],
  theme: "light" | "dark",
): readonly IndicatorLine[] {
  const panes: string[] = [];
  return namedIndicators(conditions).flatMap((operand, index) => {
    const label = operandText(operand);
    const isMain = isOnPrice(operand);
    if (!isMain && !panes.includes(operand.name)) panes.push(operand.name);
    const pane = isMain ? 0 : panes.indexOf(operand.name) + 1;
    if (pane > MOST_PANES) return [];
    const hue = (FIRST_HUE + index * HUE_STEP) % 360;
    const colour = theme === "dark" ? `hsl(${hue}, 75%, 70%)` : `hsl(${hue}, 70%, 36%)`;
    const levels = isMain ? [] : levelsOf(label, conditions);
    return [{ label, colour, pane, levels, points: pointsOf(operand, before, candles) }];
  });
}

function pointsOf(operand: IndicatorOperand, before: readonly Bar[], candles: readonly Candle[]) {
  const { name, parameters, output, source = "close" } = operand;
  const indicator = createIndicator(name, parameters, PRICE_FIELDS.indexOf(source));
  const at = (specOf(name).outputs as readonly string[]).indexOf(output);
  const figures = new Float64Array(OPEN_TIME + 1);
  const next = (bar: Omit<Bar, "closeTimeMs">): number => {
    figures[OPEN] = bar.open;
    figures[HIGH] = bar.high;
    figures[LOW] = bar.low;
    figures[CLOSE] = bar.close;
    figures[VOLUME] = bar.volume;
    figures[OPEN_TIME] = bar.openTimeMs;
    indicator.next(figures);
    return indicator.values[at] ?? Number.NaN;
  };
  const firstMs = (candles[0]?.time ?? 0) * 1_000;
  for (const bar of before) if (bar.openTimeMs < firstMs) next(bar);
  return candles.flatMap((candle) => {
    const value = next(barOf(candle));
    return Number.isNaN(value) ? [] : [{ time: candle.time, value }];
  });
}

/**
 * Returns where conditions fire on the closed candles, by the code that fires alerts; those that need a position do not.
 * The newest candle is not closed yet. `before` goes on to the newest candle where conditions read other assets.
 */
export function firingsOf(
  conditions: readonly NamedCondition[],
  before: readonly Bar[],
  candles: readonly Candle[],
  intervalMinutes: number,
): readonly PlacedFiring[] {
  const evaluator = createConditionEvaluator(conditions, intervalMinutes);
  const firstMs = (candles[0]?.time ?? 0) * 1_000;
  const besides = new Map(before.map(({ openTimeMs, beside }) => [openTimeMs, beside]));
  for (const bar of before) if (bar.openTimeMs < firstMs) evaluator.next(bar);
  return candles.slice(0, -1).flatMap((candle) => {
    const bar = barOf(candle);
    const closeTimeMs = bar.openTimeMs + intervalMinutes * MINUTE_MS;
    const fired = evaluator.next({ ...bar, closeTimeMs, beside: besides.get(bar.openTimeMs) });
    const text = fired.map(({ alertKey }) => alertKey).join(", ");
    return fired.length === 0 ? [] : [{ time: candle.time, text }];
  });
}

/** What an agent's conditions put on the chart. */
interface AgentLines {
  readonly indicators: readonly IndicatorLine[];
  readonly firings: readonly PlacedFiring[];
}

const NO_LINES: AgentLines = { indicators: [], firings: [] };
const MINUTE_MS = 60_000;

/** Returns whether the candles of a timeframe are the agent's bars. */
const areBars = (agent: Agent, timeframe: Timeframe): boolean =>
  timeframe.id !== "3M" &&
  timeframe.id !== "1M" &&
  (parseInterval(agent.interval)?.minutes ?? 0) * 60 === timeframe.candleSeconds;

/** Indicators that the agent's conditions name, and where these fire; none where the candles are not its bars. */
export function useAgentLines(
  agent: Agent | null,
  data: ChartData,
  asset: string,
  theme: "light" | "dark",
): AgentLines {
  const isShown = agent !== null && data.state === "ready" && areBars(agent, data.timeframe);
  const alerts = useRead(
    listAlerts,
    { params: { agentId: agent?.id ?? "" } },
    { enabled: isShown },
  ).data;
  const named = useMemo(
    () =>
      (alerts ?? []).flatMap(({ name, condition }) =>
        condition === undefined ? [] : [{ alertKey: name, condition }],
      ),
    [alerts],
  );
  const intervalMinutes = data.timeframe.candleSeconds / 60;
  const beside = assetsReadBy(named.map(({ condition }) => condition));
  const firstMs = (data.candles[0]?.time ?? 0) * 1_000;
  const toMs = beside.length === 0 ? firstMs : (data.candles.at(-1)?.time ?? 0) * 1_000;
  const warmUpMs =
    Math.ceil(warmUpBars(named, intervalMinutes) * 1.1) * intervalMinutes * MINUTE_MS;
  const before = useQuery({
    ...candleHistoryQuery({
      network: agent?.network ?? "practice",
      symbol: symbolOf(asset),
      intervalMinutes,
      fromMs: Math.max(0, firstMs - warmUpMs),
      toMs,
      beside,
    }),
    enabled: isShown && toMs > 0 && named.length > 0,
  }).data;
  return useMemo(() => {
    if (!isShown || before === undefined) return NO_LINES;
    const conditions = named.map(({ condition }) => condition);
    return {
      indicators: indicatorLines(conditions, before.bars, data.candles, theme),
      firings: firingsOf(named, before.bars, data.candles, intervalMinutes),
    };
  }, [isShown, named, before, data.candles, intervalMinutes, theme]);
}

const NO_LEVELS: readonly PriceLevel[] = [];

const STOP_TEXTS = { stop: "Stop", trail: "Trailing stop", break_even: "Break-even stop" } as const;

/** Returns the prices of the agent's open position, its entry first; none while flat or unknown. */
export function usePositionLevels(agent: Agent | null): readonly PriceLevel[] {
  const { data } = useRead(
    getPosition,
    { query: { agentId: agent?.id ?? "" } },
    { enabled: agent?.subAccountId !== undefined, refetchInterval: CHART_POLL_MS },
  );
  const { available, side, position, entryPrice, liquidationPrice, plan } = data ?? {};
  return useMemo(() => {
    if (available !== true || side === undefined) return NO_LEVELS;
    const levels: PriceLevel[] = [];
    const add = (price: string | undefined, tone: PriceLevel["tone"], text: string) => {
      if (price !== undefined) levels.push({ price: Number(price), tone, text });
    };
    const size = displayDecimal(position?.replace("-", "") ?? "", sizeDecimals(position));
    const isLong = side === "long";
    add(entryPrice, isLong ? "up" : "down", `${isLong ? "Long" : "Short"} ${size}`);
    if (plan !== undefined && plan.kept !== "none") {
      if (plan.stop) add(plan.stop.price, "down", STOP_TEXTS[plan.stop.by]);
      for (const { target, price } of plan.targets) add(price, "up", `Target ${target}`);
    }
    if (liquidationPrice !== "none") add(liquidationPrice, "other", "Liquidation");
    return levels;
  }, [available, side, position, entryPrice, liquidationPrice, plan]);
}
