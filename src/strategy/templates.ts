import type { AlertCondition, Operand, PairComparison } from "../domain/condition/condition.ts";
import type { IndicatorName } from "../domain/condition/indicator-table.ts";
import type { MarketKind } from "../domain/market.ts";
import type { Plan } from "../domain/plan/plan.ts";
import type { Signal } from "../domain/signal.ts";

/** Starter set of alerts and rules for an agent, with its known weaknesses. */
export interface StrategyTemplate {
  readonly id: string;
  readonly name: string;
  /** Description, one sentence. */
  readonly idea: string;
  /** Known weakness, one sentence. */
  readonly weakness: string;
  /** Percent of the free collateral one entry uses. */
  readonly positionSizePercent: number;
  /** What is done with an open position. */
  readonly plan: Plan;
  readonly alerts: readonly TemplateAlert[];
  readonly rules: readonly TemplateRule[];
}

export interface TemplateAlert {
  readonly name: string;
  readonly description: string;
  readonly condition: AlertCondition;
}

export interface TemplateRule {
  readonly action: Signal;
  readonly conditions: readonly { readonly alertName: string; readonly requiredCount: number }[];
}

const close: Operand = { kind: "price", field: "close" };
const number = (value: number): Operand => ({ kind: "number", value });

const indicator = (name: IndicatorName, parameters: readonly number[], output = "value") =>
  ({ kind: "indicator", name, output, parameters }) as const satisfies Operand;

/** Returns the indicator on the bar before, for breakouts above or below its earlier value. */
const before = (name: IndicatorName, period: number, output: string): Operand => ({
  ...indicator(name, [period], output),
  barsBack: 1,
});

const when = (left: Operand, is: PairComparison["is"], right: Operand): PairComparison => ({
  left,
  is,
  right,
});

const all = (...comparisons: PairComparison[]): AlertCondition => ({
  kind: "comparisons",
  all: comparisons,
});

const alert = (name: string, description: string, condition: AlertCondition): TemplateAlert => ({
  name,
  description,
  condition,
});

const rule = (action: Signal, ...names: string[]): TemplateRule => ({
  action,
  conditions: names.map((alertName) => ({ alertName, requiredCount: 1 })),
});

/** Rules for markets where both sides can be traded: the end of one side opens the other. */
const end = (kind: MarketKind): Signal => (kind === "perpetual" ? "OPEN_SHORT" : "CLOSE_LONG");

const RSI = indicator("RSI", [14]);

const percent = (bps: number) => ({ kind: "percent", bps }) as const;

const trend = (kind: MarketKind): StrategyTemplate => ({
  id: "trend",
  name: "Trend following",
  idea:
    kind === "perpetual"
      ? "Long while the fast average is above the slow one, short while it is below."
      : "Holds while the fast average is above the slow one.",
  weakness: "Sideways markets: it turns late, and pays for every false turn.",
  positionSizePercent: 50,
  plan: { stop: { at: percent(250) } },
  alerts: [
    alert(
      "trend up",
      "fast average crosses above the slow one",
      all(when(indicator("EMA", [20]), "crosses-above", indicator("EMA", [50]))),
    ),
    alert(
      "trend down",
      "fast average crosses below the slow one",
      all(when(indicator("EMA", [20]), "crosses-below", indicator("EMA", [50]))),
    ),
  ],
  rules: [rule("OPEN_LONG", "trend up"), rule(end(kind), "trend down")],
});

const breakout = (kind: MarketKind): StrategyTemplate => ({
  id: "breakout",
  name: "Breakout",
  idea:
    kind === "perpetual"
      ? "Goes with the first close beyond the range of the last 20 bars, up or down."
      : "Buys the first close above the last 20 bars, sells the first below them.",
  weakness: "False breakouts: price often comes straight back, and it buys near the top.",
  positionSizePercent: 50,
  plan: {
    stop: { at: percent(250), breakEvenAfterBps: 250 },
    targets: [{ at: percent(500), closePercent: 50 }],
  },
  alerts: [
    alert(
      "new high",
      "close above the highest of 20 bars",
      all(when(close, "crosses-above", before("DONCHIAN", 20, "high"))),
    ),
    alert(
      "new low",
      "close below the lowest of 20 bars",
      all(when(close, "crosses-below", before("DONCHIAN", 20, "low"))),
    ),
  ],
  rules: [rule("OPEN_LONG", "new high"), rule(end(kind), "new low")],
});

