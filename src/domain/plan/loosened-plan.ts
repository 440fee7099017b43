import type { Adds, Distance, Plan, Stop } from "./plan.ts";

/** Returns whether a distance may lie further away; of different kinds nothing is known. */
function isFarther(before: Distance, after: Distance): boolean {
  if (before.kind === "percent" && after.kind === "percent") return after.bps > before.bps;
  if (before.kind === "percent" || after.kind === "percent") return true;
  return after.length !== before.length || after.timesHundredths > before.timesHundredths;
}

/** Returns whether a figure that holds from its value on is gone or larger. */
const isLater = (before: number | undefined, after: number | undefined): boolean =>
  before !== undefined && (after === undefined || after > before);

function isStopLooser(before: Stop | undefined, after: Stop | undefined): boolean {
  if (before === undefined) return false;
  if (after === undefined || isFarther(before.at, after.at)) return true;
  if (isLater(before.breakEvenAfterBps, after.breakEvenAfterBps)) return true;
  const { trail } = before;
  if (trail === undefined) return false;
  const other = after.trail;
  return (
    other === undefined ||
    other.afterBps > trail.afterBps ||
    other.stepBps > trail.stepBps ||
    isFarther(trail.by, other.by)
  );
}

const addKey = ({ on }: Adds) => (on.kind === "signal" ? "signal" : `${on.kind} ${on.bps}`);

function areAddsLooser(before: Adds | undefined, after: Adds | undefined): boolean {
  if (after === undefined) return false;
  return (
    before === undefined ||
    addKey(before) !== addKey(after) ||
    after.times > before.times ||
    after.sizePercent > before.sizePercent
  );
}

const targetKey = ({ targets = [] }: Plan) =>
  targets.map(({ at, closePercent }) => [
    at.kind,
    at.kind === "percent" ? at.bps : at.timesHundredths,
    closePercent,
  ]);

/** Returns whether targets that were there are not the same any more. */
const areTargetsLooser = (before: Plan, after: Plan): boolean =>
  before.targets !== undefined &&
  JSON.stringify(targetKey(before)) !== JSON.stringify(targetKey(after));

/**
 * Returns the parts of a plan that a second one loosens, in words. What is not provably as tight counts as looser.
 *
 * The largest position of a plan without one is the entry's size, which is a term of its own.
 */
export function loosenedPlan(before: Plan | null, after: Plan | null): string[] {
  const [was, is] = [before ?? {}, after ?? {}];
  const found: readonly (readonly [is: boolean, what: string])[] = [
    [isStopLooser(was.stop, is.stop), "stop"],
    [areTargetsLooser(was, is), "targets"],
    [areAddsLooser(was.adds, is.adds), "adds"],
    [(is.maxPositionPercent ?? 0) > (was.maxPositionPercent ?? 0), "largest position"],
    [isLater(was.holdBars, is.holdBars), "time to hold"],
    [
      was.stop !== undefined && was.closeWithoutStop !== false && is.closeWithoutStop === false,
      "closing without a stop",
    ],
  ];
  return found.flatMap(([isLooser, what]) => (isLooser ? [what] : []));
}
