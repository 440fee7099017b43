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
