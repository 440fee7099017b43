import type { IndicatorName, PositionFigure, PriceField } from "./indicator-table.ts";

/** Most comparisons of one condition; all of them have to hold on the same closed bar. */
export const MAX_COMPARISONS = 4;

/** Furthest a comparison may look back, in closed bars of the agent's interval. */
export const MAX_BARS_BACK = 50;

/** Longest rise or fall a comparison can ask for, in closed bars. */
export const MAX_TREND_BARS = 50;

/** Longest period of a schedule that counts bars. */
export const MAX_SCHEDULE_BARS = 10_000;

/**
 * Bars a figure is read from instead of the agent's: closed bars of a longer interval, another asset or both, the last
 * one that closed before the agent's bar did. They are built from bars of the agent's interval.
 */
export interface OtherBars {
  /** For instance 4h, a multiple of the agent's interval; absent: the agent's. */
  readonly interval?: string;
  /** For instance BTC; absent: the agent's. */
  readonly asset?: string;
}

/** A figure known when a bar closes: a price of the bar, an indicator, a fixed number or a figure of the position. */
export type Operand =
  | {
      readonly kind: "price";
      readonly field: PriceField;
      /** In bars of `on`, where that is given. */
      readonly barsBack?: number;
      readonly on?: OtherBars;
    }
  | { readonly kind: "number"; readonly value: number }
  | {
      readonly kind: "indicator";
      readonly name: IndicatorName;
      /** One of the indicator's outputs, for instance `signal` of MACD. */
      readonly output: string;
      /** In the order of the indicator's parameters. */
      readonly parameters: readonly number[];
      /** The price the indicator is computed from, where it can be chosen. */
      readonly source?: PriceField;
      /** In bars of `on`, where that is given. */
      readonly barsBack?: number;
      readonly on?: OtherBars;
    }
  | { readonly kind: "position"; readonly figure: PositionFigure };

/** Compares two figures on one closed bar; a crossing also reads the agent's bar before. */
export interface PairComparison {
  readonly left: Operand;
  readonly is: "above" | "below" | "crosses-above" | "crosses-below";
  readonly right: Operand;
}

/** Requires a figure to have risen or fallen on each of its last `bars` closed bars. */
export interface TrendComparison {
  readonly left: Operand;
  readonly is: "rises-for" | "falls-for";
  /** 1 to `MAX_TREND_BARS`. */
  readonly bars: number;
}

export type Comparison = PairComparison | TrendComparison;

/** Returns the bars an operand is read from; undefined for the agent's own. */
export const otherBarsOf = (operand: Operand): OtherBars | undefined =>
  operand.kind === "price" || operand.kind === "indicator" ? operand.on : undefined;

/**
 * Days and hours (UTC) in which a condition may fire. `fromUtc` after `toUtc` spans midnight; equal means the whole
 * day.
 */
export interface Session {
  /** ISO days of the week, 1 is Monday. */
  readonly days: readonly number[];
  /** HH:MM. A bar belongs to the session its close time lies in: from inclusive, to exclusive. */
  readonly fromUtc: string;
  readonly toUtc: string;
}

/** What must hold on a closed bar for an alert to fire. */
export type AlertCondition =
  | {
      readonly kind: "comparisons";
      /** 1 to `MAX_COMPARISONS`; all must hold. */
      readonly all: readonly Comparison[];
      readonly session?: Session;
    }
  /** Every n-th bar of the agent's interval, counted from the Unix epoch so that every machine agrees. */
  | { readonly kind: "every-bars"; readonly bars: number }
  /** The first bar that closes at or after a time of day, HH:MM UTC. */
  | { readonly kind: "time-of-day"; readonly atUtc: string; readonly days?: readonly number[] };
