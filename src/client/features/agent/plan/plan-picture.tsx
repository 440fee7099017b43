import { clsx } from "clsx";
import { GripHorizontal } from "lucide-react";
import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { type Plan, PLAN_RANGES } from "../../../../domain/plan/plan.ts";
import { losingSide, type PlanSides } from "../../../../domain/plan/plan-words.ts";

interface Level {
  readonly key: string;
  /** Distance from the average entry in basis points; profit is positive. */
  readonly bps: number;
  readonly text: string;
  readonly tone: "up" | "down" | "muted";
  /** Absent for a level that is not set by a percentage of its own. */
  readonly move?: Move;
}

/** How a level is moved; `value` and `set` are in the basis points that its field has. */
interface Move {
  readonly label: string;
  readonly words: string;
  readonly range: { readonly least: number; readonly most: number };
  readonly value: number;
  readonly set: (bps: number) => Partial<Plan>;
}

const percent = (bps: number) => `${bps > 0 ? "+" : "−"}${Math.abs(bps) / 100} %`;

/** Returns the levels of a plan that are known before the entry; those in multiples of the ATR are not. */
function levelsOf({ stop, targets = [] }: Plan, sides: PlanSides): readonly Level[] {
  const at = stop?.at.kind === "percent" ? stop.at : null;
  const levels: Level[] = [{ key: "entry", bps: 0, text: "entry", tone: "muted" }];
  if (stop !== undefined && at !== null) {
    levels.push({
      key: "stop",
      bps: -at.bps,
      text: `stop ${percent(-at.bps)}`,
      tone: "down",
      move: {
        label: "Stop",
        words: `${at.bps / 100} % ${losingSide(sides)} the average entry`,
        range: PLAN_RANGES.stopBps,
        value: at.bps,
        set: (bps) => ({ stop: { ...stop, at: { ...at, bps } } }),
      },
    });
  }
  const even = stop?.breakEvenAfterBps;
  if (stop !== undefined && even !== undefined) {
    levels.push({
      key: "even",
      bps: even,
      text: `break-even ${percent(even)}`,
      tone: "muted",
      move: {
        label: "Break-even",
        words: `from ${even / 100} % profit on`,
        range: PLAN_RANGES.afterBps,
        value: even,
        set: (bps) => ({ stop: { ...stop, breakEvenAfterBps: bps } }),
      },
    });
  }
  const trail = stop?.trail;
  if (stop !== undefined && trail !== undefined) {
    levels.push({
      key: "trail",
      bps: trail.afterBps,
      text: `trailing ${percent(trail.afterBps)}`,
      tone: "muted",
      move: {
        label: "Trailing",
        words: `from ${trail.afterBps / 100} % profit on`,
        range: PLAN_RANGES.afterBps,
        value: trail.afterBps,
        set: (bps) => ({ stop: { ...stop, trail: { ...trail, afterBps: bps } } }),
      },
    });
  }
  for (const [index, target] of targets.entries()) {
    const { closePercent } = target;
    const profit =
      target.at.kind === "percent"
        ? target.at.bps
        : ((at?.bps ?? Number.NaN) * target.at.timesHundredths) / 100;
    levels.push({
      key: `target ${index}`,
      bps: profit,
      text: `${percent(profit)}, close ${closePercent} %`,
      tone: "up",
      ...(target.at.kind === "percent" && {
        move: {
          label: `Target ${index + 1}`,
          words: `closes ${closePercent} % at ${profit / 100} % profit`,
          range: PLAN_RANGES.targetBps,
          value: profit,
          set: (bps: number) => ({
            targets: targets.with(index, { ...target, at: { kind: "percent", bps } }),
          }),
        },
      }),
    });
  }
  return levels.filter(({ bps }) => Number.isFinite(bps));
}

/** Height of the picture and least distance of two levels, in pixels. */
const HEIGHT = 176;
const ROW = 24;
const MARGIN = 12;

/** Basis points of an arrow key, of a page key, and that a dragged level keeps to. */
const STEP = 10;
const LEAP = 100;

/** Where the picture's levels are: the lowest distance and how much it shows. */
interface Scale {
  readonly least: number;
  readonly span: number;
}

/** A level that is dragged, with where it and the pointer began. */
interface Dragged extends Scale {
  readonly key: string;
  readonly fromValue: number;
  readonly fromY: number;
}

