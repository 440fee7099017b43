import { type KeyboardEvent, memo, useId, useState } from "react";
import type { GridCell } from "../../../../strategy/grid.ts";
import type { Measures } from "../../../../strategy/measures.ts";
import type { GridResult } from "../../../workers/run-grid.ts";
import { ratioText, shareText, toneOf } from "./share-text.ts";

const CELL = 24;

/** Returns a cell's colour strength relative to the strongest result. */
const strengthOf = (share: number, strongest: number) =>
  strongest === 0 ? 0 : Math.min(1, Math.abs(share) / strongest);

/** Movement of each key in rows and columns. */
const STEPS: Readonly<Record<string, readonly [down: number, across: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/**
 * Heat map of in-sample results by parameter values; the cell selected by pointer, touch or keys is described in text.
 *
 * The out-of-sample result is shown for the best variant only: shown for each, it would decide the choice.
 */
export function HeatMap({ grid }: { readonly grid: GridResult }) {
  const { axes, cells, best } = grid;
  const [pointed, setPointed] = useState<number | null>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  const id = useId();
  const [down, across] = axes;
  if (down === undefined) return null;
  const columns = across?.values ?? [0];
  const placeOf = (cell: GridCell) => placeIn(grid, cell);
  const strongest = cells.reduce(
    (most, { totalReturn }) => Math.max(most, Math.abs(totalReturn)),
    0,
  );
  const highest = cells.reduce((most, { totalReturn }) => Math.max(most, totalReturn), -1);
  const at = pointed ?? chosen;
  const walk = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = nextCell(grid, chosen ?? best ?? 0, step);
    if (next !== null) setChosen(next);
  };
  const marked = cells[at ?? -1];
  return (
    <figure className="flex flex-col gap-2">
      <Told grid={grid} at={at} />
      <div className="grid max-w-2xl grid-cols-[auto_1fr] gap-1 text-2xs text-muted tabular-nums">
        <Figures values={down.values} isDown />
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a drawing has no element that takes keys */}
        <div
          role="application"
          aria-roledescription="heat map"
          aria-label={`Results from ${shareText(-strongest)} to ${shareText(highest, true)}`}
          aria-describedby={id}
          tabIndex={0}
          onKeyDown={walk}
          className="h-64 overflow-hidden rounded-md border border-line bg-raised"
        >
          <svg
            aria-hidden
            viewBox={`0 0 ${columns.length * CELL} ${down.values.length * CELL}`}
            preserveAspectRatio="none"
            className="size-full"
            onPointerLeave={() => setPointed(null)}
          >
            <Cells
              cells={cells}
              placeOf={placeOf}
              strongest={strongest}
              onPoint={setPointed}
              onChoose={setChosen}
            />
            {marked && (
              <rect
                x={placeOf(marked).column * CELL}
                y={placeOf(marked).row * CELL}
                width={CELL}
                height={CELL}
                className="pointer-events-none fill-none stroke-ink"
                strokeWidth={2}
                vectorEffect="non-scaling-stroke"
              />
            )}
          </svg>
        </div>
        {across && (
          <div className="col-start-2">
            <Figures values={columns} />
          </div>
        )}
      </div>
      <p id={id} className="text-2xs text-muted">
        Down: {down.parameter.label}, {down.values[0]} to {down.values.at(-1)}.
        {across &&
          ` Across: ${across.parameter.label}, ${across.values[0]} to ${across.values.at(-1)}.`}{" "}
        Full colour is {shareText(strongest)}.
        {cells.length < columns.length * down.values.length &&
          " Empty where a fast length is not below its slow one."}{" "}
        Point at a cell, touch it or use the arrow keys.
      </p>
    </figure>
  );
}

/** Returns row and column of a cell. */
const placeIn = (
  { axes: [down, across] }: GridResult,
  { values: [row = 0, column = 0] }: GridCell,
) => ({
  row: down?.values.indexOf(row) ?? 0,
  column: across?.values.indexOf(column) ?? 0,
});

/** Returns the index of the next cell in a direction; null for none. Not every combination is a cell. */
function nextCell(
  grid: GridResult,
  from: number,
  [down, across]: readonly [number, number],
): number | null {
  const { axes, cells } = grid;
  const [rows = 0, columns = 1] = axes.map(({ values }) => values.length);
  const places = cells.map((cell) => placeIn(grid, cell));
  let { row, column } = places[from] ?? { row: -1, column: -1 };
  while (row >= 0 && row < rows && column >= 0 && column < columns) {
    [row, column] = [row + down, column + across];
    const next = places.findIndex((place) => place.row === row && place.column === column);
    if (next >= 0) return next;
  }
  return null;
}

