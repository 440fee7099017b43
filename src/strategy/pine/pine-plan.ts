import type { Distance, Plan, TargetDistance } from "../../domain/plan/plan.ts";

/** A plan as calls of a chart's own strategy, and its parts that these cannot say. */
export interface PinePlan {
  readonly lines: readonly string[];
  readonly leftOut: readonly { readonly name: string; readonly reason: string }[];
}

const percentOf = (at: Distance | undefined): number | null =>
  at?.kind === "percent" ? at.bps / 100 : null;

function targetPercent(at: TargetDistance, stop: number | null): number | null {
  if (at.kind === "percent") return at.bps / 100;
  return stop === null ? null : (stop * at.timesHundredths) / 100;
}

/**
 * Returns the calls of `strategy.exit` for a plan. They are comments: the script sends alerts and places no order, and
 * the agent carries out its plan itself.
 */
export function pinePlan({ stop, targets = [], ...rest }: Plan, leverage = 1): PinePlan {
  const away = percentOf(stop?.at);
  const trailBy = percentOf(stop?.trail?.by);
  const levels = [
    ...(away === null ? [] : [`stop = away(${-away})`]),
    ...(stop?.trail === undefined || trailBy === null
      ? []
      : [`trail_price = away(${stop.trail.afterBps / 100})`, `trail_offset = ticks(${trailBy})`]),
  ];
  const exits = targets.flatMap(({ at, closePercent }, index) => {
    const profit = targetPercent(at, away);
    if (profit === null) return [];
    return [exitOf(`Target ${index + 1}`, closePercent, [`limit = away(${profit})`, ...levels])];
  });
  const left = 100 - targets.reduce((sum, { closePercent }) => sum + closePercent, 0);
  if (left > 0 && levels.length > 0) exits.push(exitOf("Stop", left, levels));
  return { lines: exits.length === 0 ? [] : [...HEAD, ...exits], leftOut: leftOutOf() };

  function leftOutOf() {
    const atr = [stop?.at, stop?.trail?.by].some((at) => at?.kind === "atr");
    const said: readonly (readonly [boolean, string, string])[] = [
      [atr, "ATR", "strategy.exit knows no multiple of the ATR at the entry."],
      [
        stop?.trail !== undefined,
        "steps of the trailing stop",
        "strategy.exit moves it each tick.",
      ],
      [stop?.breakEvenAfterBps !== undefined, "break-even", "strategy.exit moves no stop there."],
      [rest.adds !== undefined, "adding", "strategy.exit only closes."],
      [rest.holdBars !== undefined, "time", "strategy.exit counts no bars."],
      [rest.maxPositionPercent !== undefined, "largest position", "strategy.exit only closes."],
      [
        leverage > 1,
        `leverage ${leverage}`,
        `an order's size is default_qty_value, and margin_long = margin_short = ${Math.floor(100 / leverage)}; the exchange's liquidation is not in it.`,
      ],
    ];
    return said.flatMap(([is, part, reason]) => (is ? [{ name: `Plan: ${part}`, reason }] : []));
  }
}

const HEAD = [
  "side = math.sign(strategy.position_size)",
  "away(percent) => strategy.position_avg_price * (1 + side * percent / 100)",
  "ticks(percent) => math.round(strategy.position_avg_price * percent / 100 / syminfo.mintick)",
];

const exitOf = (name: string, part: number, levels: readonly string[]): string =>
  `strategy.exit("${name}", qty_percent = ${part}, ${levels.join(", ")})`;