/** Returns the places of line and text of each level by its key, no text over another. */
function placesOf(levels: readonly Level[], lineAt: (bps: number) => number) {
  const places = new Map<string, { readonly line: number; readonly top: number }>();
  let lowest = -ROW;
  for (const { key, bps } of levels.toSorted((a, b) => lineAt(a.bps) - lineAt(b.bps))) {
    const line = lineAt(bps);
    lowest = Math.max(lowest + ROW, line - ROW / 2);
    places.set(key, { line, top: lowest });
  }
  return { places, height: Math.max(HEIGHT, lowest + ROW) };
}

interface PlanPictureProps {
  readonly plan: Plan;
  readonly sides: PlanSides;
  readonly onChange: (parts: Partial<Plan>) => void;
}

/** Picture of a plan's levels beside its sentences. A level is moved by dragging it or with the arrow keys. */
export function PlanPicture({ plan, sides, onChange }: PlanPictureProps) {
  const [dragged, setDragged] = useState<Dragged | null>(null);
  const levels = levelsOf(plan, sides);
  if (levels.length < 2) return null;
  const isShort = sides.length === 1 && sides[0] === "short";
  const all = levels.map(({ bps }) => bps);
  // The scale stands still while a level is dragged, so that the level stays under the pointer
  const { least, span } = dragged ?? {
    least: Math.min(...all),
    span: Math.max(...all) - Math.min(...all) || 1,
  };
  const inner = HEIGHT - 2 * MARGIN;
  const { places, height } = placesOf(levels, (bps) => {
    const share = Math.min(1, Math.max(0, (bps - least) / span));
    return MARGIN + (isShort ? share : 1 - share) * inner;
  });
  const moveTo = ({ range, set }: Move, bps: number) =>
    onChange(set(Math.min(range.most, Math.max(range.least, bps))));
  return (
    <div
      role="group"
      aria-label="Levels of the plan"
      className="relative w-full shrink-0 rounded-md border border-line bg-surface text-xs sm:w-48"
      style={{ height }}
    >
      {levels.map((level) => {
        const { key, text, tone, move } = level;
        const { line, top } = places.get(key) ?? { line: 0, top: 0 };
        // A short's gain is below its entry
        const way = level.bps >= 0 === isShort ? -1 : 1;
        return (
          <div key={key}>
            <span
              aria-hidden
              className={clsx(
                "absolute left-2 w-10 border-t",
                { up: "border-up", down: "border-down", muted: "border-line-strong border-dashed" }[
                  tone
                ],
              )}
              style={{ top: line }}
            />
            <span
              {...(move && {
                ...sliderOf(move, way),
                onKeyDown: (event: KeyboardEvent) => {
                  const by = stepOf(event.key);
                  if (by === 0) return;
                  event.preventDefault();
                  moveTo(move, move.value + by * way);
                },
                onPointerDown: (event: PointerEvent<HTMLElement>) => {
                  event.currentTarget.setPointerCapture(event.pointerId);
                  setDragged({ key, least, span, fromValue: move.value, fromY: event.clientY });
                },
                onPointerMove: (event: PointerEvent<HTMLElement>) => {
                  if (dragged?.key !== key) return;
                  const by = ((dragged.fromY - event.clientY) / inner) * span * way;
                  moveTo(move, Math.round((dragged.fromValue + by) / STEP) * STEP);
                },
                onPointerUp: () => setDragged(null),
                onPointerCancel: () => setDragged(null),
              })}
              aria-hidden={move === undefined}
              className={clsx(
                "absolute left-14 flex h-6 items-center gap-1 rounded-sm pr-1 whitespace-nowrap",
                { up: "text-up", down: "text-down", muted: "text-muted" }[tone],
                move && "cursor-ns-resize touch-none select-none hover:bg-hover",
              )}
              style={{ top }}
            >
              {text}
              {move && <GripHorizontal aria-hidden className="size-3 text-faint" />}
            </span>
          </div>
        );
      })}
    </div>
  );
}

/** Returns a level as a slider, whose value is how far the price is from the entry in percent; `way` is its sign. */
const sliderOf = ({ label, words, range: { least, most }, value }: Move, way: number) => ({
  role: "slider",
  tabIndex: 0,
  "aria-label": `${label}, level`,
  "aria-orientation": "vertical" as const,
  "aria-valuemin": (way > 0 ? least : -most) / 100,
  "aria-valuemax": (way > 0 ? most : -least) / 100,
  "aria-valuenow": (way * value) / 100,
  "aria-valuetext": words,
});

/** Returns the basis points that a key moves a level up; 0 for every other key. */
function stepOf(key: string): number {
  switch (key) {
    case "ArrowUp":
    case "ArrowRight":
      return STEP;
    case "ArrowDown":
    case "ArrowLeft":
      return -STEP;
    case "PageUp":
      return LEAP;
    case "PageDown":
      return -LEAP;
    default:
      return 0;
  }
}