const meanReversion = (kind: MarketKind): StrategyTemplate => ({
  id: "mean-reversion",
  name: "Mean reversion",
  idea: "Buys when a fall seems overdone and sells on the way back to the middle.",
  weakness: "Lasting moves: it stands against them until its stop, and one takes several gains.",
  positionSizePercent: 25,
  plan: { stop: { at: percent(400) }, holdBars: 48 },
  alerts: [
    alert("oversold", "RSI comes back above 30", all(when(RSI, "crosses-above", number(30)))),
    alert("recovered", "RSI reaches 55", all(when(RSI, "crosses-above", number(55)))),
    ...(kind === "perpetual"
      ? [
          alert(
            "overbought",
            "RSI comes back below 70",
            all(when(RSI, "crosses-below", number(70))),
          ),
          alert("cooled off", "RSI reaches 45", all(when(RSI, "crosses-below", number(45)))),
        ]
      : []),
  ],
  rules: [
    rule("OPEN_LONG", "oversold"),
    rule("CLOSE_LONG", "recovered"),
    ...(kind === "perpetual"
      ? [rule("OPEN_SHORT", "overbought"), rule("CLOSE_SHORT", "cooled off")]
      : []),
  ],
});

const averaging: StrategyTemplate = {
  id: "averaging",
  name: "Averaging in",
  idea: "Buys the same size every Monday, up to six times, and sells all 5% above the average price.",
  weakness: "Long falls: after six purchases it holds without a stop until price comes back.",
  positionSizePercent: 10,
  plan: {
    adds: { on: { kind: "signal" }, times: 5, sizePercent: 100 },
    maxPositionPercent: 90,
    targets: [{ at: percent(500), closePercent: 100 }],
  },
  alerts: [alert("week begins", "Mondays", { kind: "time-of-day", atUtc: "12:00", days: [1] })],
  rules: [rule("OPEN_LONG", "week begins")],
};

const momentum: StrategyTemplate = {
  id: "momentum",
  name: "Momentum with exit",
  idea: "Buys strength above the average; its stop follows 3% behind the best price.",
  weakness: "Choppy markets: it buys after the move, and gives back 3% of each that ends at once.",
  positionSizePercent: 50,
  plan: {
    stop: { at: percent(300), trail: { afterBps: 100, by: percent(300), stepBps: 10 } },
  },
  alerts: [
    alert(
      "momentum",
      "rate of change turns positive above the average",
      all(
        when(indicator("ROC", [12]), "crosses-above", number(0)),
        when(close, "above", indicator("EMA", [50])),
      ),
    ),
    alert(
      "weakness",
      "close falls below the average",
      all(when(close, "crosses-below", indicator("EMA", [50]))),
    ),
  ],
  rules: [rule("OPEN_LONG", "momentum"), rule("CLOSE_LONG", "weakness")],
};

const confirmation: StrategyTemplate = {
  id: "confirmation",
  name: "Two-alert confirmation",
  idea: "Buys a dip only once price turns up on the same day; at midnight the count starts over.",
  weakness: "Quick recoveries: by the time the second alert confirms, much of the move is gone.",
  positionSizePercent: 50,
  plan: { stop: { at: percent(300) }, targets: [{ at: percent(150), closePercent: 50 }] },
  alerts: [
    alert("dip", "RSI falls below 40", all(when(RSI, "crosses-below", number(40)))),
    alert(
      "turn",
      "close crosses above its average",
      all(when(close, "crosses-above", indicator("EMA", [10]))),
    ),
    alert("new day", "the count starts over", { kind: "time-of-day", atUtc: "00:00" }),
    alert("enough", "RSI reaches 60", all(when(RSI, "crosses-above", number(60)))),
  ],
  rules: [
    rule("OPEN_LONG", "dip", "turn"),
    rule("RESET_OPEN_LONG", "new day"),
    rule("CLOSE_LONG", "enough"),
  ],
};

/** Returns the templates for a kind of market; where shorts are impossible, no template shorts. */
export function templatesFor(kind: MarketKind): readonly StrategyTemplate[] {
  return [trend(kind), breakout(kind), meanReversion(kind), averaging, momentum, confirmation];
}
