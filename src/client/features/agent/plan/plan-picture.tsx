import { clsx } from "clsx";
import type { Plan } from "../../../../domain/plan/plan.ts";
import type { PlanSides } from "../../../../domain/plan/plan-words.ts";

interface Level {
  readonly key: string;
  /** Distance from the average entry in basis points; profit is positive. */
  readonly bps: number;
  readonly text: string;
  readonly tone: "up" | "down" | "muted";
}

const percent = (bps: number) => `${bps > 0 ? "+" : "−"}${Math.abs(bps) / 100} %`;

/** Returns the levels of a plan that are known before the entry; those in multiples of the ATR are not. */
function levelsOf({ stop, targets = [] }: Plan): readonly Level[] {
  const stopBps = stop?.at.kind === "percent" ? stop.at.bps : null;
  const trail = stop?.trail;
  const levels: Level[] = [{ key: "entry", bps: 0, text: "entry", tone: "muted" }];
  if (stopBps !== null) {
    levels.push({ key: "stop", bps: -stopBps, text: `stop ${percent(-stopBps)}`, tone: "down" });
  }
  if (stop?.breakEvenAfterBps !== undefined) {
    const bps = stop.breakEvenAfterBps;
    levels.push({ key: "even", bps, text: `break-even ${percent(bps)}`, tone: "muted" });
  }
  if (trail !== undefined) {
    const text = `trailing ${percent(trail.afterBps)}`;
    levels.push({ key: "trail", bps: trail.afterBps, text, tone: "muted" });
  }
  for (const [index, { at, closePercent }] of targets.entries()) {
    const r = at.kind === "r" && stopBps !== null ? (stopBps * at.timesHundredths) / 100 : null;
    const bps = at.kind === "percent" ? at.bps : r;
    if (bps === null) continue;
    const text = `${percent(bps)}, close ${closePercent} %`;
    levels.push({ key: `target ${index}`, bps, text, tone: "up" });
  }
  return levels.filter(({ bps }) => Number.isFinite(bps));
}

/** Height of the picture and least distance of two texts, in pixels. */
const HEIGHT = 160;
const ROW = 16;
const MARGIN = 10;

/** Returns the levels with the places of line and text, no text over another. */
function placedLevels(levels: readonly Level[], lineAt: (bps: number) => number) {
  const tops: number[] = [];
  for (const { bps } of levels) {
    tops.push(Math.max((tops.at(-1) ?? -ROW) + ROW, lineAt(bps) - ROW / 2));
  }
  return levels.map((level, at) => ({ ...level, line: lineAt(level.bps), top: tops[at] ?? 0 }));
}

/** Picture of a plan's levels beside its sentences, which say the same. */
export function PlanPicture({ plan, sides }: { readonly plan: Plan; readonly sides: PlanSides }) {
  const isShort = sides.length === 1 && sides[0] === "short";
  const levels = levelsOf(plan).toSorted((a, b) => (isShort ? a.bps - b.bps : b.bps - a.bps));
  if (levels.length < 2) return null;
  const all = levels.map(({ bps }) => bps);
  const [least, span] = [Math.min(...all), Math.max(...all) - Math.min(...all) || 1];
  const placed = placedLevels(levels, (bps) => {
    const share = (bps - least) / span;
    return MARGIN + (isShort ? share : 1 - share) * (HEIGHT - 2 * MARGIN);
  });
  const lowest = Math.max(...placed.map(({ top }) => top + ROW));
  return (
    <div
      aria-hidden
      className="relative w-full shrink-0 rounded-md border border-line bg-surface text-xs sm:w-48"
      style={{ height: Math.max(HEIGHT, lowest) }}
    >
      {placed.map(({ key, line, top, text, tone }) => (
        <div key={key}>
          <span
            className={clsx(
              "absolute left-2 w-10 border-t",
              { up: "border-up", down: "border-down", muted: "border-line-strong border-dashed" }[
                tone
              ],
            )}
            style={{ top: line }}
          />
          <span
            className={clsx(
              "absolute left-14 whitespace-nowrap",
              { up: "text-up", down: "text-down", muted: "text-muted" }[tone],
            )}
            style={{ top }}
          >
            {text}
          </span>
        </div>
      ))}
    </div>
  );
}
