import type { HashedReport, SimulationRequest } from "./messages.ts";
import { type SimulationWorker, startWorker } from "./start-worker.ts";

/** Kept for the next run: starting one takes longer than most runs. */
let idle: SimulationWorker | null = null;

/** Runs a simulation beside the page; aborting ends it at once. */
export async function runSimulation(
  request: SimulationRequest,
  signal?: AbortSignal,
): Promise<HashedReport> {
  signal?.throwIfAborted();
  const worker = idle ?? startWorker();
  idle = null;
  const stop = () => worker.end(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const report = await worker.ask("simulate", request);
    idle ??= worker;
    if (idle !== worker) worker.end(null);
    return report;
  } catch (error) {
    worker.end(error);
    throw error;
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}
