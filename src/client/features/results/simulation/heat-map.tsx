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
  const { axes, cells, best, keptOut } = grid;
  const [pointed, setPointed] = useState<number | null>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  const id = useId();
  const [down, across] = axes;
  if (down === undefined) return null;
  const columns = across?.values.length ?? 1;
  const rows = down.values.length;
  const strongest = cells.reduce(
    (most, { totalReturn }) => Math.max(most, Math.abs(totalReturn)),
    0,
  );
  const gained = cells.filter(({ totalReturn }) => totalReturn > 0).length;
  const highest = cells.reduce((most, { totalReturn }) => Math.max(most, totalReturn), -1);
  const at = pointed ?? chosen;
  const told = cells[at ?? best ?? -1];
  const walk = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const from = chosen ?? best ?? 0;
    const row = Math.min(rows - 1, Math.max(0, Math.floor(from / columns) + step[0]));
    const column = Math.min(columns - 1, Math.max(0, (from % columns) + step[1]));
    setChosen(row * columns + column);
  };
  return (
    <figure className="flex flex-col gap-2">
      <figcaption className="text-xs">
        {gained} of {cells.length} variants gained.{" "}
        {best === null && "None of them closed a trade. "}
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
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a drawing has no element that takes keys */}
      <div
        role="application"
        aria-roledescription="heat map"
        aria-label={`Results from ${shareText(-strongest)} to ${shareText(highest, true)}`}
        aria-describedby={id}
        tabIndex={0}
        onKeyDown={walk}
        className="h-64 w-full max-w-2xl overflow-hidden rounded-md border border-line bg-raised"
      >
        <svg
          aria-hidden
          viewBox={`0 0 ${columns * CELL} ${rows * CELL}`}
          preserveAspectRatio="none"
          className="size-full"
          onPointerLeave={() => setPointed(null)}
        >
          <Cells
            cells={cells}
            columns={columns}
            strongest={strongest}
            onPoint={setPointed}
            onChoose={setChosen}
          />
          {at !== null && (
            <rect
              x={(at % columns) * CELL}
              y={Math.floor(at / columns) * CELL}
              width={CELL}
              height={CELL}
              className="pointer-events-none fill-none stroke-ink"
              strokeWidth={2}
              vectorEffect="non-scaling-stroke"
            />
          )}
        </svg>
      </div>
      <p id={id} className="text-2xs text-muted">
        Down: {down.parameter.label}, {down.values[0]} to {down.values.at(-1)}.
        {across &&
          ` Across: ${across.parameter.label}, ${across.values[0]} to ${across.values.at(-1)}.`}{" "}
        Full colour is {shareText(strongest)}. Point at a cell, touch it or use the arrow keys.
      </p>
    </figure>
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

interface CellsProps extends Pick<GridResult, "cells"> {
  readonly columns: number;
  readonly strongest: number;
  readonly onPoint: (at: number) => void;
  readonly onChoose: (at: number) => void;
}

/** Cells of all variants, memoised so that selecting one does not rerender them. */
const Cells = memo(function Cells({ cells, columns, strongest, onPoint, onChoose }: CellsProps) {
  return cells.map((cell, at) => (
    <rect
      key={cell.values.join(" ")}
      x={(at % columns) * CELL}
      y={Math.floor(at / columns) * CELL}
      width={CELL}
      height={CELL}
      fillOpacity={strengthOf(cell.totalReturn, strongest)}
      className={cell.totalReturn < 0 ? "fill-down" : "fill-up"}
      onPointerEnter={() => onPoint(at)}
      onPointerDown={() => onChoose(at)}
    />
  ));
});
