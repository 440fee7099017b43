import type { Side } from "../position.ts";

/** How far a level is from a price: percent in basis points, or a multiple of the ATR of `length` bars. */
export type Distance =
  | { readonly kind: "percent"; readonly bps: number }
  | { readonly kind: "atr"; readonly length: number; readonly timesHundredths: number };

/** Distance of a target from the average entry; `r` is a multiple of the stop's distance. */
export type TargetDistance =
  | { readonly kind: "percent"; readonly bps: number }
  | { readonly kind: "r"; readonly timesHundredths: number };

/** A stop that follows the best price once the profit reached `afterBps`. */
export interface Trail {
  readonly afterBps: number;
  readonly by: Distance;
  /** The stop moves in steps of this share of the average entry. */
  readonly stepBps: number;
}

export interface Stop {
  readonly at: Distance;
  readonly trail?: Trail | undefined;
  /** From this profit on the stop is at the average entry or better. Fees are not included. */
  readonly breakEvenAfterBps?: number | undefined;
}

export interface Target {
  readonly at: TargetDistance;
  /** Percent of the largest size held. */
  readonly closePercent: number;
}

/** When a position grows: on a further opening signal, or each `bps` further from the average entry. */
export type AddOn =
  | { readonly kind: "signal" }
  | { readonly kind: "against" | "favour"; readonly bps: number };

export interface Adds {
  readonly on: AddOn;
  readonly times: number;
  /** Percent of the first entry. */
  readonly sizePercent: number;
}

/** What an agent does with a position once it is open. */
export interface Plan {
  readonly stop?: Stop | undefined;
  /** 1 to 4; the sum of their parts is at most 100. */
  readonly targets?: readonly Target[] | undefined;
  readonly adds?: Adds | undefined;
  /** Largest position as a share of the collateral, before leverage; without it the entry's own size. */
  readonly maxPositionPercent?: number | undefined;
  /** Bars after which the position is closed. */
  readonly holdBars?: number | undefined;
  /** Whether a position whose stop has no level, or does not rest where it should, for 30 s is closed; default true. */
  readonly closeWithoutStop?: boolean | undefined;
}

/** Bounds of a plan's figures. */
export const PLAN_RANGES = {
  leverage: { least: 1, most: 5 },
  stopBps: { least: 10, most: 5_000 },
  trailBps: { least: 10, most: 5_000 },
  stepBps: { least: 5, most: 1_000 },
  afterBps: { least: 10, most: 100_000 },
  targetBps: { least: 10, most: 100_000 },
  atrLength: { least: 2, most: 100 },
  atrTimesHundredths: { least: 25, most: 2_000 },
  rTimesHundredths: { least: 10, most: 5_000 },
  targets: { least: 1, most: 4 },
  percent: { least: 1, most: 100 },
  addTimes: { least: 1, most: 5 },
  addBps: { least: 10, most: 5_000 },
  addSizePercent: { least: 1, most: 500 },
  holdBars: { least: 1, most: 10_000 },
} as const;

/**
 * What is booked of the open position a plan speaks of. Sizes are base units, prices quote units with six decimals per
 * whole asset.
 */
export interface PlannedPosition {
  readonly marketId: string;
  readonly side: Side;
  readonly baseSize: bigint;
  readonly averageEntry: bigint;
  readonly firstEntrySize: bigint;
  readonly largestSize: bigint;
  /** Most favourable price seen since the last entry or add: an earlier one is no profit on an average that has moved. */
  readonly bestPrice: bigint;
  /**
   * ATR on the agent's interval at the last closed bar before the entry, by length; fixed while the position is open, so
   * that a stop does not float.
   */
  readonly atr: ReadonlyMap<number, bigint>;
  /** Indexes of the plan's targets that were hit, from 0. */
  readonly targetsHit: readonly number[];
  readonly addsDone: number;
  readonly openedAtMs: number;
  readonly barsHeld: number;
  /** The stop's trigger price where break-even or trailing moved it; null before. */
  readonly stopPrice: bigint | null;
}

/** Returns the ATR lengths that a plan needs at the entry. */
export function atrLengthsOf(plan: Plan): number[] {
  const distances = [plan.stop?.at, plan.stop?.trail?.by];
  return [...new Set(distances.flatMap((each) => (each?.kind === "atr" ? [each.length] : [])))];
}

/** Returns the position that a first entry opens. */
export function plannedEntry(
  entry: Pick<PlannedPosition, "marketId" | "side" | "baseSize" | "atr" | "openedAtMs"> & {
    readonly price: bigint;
  },
): PlannedPosition {
  const { price, ...position } = entry;
  return {
    ...position,
    averageEntry: price,
    firstEntrySize: entry.baseSize,
    largestSize: entry.baseSize,
    bestPrice: price,
    targetsHit: [],
    addsDone: 0,
    barsHeld: 0,
    stopPrice: null,
  };
}

/** Returns the position after an add was filled. */
export function afterAdd(
  position: PlannedPosition,
  baseSize: bigint,
  price: bigint,
): PlannedPosition {
  const held = position.baseSize + baseSize;
  const paid = position.averageEntry * position.baseSize + price * baseSize;
  return {
    ...position,
    baseSize: held,
    averageEntry: paid / held,
    largestSize: held > position.largestSize ? held : position.largestSize,
    bestPrice: price,
    addsDone: position.addsDone + 1,
  };
}

/** Returns the position after part of it was closed; null once nothing is left. */
export function afterPart(
  position: PlannedPosition,
  baseSize: bigint,
  targets: readonly number[] = [],
): PlannedPosition | null {
  if (baseSize >= position.baseSize) return null;
  const targetsHit = [...new Set([...position.targetsHit, ...targets])];
  return { ...position, baseSize: position.baseSize - baseSize, targetsHit };
}

/** What of a plan ended a position or part of it. `no_stop`: its stop had no level, or did not rest, in time. */
export const PLAN_ENDS = [
  "stop",
  "trail",
  "break_even",
  "target_1",
  "target_2",
  "target_3",
  "target_4",
  "hold",
  "no_stop",
] as const;

export type PlanEnd = (typeof PLAN_ENDS)[number];

/** Everything of a plan that asks for an order: its ends, and adds. */
export const PLAN_ACTS = [...PLAN_ENDS, "add"] as const;

export type PlanAct = (typeof PLAN_ACTS)[number];

/** What an owner reads of it, in the log and beside results. */
export const PLAN_ACT_WORDS: Readonly<Record<PlanAct, string>> = {
  stop: "Stop",
  trail: "Trailing stop",
  break_even: "Stop at break-even",
  target_1: "Target 1",
  target_2: "Target 2",
  target_3: "Target 3",
  target_4: "Target 4",
  hold: "Held to the end",
  no_stop: "No stop could be placed",
  add: "Add",
};

/** Time within which the stop of a position has to have a level, and to rest where the venue keeps stops, in milliseconds. */
export const NO_STOP_AFTER_MS = 30_000;
