import { chooseCell, type GridAxis, type GridChoice, gridValues } from "../../strategy/grid.ts";
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
export interface GridResult extends GridChoice {
  readonly axes: readonly GridAxis[];
  /** In the order of `gridValues`. */
  readonly cells: readonly TriedCell[];
  /** Out-of-sample measures of the best variant; null without one or for too few bars. */
  readonly keptOut: Measures | null;
}

/** Runs every variant of the axes' values on all cores. */
export async function runGrid(
  request: SimulationRequest,
  axes: readonly GridAxis[],
  { signal, onProgress, threads = navigator.hardwareConcurrency }: GridOptions = {},
): Promise<GridResult> {
  signal?.throwIfAborted();
  const rows = gridValues(request.agent, axes).slice(0, MAX_GRID_RUNS);
  const ids = axes.map(({ parameter }) => parameter.id);
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
    await worker.ask("load", { request, ids, rows });
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
    const choice = chooseCell(cells);
    const values = cells[choice.best ?? -1]?.values;
    const keptOut = values === undefined ? null : await workers[0]?.ask("keptOut", values);
    return { axes, cells, ...choice, keptOut: keptOut ?? null };
  } finally {
    signal?.removeEventListener("abort", stop);
    for (const worker of workers) worker.end(null);
  }
}
