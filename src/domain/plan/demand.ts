import { mulDiv } from "../amount.ts";
import type { Side } from "../position.ts";
import type {
  Distance,
  Plan,
  PlanEnd,
  PlannedPosition,
  Stop,
  Target,
  TargetDistance,
} from "./plan.ts";

const BPS = 10_000n;

/** Why a plan ends a position or part of it. */
export type PlanExitReason = "stop" | "trail" | "break_even" | "target" | "hold";

export type ProtectiveKey = "stop" | `target-${1 | 2 | 3 | 4}`;

/** An exit that should rest at the venue, or be watched where the venue keeps none. Never grows a position. */
export interface ProtectiveExit {
  readonly key: ProtectiveKey;
  readonly reason: Exclude<PlanExitReason, "hold">;
  /** Side of the order, opposite to the position. */
  readonly side: Side;
  readonly triggerPrice: bigint;
  readonly triggersWhen: "above" | "below";
  readonly baseSize: bigint;
}

/** What a plan asks for at one moment. */
export interface PlanDemand {
  readonly protective: readonly ProtectiveExit[];
  /** An exit that is due at this price; `targets` are the indexes of the plan's targets that it fills. */
  readonly closeNow: {
    readonly baseSize: bigint;
    readonly reason: PlanExitReason;
    readonly targets: readonly number[];
  } | null;
  readonly addNow: { readonly baseSize: bigint } | null;
  /** True where the plan has a stop whose level is not known: the position is not protected. */
  readonly lacksStop: boolean;
  /** To be booked as the position's `stopPrice`. */
  readonly stopPrice: bigint | null;
  /** To be booked as the position's `bestPrice`. */
  readonly bestPrice: bigint;
}

/** Price now, and the most favourable price since the last look where it is known. */
export interface PlanMarket {
  readonly price: bigint;
  readonly extreme?: bigint | undefined;
}

/** The level at which the stop is and what put it there. */
interface StopLevel {
  readonly price: bigint;
  readonly reason: "stop" | "trail" | "break_even";
}

/** Arithmetic of one side: `gain` moves a price towards profit, `isBetter` compares two prices for the position. */
interface Sided {
  readonly gain: (price: bigint, distance: bigint) => bigint;
  readonly isBetter: (a: bigint, b: bigint) => boolean;
}

const SIDES: Readonly<Record<Side, Sided>> = {
  long: { gain: (price, distance) => price + distance, isBetter: (a, b) => a > b },
  short: { gain: (price, distance) => price - distance, isBetter: (a, b) => a < b },
};

const shareOf = (price: bigint, bps: number) => mulDiv(price, BigInt(bps), BPS, "down");

/** Returns a distance in price units; null where the ATR it needs is not known. */
function distanceOf(at: Distance, from: bigint, { atr }: PlannedPosition): bigint | null {
  if (at.kind === "percent") return shareOf(from, at.bps);
  const range = atr.get(at.length);
  return range === undefined ? null : mulDiv(range, BigInt(at.timesHundredths), 100n, "down");
}

/**
 * Returns what should exist now: exits that rest or are watched, an exit or an add that is due at this price, and the
 * figures to book.
 *
 * Triggers compare strictly, as the perpetuals exchange does. The stop is at its distance from the average entry until
 * break-even or trailing moves it; from then on it only moves towards profit.
 */
export function demandOf(plan: Plan, position: PlannedPosition, market: PlanMarket): PlanDemand {
  const { isBetter } = SIDES[position.side];
  const seen = [market.price, market.extreme ?? market.price];
  const bestPrice = seen.reduce(
    (best, price) => (isBetter(price, best) ? price : best),
    position.bestPrice,
  );
  const stop = plan.stop === undefined ? null : stopLevel(plan.stop, position, bestPrice);
  const protective = [...stopExit(stop, position), ...targetExits(plan, position)];
  const closeNow = dueExit(plan, position, protective, market.price);
  return {
    protective,
    closeNow,
    lacksStop: plan.stop !== undefined && stop === null,
    addNow: closeNow === null ? addDue(plan, position, market.price) : null,
    stopPrice: stop === null || stop.reason === "stop" ? position.stopPrice : stop.price,
    bestPrice,
  };
}

