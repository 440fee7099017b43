import { mulDiv, toSafeNumber } from "../amount.ts";
import type { Side } from "../position.ts";
import type { VenueProfile } from "../venue-profile.ts";
import {
  type Adds,
  type Distance,
  type Plan,
  PLAN_RANGES,
  type Stop,
  type Target,
} from "./plan.ts";
import { type SizeSettings, largestPercentOf, liquidationPriceOf } from "./size.ts";

/** Half of the spread assumed where the market's own is not known, in millionths: the widest of the listed markets. */
const ASSUMED_HALF_SPREAD_PPM = 500;

/** Price that distances are compared at. */
const UNIT = 1_000_000_000n;

/** What a plan is checked against besides its own figures. */
export interface PlanContext {
  readonly leverage: number;
  readonly positionSizePercent: number;
  readonly venue: Pick<VenueProfile, "kind" | "sides" | "label">;
  /** Costs of the market where they are known: without its maintenance margin no stop is behind the liquidation. */
  readonly costs?: { readonly halfSpreadPpm: number; readonly maintenancePpm: number } | undefined;
}

/** A fault of a plan or its leverage; `field` is the path that the agent file has, for instance `plan.stop.at`. */
export interface PlanFault {
  readonly field: string;
  readonly message: string;
}

type Range = { readonly least: number; readonly most: number };
type Found = PlanFault | null;

const fault = (field: string, message: string): PlanFault => ({ field, message });

const isWithin = (value: number, { least, most }: Range) =>
  Number.isInteger(value) && value >= least && value <= most;

const percent = (bps: number) => `${bps / 100} %`;

function percentFault(field: string, bps: number, range: Range): Found {
  if (isWithin(bps, range)) return null;
  return fault(field, `Choose ${percent(range.least)} to ${percent(range.most)}.`);
}

function wholeFault(field: string, value: number, range: Range, of = ""): Found {
  if (isWithin(value, range)) return null;
  return fault(field, `Choose ${range.least} to ${range.most}${of}, as a whole number.`);
}

function timesFault(field: string, hundredths: number, range: Range): Found {
  if (isWithin(hundredths, range)) return null;
  return fault(field, `Choose ${range.least / 100} to ${range.most / 100} times.`);
}

function distanceFault(field: string, at: Distance, range: Range): Found {
  if (at.kind === "percent") return percentFault(field, at.bps, range);
  return (
    wholeFault(field, at.length, PLAN_RANGES.atrLength, " bars for the ATR") ??
    timesFault(field, at.timesHundredths, PLAN_RANGES.atrTimesHundredths)
  );
}

/** Returns the first fault of an agent's plan and leverage; null where they can be saved. */
export function findPlanFault(plan: Plan | null, context: PlanContext): Found {
  const { holdBars, maxPositionPercent, targets, adds, stop } = plan ?? {};
  const isEmpty =
    plan !== null && [stop, targets, adds, maxPositionPercent, holdBars].every((x) => x == null);
  return (
    (isEmpty ? fault("plan", "A plan has a stop, a target, an add or a time.") : null) ??
    (stop === undefined ? null : stopFault(stop, context)) ??
    (targets === undefined ? null : targetsFault(targets, stop)) ??
    maxPositionFault(maxPositionPercent, context) ??
    (adds === undefined ? null : addsFault(adds, stop, maxPositionPercent, context)) ??
    (holdBars === undefined
      ? null
      : wholeFault("plan.hold", holdBars, PLAN_RANGES.holdBars, " bars")) ??
    leverageFault(plan, context)
  );
}

function stopFault({ at, trail, breakEvenAfterBps }: Stop, { costs }: PlanContext): Found {
  const spread = Math.ceil((2 * (costs?.halfSpreadPpm ?? ASSUMED_HALF_SPREAD_PPM)) / 100);
  const tight = (field: string, distance: Distance) =>
    distance.kind === "percent" && distance.bps <= spread
      ? fault(
          field,
          `That is tighter than the spread of ${percent(spread)}: it would close at once.`,
        )
      : null;
  return (
    distanceFault("plan.stop.at", at, PLAN_RANGES.stopBps) ??
    tight("plan.stop.at", at) ??
    (breakEvenAfterBps === undefined
      ? null
      : percentFault("plan.stop.breakEvenAfter", breakEvenAfterBps, PLAN_RANGES.afterBps)) ??
    (trail === undefined
      ? null
      : (percentFault("plan.stop.trail.after", trail.afterBps, PLAN_RANGES.afterBps) ??
        distanceFault("plan.stop.trail.by", trail.by, PLAN_RANGES.trailBps) ??
        tight("plan.stop.trail.by", trail.by) ??
        percentFault("plan.stop.trail.step", trail.stepBps, PLAN_RANGES.stepBps) ??
        (trail.by.kind === "percent" && trail.stepBps > trail.by.bps
          ? fault("plan.stop.trail.step", "A step is at most what the stop follows behind.")
          : null)))
  );
}

