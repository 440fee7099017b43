import { useState } from "react";
import type { GridCell } from "../../../strategy/grid-cell.ts";
import type { GridAxis } from "../../../strategy/grid.ts";
import { ratioText, shareText, toneOf } from "./share-text.ts";

interface HeatMapProps {
  readonly axes: readonly GridAxis[];
  readonly cells: readonly GridCell[];
}

const CELL = 24;

/** Strength of a cell's colour from its result: the strongest gain and the strongest loss are full. */
const strengthOf = (share: number, strongest: number) =>
  strongest === 0 ? 0 : Math.min(1, Math.abs(share) / strongest);

/** Results by the parameters' values; pointing at one says what it was. */
export function HeatMap({ axes, cells }: HeatMapProps) {
  const [pointed, setPointed] = useState<GridCell | null>(null);
  const [down, across] = axes;
  if (down === undefined) return null;
  const columns = across?.values.length ?? 1;
  const strongest = cells.reduce(
    (most, { totalReturn }) => Math.max(most, Math.abs(totalReturn)),
    0,
  );
  const best = cells.reduce((a, b) => (b.totalReturn > a.totalReturn ? b : a));
  const gained = cells.filter(({ totalReturn }) => totalReturn > 0).length;
  const told = pointed ?? best;
  return (
    <figure className="flex flex-col gap-2">
      <figcaption className="text-xs">
        {gained} of {cells.length} variants gained.{" "}
        <span className="text-muted">
          {pointed === null ? "Best" : "Here"}:{" "}
          {axes.map(({ parameter }, at) => `${parameter.label} ${told.values[at]}`).join(", ")}
          {" – "}
        </span>
        <b className={`font-medium ${toneOf(told.totalReturn)}`}>
          {shareText(told.totalReturn, true)}
        </b>
        <span className="text-muted">
          , Sharpe {ratioText(told.sharpe)}, {told.closedTrades} trades
        </span>
      </figcaption>
      <svg
        role="img"
        aria-label={`${gained} of ${cells.length} variants gained; results from ${shareText(-strongest)} to ${shareText(best.totalReturn, true)}`}
        viewBox={`0 0 ${columns * CELL} ${down.values.length * CELL}`}
        preserveAspectRatio="none"
        className="h-64 w-full max-w-2xl rounded-md border border-line bg-raised"
        onPointerLeave={() => setPointed(null)}
      >
        {cells.map((cell, at) => (
          <rect
            key={cell.values.join(" ")}
            x={(at % columns) * CELL}
            y={Math.floor(at / columns) * CELL}
            width={CELL}
            height={CELL}
            fillOpacity={strengthOf(cell.totalReturn, strongest)}
            className={cell.totalReturn < 0 ? "fill-down" : "fill-up"}
            onPointerEnter={() => setPointed(cell)}
          />
        ))}
      </svg>
      <p className="text-2xs text-muted">
        Down: {down.parameter.label}, {down.values[0]} to {down.values.at(-1)}.
        {across &&
          ` Across: ${across.parameter.label}, ${across.values[0]} to ${across.values.at(-1)}.`}{" "}
        Full colour is {shareText(strongest)}.
      </p>
    </figure>
  );
}