function stopLevel(stop: Stop, position: PlannedPosition, best: bigint): StopLevel | null {
  const { gain, isBetter } = SIDES[position.side];
  const { averageEntry: entry, stopPrice: booked } = position;
  const { trail, breakEvenAfterBps } = stop;
  const distance = distanceOf(stop.at, entry, position);
  if (distance === null) return null;
  const hasGained = (bps: number) => !isBetter(gain(entry, shareOf(entry, bps)), best);
  let level: StopLevel = { price: gain(entry, -distance), reason: "stop" };
  const raise = (price: bigint, reason: StopLevel["reason"]) => {
    if (isBetter(price, level.price)) level = { price, reason };
  };
  if (breakEvenAfterBps !== undefined && hasGained(breakEvenAfterBps)) raise(entry, "break_even");
  if (trail !== undefined && hasGained(trail.afterBps)) {
    const by = distanceOf(trail.by, best, position);
    // Whole steps from the entry: the level depends on the best price alone, not on how often it was looked at
    if (by !== null) raise(inSteps(gain(best, -by), entry, shareOf(entry, trail.stepBps)), "trail");
  }
  if (booked !== null) raise(booked, trail === undefined ? "break_even" : "trail");
  return level.price > 0n ? level : null;

  function inSteps(price: bigint, from: bigint, step: bigint): bigint {
    if (step <= 0n) return price;
    const moved = isBetter(price, from) ? magnitude(price - from) : -magnitude(price - from);
    const steps = moved >= 0n ? moved / step : -((-moved + step - 1n) / step);
    return gain(from, steps * step);
  }
}

const magnitude = (value: bigint) => (value < 0n ? -value : value);

const opposite = (side: Side): Side => (side === "long" ? "short" : "long");

function stopExit(stop: StopLevel | null, { side, baseSize }: PlannedPosition): ProtectiveExit[] {
  if (stop === null || baseSize === 0n) return [];
  return [
    {
      key: "stop",
      reason: stop.reason,
      side: opposite(side),
      triggerPrice: stop.price,
      triggersWhen: side === "long" ? "below" : "above",
      baseSize,
    },
  ];
}

/** Returns the price of a target; null where its distance is not known. */
function targetPrice(at: TargetDistance, plan: Plan, position: PlannedPosition): bigint | null {
  const { averageEntry: entry, side } = position;
  const { gain } = SIDES[side];
  if (at.kind === "percent") return gain(entry, shareOf(entry, at.bps));
  const risk = plan.stop === undefined ? null : distanceOf(plan.stop.at, entry, position);
  return risk === null ? null : gain(entry, mulDiv(risk, BigInt(at.timesHundredths), 100n, "down"));
}

/**
 * Returns the size of each target, the hit ones 0. Parts are rounded by their running sum, so that they add up to the
 * whole; the last of parts that are 100 % together takes all that is left.
 */
function targetSizes(targets: readonly Target[], position: PlannedPosition): bigint[] {
  const whole = targets.reduce((sum, { closePercent }) => sum + closePercent, 0) === 100;
  let percent = 0;
  let left = position.baseSize;
  return targets.map(({ closePercent }, index) => {
    const before = mulDiv(position.largestSize, BigInt(percent), 100n, "down");
    percent += closePercent;
    if (position.targetsHit.includes(index)) return 0n;
    const part = mulDiv(position.largestSize, BigInt(percent), 100n, "down") - before;
    const takesRest =
      whole && targets.every((_, at) => at <= index || position.targetsHit.includes(at));
    const size = takesRest || part > left ? left : part;
    left -= size;
    return size;
  });
}