function targetsFault(targets: readonly Target[], stop: Stop | undefined): Found {
  const { least, most } = PLAN_RANGES.targets;
  if (targets.length < least || targets.length > most) {
    return fault("plan.targets", `A plan has ${least} to ${most} targets.`);
  }
  let sum = 0;
  for (const [index, { at, closePercent }] of targets.entries()) {
    const field = `plan.targets.${index}`;
    const found =
      at.kind === "percent"
        ? percentFault(`${field}.at`, at.bps, PLAN_RANGES.targetBps)
        : stop === undefined
          ? fault(`${field}.at`, "A multiple of the stop's distance needs a stop.")
          : timesFault(`${field}.at`, at.timesHundredths, PLAN_RANGES.rTimesHundredths);
    if (found !== null) return found;
    const part = wholeFault(`${field}.close`, closePercent, PLAN_RANGES.percent, " %");
    if (part !== null) return part;
    sum += closePercent;
    if (sum > 100) {
      return fault(`${field}.close`, `The targets close ${sum} % together; at most 100 % is held.`);
    }
  }
  return null;
}

function maxPositionFault(max: number | undefined, { positionSizePercent }: PlanContext): Found {
  if (max === undefined) return null;
  return (
    wholeFault("plan.maxPosition", max, PLAN_RANGES.percent, " %") ??
    (max < positionSizePercent
      ? fault("plan.maxPosition", `An entry alone is ${positionSizePercent} % of the collateral.`)
      : null)
  );
}

function addsFault(
  { on, times, sizePercent }: Adds,
  stop: Stop | undefined,
  maxPositionPercent: number | undefined,
  { positionSizePercent }: PlanContext,
): Found {
  const found =
    (on.kind === "signal" ? null : percentFault("plan.adds.on", on.bps, PLAN_RANGES.addBps)) ??
    wholeFault("plan.adds.times", times, PLAN_RANGES.addTimes, " times") ??
    wholeFault("plan.adds.size", sizePercent, PLAN_RANGES.addSizePercent, " %");
  if (found !== null) return found;
  const reached = (positionSizePercent * (100 + times * sizePercent)) / 100;
  const most = maxPositionPercent ?? positionSizePercent;
  if (reached > most) {
    const message = `With all adds the position is ${reached} % of the collateral; the largest position is ${most} %.`;
    return fault("plan.adds.times", message);
  }
  if (on.kind === "against" && stop?.at.kind === "percent" && on.bps * times >= stop.at.bps) {
    const message = `The last add is ${percent(on.bps * times)} against the entry, behind the stop at ${percent(stop.at.bps)}.`;
    return fault("plan.adds.on", message);
  }
  return null;
}

function leverageFault(plan: Plan | null, context: PlanContext): Found {
  const { leverage, venue } = context;
  const found = wholeFault("leverage", leverage, PLAN_RANGES.leverage);
  if (found !== null) return found;
  if (leverage > 1) {
    if (venue.kind !== "perpetual") {
      return fault("leverage", `${venue.label} is spot only: leverage needs a perpetuals venue.`);
    }
    if (plan?.stop === undefined) {
      return fault("leverage", "Leverage above 1 needs a stop in the plan.");
    }
    if (plan.stop.at.kind === "atr") {
      return fault(
        "plan.stop.at",
        "With leverage above 1 the stop is a percentage, so that it can be compared with the liquidation price.",
      );
    }
  }
  return plan === null ? null : liquidationFault(plan, context);
}

/** A stop at or behind the liquidation price never fires. */
function liquidationFault(plan: Plan, context: PlanContext): Found {
  if (context.venue.kind !== "perpetual" || plan.stop?.at.kind !== "percent") return null;
  const nearest = nearestLiquidation({ ...context, plan }, context);
  if (nearest === null || plan.stop.at.bps < nearest.bps) return null;
  const message = `A ${nearest.side} is liquidated ${percent(nearest.bps)} away from its entry: the stop has to be nearer.`;
  return fault("plan.stop.at", message);
}

/**
 * Returns the side whose liquidation price is nearest to its entry and how far that is, in basis points rounded down; null
 * without one, and where the market's maintenance margin is not known.
 */
export function nearestLiquidation(
  settings: SizeSettings,
  { venue, costs }: Pick<PlanContext, "venue" | "costs">,
): { readonly side: Side; readonly bps: number } | null {
  if (costs === undefined) return null;
  const size = largestPercentOf(settings);
  const found = venue.sides.flatMap((side) => {
    const price = liquidationPriceOf(side, UNIT, size, costs.maintenancePpm);
    if (price === null) return [];
    const distance = side === "long" ? UNIT - price : price - UNIT;
    return [{ side, bps: toSafeNumber(mulDiv(distance, 10_000n, UNIT, "down")) }];
  });
  return found.toSorted((a, b) => a.bps - b.bps)[0] ?? null;
}