/** What is told of the cell at an index, else of the best one, and how far the choice is to be trusted. */
function Told({ grid, at }: { readonly grid: GridResult; readonly at: number | null }) {
  const { axes, cells, best, keptOut } = grid;
  const gained = cells.filter(({ totalReturn }) => totalReturn > 0).length;
  const told = cells[at ?? best ?? -1];
  return (
    <figcaption className="text-xs">
      {gained} of {cells.length} variants gained. {best === null && "None of them closed a trade. "}
      {told && (
        <span aria-live="polite" aria-atomic>
          <span className="text-muted">
            {at === null || at === best ? "Best" : "Here"}:{" "}
            {axes
              .map(({ parameter }, axis) => `${parameter.label} ${told.values[axis]}`)
              .join(", ")}
            {" – "}
          </span>
          <b className={`font-medium ${toneOf(told.totalReturn)}`}>
            {shareText(told.totalReturn, true)}
          </b>
          <span className="text-muted">
            , Sharpe {ratioText(told.sharpe)}, {tradeCount(told)}
          </span>
        </span>
      )}
      {keptOut && <KeptOut measures={keptOut} />}
      <Overfitting grid={grid} />
    </figcaption>
  );
}

/** Out-of-sample result of the best variant. */
function KeptOut({ measures }: { readonly measures: Measures }) {
  return (
    <p className="mt-1">
      <span className="text-muted">The best one on the 30% kept out: </span>
      <b className={`font-medium ${toneOf(measures.totalReturn)}`}>
        {shareText(measures.totalReturn, true)}
      </b>
      <span className="text-muted">
        , Sharpe {ratioText(measures.sharpe)}, {tradeCount(measures)}
      </span>
    </p>
  );
}

/** How far choosing the best variant is to be trusted: cross-validated, and chosen anew before each window. */
function Overfitting({ grid: { overfitting, walk } }: { readonly grid: GridResult }) {
  return (
    <>
      {overfitting !== null && (
        <p className="mt-1">
          <span className="text-muted">Chance that the best one is below the middle later: </span>
          <b className="font-medium">{shareText(overfitting)}</b>
          <span className="text-muted">
            {overfitting >= 0.5 ? ", as if chosen by chance" : ", cross-validated"}
          </span>
        </p>
      )}
      {walk !== null && (
        <p className="mt-1">
          <span className="text-muted">
            Chosen anew before each of {walk.windows.length} windows:{" "}
          </span>
          <b className={`font-medium ${toneOf(walk.totalReturn)}`}>
            {shareText(walk.totalReturn, true)}
          </b>
          <span className="text-muted">
            , by window {walk.windows.map((each) => shareText(each, true)).join(", ")}
          </span>
        </p>
      )}
    </>
  );
}

const tradeCount = ({ closedTrades }: Pick<GridCell, "closedTrades">) =>
  `${closedTrades} ${closedTrades === 1 ? "trade" : "trades"}`;

/** Most figures at an axis. */
const MOST_FIGURES = 7;

/** Values at an axis, each in the middle of its row or column; every n-th where there are many. */
function Figures({ values, isDown = false }: { values: readonly number[]; isDown?: boolean }) {
  const step = Math.ceil(values.length / MOST_FIGURES);
  const widest = values.reduce((most, value) => Math.max(most, `${value}`.length), 1);
  return (
    <div
      aria-hidden
      className="relative h-full min-h-4"
      style={isDown ? { width: `${widest}ch` } : {}}
    >
      {values.map((value, at) => {
        const middle = `${(100 * (at + 0.5)) / values.length}%`;
        return at % step === 0 ? (
          <span
            key={value}
            className={`absolute ${isDown ? "right-0 -translate-y-1/2" : "-translate-x-1/2"}`}
            style={isDown ? { top: middle } : { left: middle }}
          >
            {value}
          </span>
        ) : null;
      })}
    </div>
  );
}

interface CellsProps extends Pick<GridResult, "cells"> {
  readonly placeOf: (cell: GridCell) => { readonly row: number; readonly column: number };
  readonly strongest: number;
  readonly onPoint: (at: number) => void;
  readonly onChoose: (at: number) => void;
}

/** Cells of all variants, memoised so that selecting one does not rerender them. */
const Cells = memo(
  function Cells({ cells, placeOf, strongest, onPoint, onChoose }: CellsProps) {
    return cells.map((cell, at) => (
      <rect
        key={cell.values.join(" ")}
        x={placeOf(cell).column * CELL}
        y={placeOf(cell).row * CELL}
        width={CELL}
        height={CELL}
        fillOpacity={strengthOf(cell.totalReturn, strongest)}
        className={cell.totalReturn < 0 ? "fill-down" : "fill-up"}
        onPointerEnter={() => onPoint(at)}
        onPointerDown={() => onChoose(at)}
      />
    ));
  },
  (before, after) => before.cells === after.cells,
);
