import { conditionsOf } from "../../strategy/firing-source.ts";
import { warmUpBars } from "../../strategy/evaluate-conditions.ts";
import { type GridAxis, gridValues, withParameter, bestCell } from "../../strategy/grid.ts";
import { backtestOverfitting, type WalkForward, walkForward } from "../../strategy/overfitting.ts";
import type { Measures } from "../../strategy/measures.ts";
import type { SimulationRequest } from "../../assistant/run-simulation.ts";
import type { TriedCell } from "./messages.ts";
import { type SimulationWorker, startWorker } from "./run-simulation.ts";

/** Maximum number of variants in one grid. */
export const MAX_GRID_RUNS = 400;

/** Variants per worker request; a low number keeps progress smooth and workers evenly loaded. */
const CHUNK = 4;

export interface GridOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, of: number) => void;
  /** Number of threads; defaults to the number of cores. */
  readonly threads?: number;
}

/** Results of a grid: in-sample for every variant, out-of-sample only for the one chosen by them. */
export interface GridResult {
  readonly axes: readonly GridAxis[];
  /** In the order of `gridValues`. */
  readonly cells: readonly TriedCell[];
  /** Index of the variant with the highest return among those that traded; null if none did. */
  readonly best: number | null;
  /** Out-of-sample measures of the best variant; null without one or for too few bars. */
  readonly keptOut: Measures | null;
  /** Probability of backtest overfitting, from 0 to 1; null for too few variants or days. */
  readonly overfitting: number | null;
  /** Null for too few variants or days. */
  readonly walk: WalkForward | null;
}

/** Runs every combination of the axes' values on all cores. */
export async function runGrid(
  request: SimulationRequest,
  axes: readonly GridAxis[],
  { signal, onProgress, threads = navigator.hardwareConcurrency }: GridOptions = {},
): Promise<GridResult> {
  signal?.throwIfAborted();
  const rows = gridValues(axes).slice(0, MAX_GRID_RUNS);
  const ids = axes.map(({ parameter }) => parameter.id);
  const common = { ...request, fromMs: commonStart(request, rows, ids) };
  const cells = new Array<TriedCell>(rows.length);
  let next = 0;
  let done = 0;
  const workers: SimulationWorker[] = [];
  const stop = () => {
    for (const worker of workers) worker.end(signal?.reason);
  };
  const work = async () => {
    const worker = startWorker();
    workers.push(worker);
    await worker.ask("load", { request: common, ids });
    while (next < rows.length) {
      const from = next;
      next += CHUNK;
      const chunk = await worker.ask("cells", rows.slice(from, from + CHUNK));
      for (const [at, cell] of chunk.entries()) cells[from + at] = cell;
      done += chunk.length;
      onProgress?.(done, rows.length);
    }
  };
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const count = Math.max(1, Math.min(threads, Math.ceil(rows.length / CHUNK)));
    await Promise.all(Array.from({ length: count }, work));
    const best = bestCell(cells);
    const values = best === null ? undefined : cells[best]?.values;
    const keptOut = values === undefined ? null : await workers[0]?.ask("keptOut", values);
    const returns = cells.map((cell) => cell.returns);
    return {
      axes,
      cells,
      best,
      keptOut: keptOut ?? null,
      overfitting: backtestOverfitting(returns),
      walk: walkForward(returns),
    };
  } finally {
    signal?.removeEventListener("abort", stop);
    for (const worker of workers) worker.end(null);
  }
}

/** Returns the time from which every variant is warmed up, Unix milliseconds; only bars after it are compared. */
function commonStart(
  { agent, columns, fromMs }: SimulationRequest,
  rows: readonly (readonly number[])[],
  ids: readonly string[],
): number {
  const longest = rows.reduce((most, values) => {
    const variant = values.reduce(
      (each, value, at) => withParameter(each, ids[at] ?? "", value),
      agent,
    );
    return Math.max(most, warmUpBars(conditionsOf(variant), agent.intervalMinutes));
  }, 0);
  return Math.max(fromMs, columns.openTimeMs[longest] ?? fromMs);
}
