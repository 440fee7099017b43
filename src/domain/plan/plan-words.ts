import { isBuiltIn, type Network } from "../network.ts";
import type { Side } from "../position.ts";
import type { Adds, Distance, Plan, Stop, Target } from "./plan.ts";

const percent = (bps: number) => `${bps / 100} %`;

/** Returns a distance in words, before what it is measured from. */
export const distanceWords = (at: Distance): string =>
  at.kind === "percent"
    ? percent(at.bps)
    : `${at.timesHundredths / 100} times the ATR of ${at.length} bars`;

/** Sides an agent opens, which decide words such as "below". */
export type PlanSides = readonly Side[];

/** Returns where a stop lies, before "the average entry". */
export const losingSide = (sides: PlanSides) =>
  sides.length === 1 ? (sides[0] === "long" ? "below" : "above") : "on the losing side of";

function stopSentences({ at, trail, breakEvenAfterBps }: Stop, sides: PlanSides): string[] {
  const said = [`Stop ${distanceWords(at)} ${losingSide(sides)} the average entry.`];
  if (breakEvenAfterBps !== undefined) {
    said.push(`From +${percent(breakEvenAfterBps)} on the stop is at the average entry or better.`);
  }
  if (trail !== undefined) {
    said.push(
      `From +${percent(trail.afterBps)} on the stop follows ${distanceWords(trail.by)} behind the best price, in steps of ${percent(trail.stepBps)}.`,
    );
  }
  return said;
}

const PARTS: Readonly<Record<number, string>> = { 25: "a quarter", 50: "half", 100: "all" };

function targetSentence(target: Target, isRest: boolean, sides: PlanSides): string {
  const { at, closePercent } = target;
  const verb = sides.length === 1 && sides[0] === "long" ? "Sell" : "Close";
  const part = isRest ? "the rest" : (PARTS[closePercent] ?? `${closePercent} %`);
  const where =
    at.kind === "percent"
      ? `+${percent(at.bps)}`
      : `${at.timesHundredths / 100} times the stop's distance`;
  return `${verb} ${part} at ${where}.`;
}

function targetSentences(targets: readonly Target[], sides: PlanSides): string[] {
  const sum = targets.reduce((all, { closePercent }) => all + closePercent, 0);
  return targets.map((target, index) =>
    targetSentence(
      target,
      targets.length > 1 && sum === 100 && index === targets.length - 1,
      sides,
    ),
  );
}

function addSentence({ on, times, sizePercent }: Adds): string {
  const size = `adds ${sizePercent} % of the first entry, at most ${times} ${times === 1 ? "time" : "times"}.`;
  if (on.kind === "signal") return `A further opening signal ${size}`;
  const way = on.kind === "against" ? "against the average entry" : "beyond the average entry";
  return `Every ${percent(on.bps)} ${way} ${size}`;
}

/** Returns a plan as sentences, in the order they take effect. */
export function planSentences(plan: Plan, sides: PlanSides): string[] {
  const { stop, targets, adds, maxPositionPercent, holdBars, closeWithoutStop } = plan;
  return [
    ...(stop === undefined ? [] : stopSentences(stop, sides).slice(0, 1)),
    ...(targets === undefined ? [] : targetSentences(targets, sides)),
    ...(stop === undefined ? [] : stopSentences(stop, sides).slice(1)),
    ...(adds === undefined ? [] : [addSentence(adds)]),
    ...(maxPositionPercent === undefined
      ? []
      : [`The position is at most ${maxPositionPercent} % of the collateral.`]),
    ...(holdBars === undefined ? [] : [`Close after ${holdBars} bars.`]),
    ...(closeWithoutStop === false ? ["An entry whose stop cannot be placed stays open."] : []),
  ];
}

/** Returns a plan on one line, the same for any side, as an owner signs it. */
export const planText = (plan: Plan): string => planSentences(plan, ["long", "short"]).join(" ");

/** Returns where the stop of a position is kept, as its owner reads it. */
export function keptWords(kept: "watched" | "resting", network: Network): string {
  if (kept === "watched") return "Watched by this server. Does not hold while it is off.";
  return isBuiltIn(network)
    ? "Rests at the exchange, which is part of this server here and stands still while it is off."
    : "Rests at the exchange. Holds while this server is off.";
}

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
