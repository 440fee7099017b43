import type { IndicatorName, PositionFigure, PriceField } from "./indicator-table.ts";

/** Most comparisons of one condition; all of them have to hold on the same closed bar. */
export const MAX_COMPARISONS = 4;

/** Furthest a comparison may look back, in closed bars of the agent's interval. */
export const MAX_BARS_BACK = 50;

/** Longest rise or fall a comparison can ask for, in closed bars. */
export const MAX_TREND_BARS = 50;

/** Longest pause of a schedule that counts bars. */
export const MAX_SCHEDULE_BARS = 10_000;

/** A figure known when a bar closes: a price of the bar, an indicator, a fixed number or something of the position. */
export type Operand =
  | { readonly kind: "price"; readonly field: PriceField; readonly barsBack?: number }
  | { readonly kind: "number"; readonly value: number }
  | {
      readonly kind: "indicator";
      readonly name: IndicatorName;
      /** One of the indicator's outputs, for instance `signal` of MACD. */
      readonly output: string;
      /** In the order of the indicator's parameters. */
      readonly parameters: readonly number[];
      /** The price it is computed of, where the indicator lets one choose. */
      readonly source?: PriceField;
      readonly barsBack?: number;
    }
  | { readonly kind: "position"; readonly figure: PositionFigure };

/** Compares two figures of one closed bar; a crossing also looks at the bar before. */
export interface PairComparison {
  readonly left: Operand;
  readonly is: "above" | "below" | "crosses-above" | "crosses-below";
  readonly right: Operand;
}

/** Asks whether a figure rose or fell on each of the last `bars` closed bars. */
export interface TrendComparison {
  readonly left: Operand;
  readonly is: "rises-for" | "falls-for";
  /** 1 to `MAX_TREND_BARS`. */
  readonly bars: number;
}

export type Comparison = PairComparison | TrendComparison;

/** Days and hours in UTC a condition may fire in. `fromUtc` after `toUtc` spans midnight; equal means the whole day. */
export interface Session {
  /** ISO days of the week, 1 is Monday. */
  readonly days: readonly number[];
  /** HH:MM. A bar belongs to the session when its close does: from inclusive, to exclusive. */
  readonly fromUtc: string;
  readonly toUtc: string;
}

/** What has to hold on a closed bar for an alert to fire. */
export type AlertCondition =
  | {
      readonly kind: "comparisons";
      /** 1 to `MAX_COMPARISONS`; all of them. */
      readonly all: readonly Comparison[];
      readonly session?: Session;
    }
  /** Every n-th bar of the agent's interval, counted from the Unix epoch so that every machine counts alike. */
  | { readonly kind: "every-bars"; readonly bars: number }
  /** The first bar that closes at or after a time of day, HH:MM UTC. */
  | { readonly kind: "time-of-day"; readonly atUtc: string; readonly days?: readonly number[] };