function targetExits(plan: Plan, position: PlannedPosition): ProtectiveExit[] {
  const targets = plan.targets ?? [];
  const sizes = targetSizes(targets, position);
  return targets.flatMap(({ at }, index): ProtectiveExit[] => {
    const triggerPrice = targetPrice(at, plan, position);
    const baseSize = sizes[index] ?? 0n;
    if (triggerPrice === null || triggerPrice <= 0n || baseSize === 0n) return [];
    return [
      {
        key: TARGET_KEYS[index] ?? "target-4",
        reason: "target",
        side: opposite(position.side),
        triggerPrice,
        triggersWhen: position.side === "long" ? "above" : "below",
        baseSize,
      },
    ];
  });
}

const TARGET_KEYS = ["target-1", "target-2", "target-3", "target-4"] as const;

const isTriggered = ({ triggersWhen, triggerPrice }: ProtectiveExit, price: bigint) =>
  triggersWhen === "above" ? price > triggerPrice : price < triggerPrice;

function dueExit(
  plan: Plan,
  { baseSize, barsHeld }: PlannedPosition,
  protective: readonly ProtectiveExit[],
  price: bigint,
): PlanDemand["closeNow"] {
  if (baseSize === 0n) return null;
  const due = protective.filter((exit) => isTriggered(exit, price));
  const stop = due.find(({ key }) => key === "stop");
  if (stop !== undefined) return { baseSize, reason: stop.reason, targets: [] };
  if (plan.holdBars !== undefined && barsHeld >= plan.holdBars) {
    return { baseSize, reason: "hold", targets: [] };
  }
  return due.length === 0 ? null : targetsExit(due);
}

/** Returns the one exit of targets that are reached at one price. */
export const targetsExit = (reached: readonly ProtectiveExit[]) => ({
  baseSize: reached.reduce((sum, exit) => sum + exit.baseSize, 0n),
  reason: "target" as const,
  targets: reached.map(({ key }) => TARGET_KEYS.findIndex((each) => each === key)),
});

/** Returns the size of the next add before the caps of collateral and leverage; null where all were made. */
export function nextAdd(
  { adds }: Plan,
  { addsDone, firstEntrySize }: Pick<PlannedPosition, "addsDone" | "firstEntrySize">,
): bigint | null {
  if (adds === undefined || addsDone >= adds.times) return null;
  return mulDiv(firstEntrySize, BigInt(adds.sizePercent), 100n, "down");
}

/** Returns the price beyond which the next add is due, k times its distance for the k-th; null for none at a price. */
export function addLevel({ adds }: Plan, position: PlannedPosition): bigint | null {
  const on = adds?.on;
  const isMore = adds !== undefined && position.addsDone < adds.times;
  if (!isMore || on === undefined || on.kind === "signal") return null;
  const distance = shareOf(position.averageEntry, on.bps * (position.addsDone + 1));
  return SIDES[position.side].gain(
    position.averageEntry,
    on.kind === "favour" ? distance : -distance,
  );
}

function addDue(plan: Plan, position: PlannedPosition, price: bigint): PlanDemand["addNow"] {
  const baseSize = nextAdd(plan, position);
  const level = addLevel(plan, position);
  if (baseSize === null || baseSize === 0n || level === null) return null;
  const { isBetter } = SIDES[position.side];
  const isDue = plan.adds?.on.kind === "favour" ? isBetter(price, level) : isBetter(level, price);
  return isDue ? { baseSize } : null;
}

const TARGET_ENDS = ["target_1", "target_2", "target_3", "target_4"] as const;

/** Returns what of the plan asks for an exit; of several targets the furthest. */
export function planEndOf({ reason, targets }: NonNullable<PlanDemand["closeNow"]>): PlanEnd {
  return reason === "target" ? (TARGET_ENDS[Math.max(0, ...targets)] ?? "target_4") : reason;
}
