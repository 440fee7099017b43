import type { HashedReport, SimulationRequest } from "../../assistant/run-simulation.ts";
import type { StressLines } from "../../strategy/stress.ts";
import type { AskKind, WorkerAsks } from "./messages.ts";
import { type SimulationWorker, startWorker } from "./start-worker.ts";
import type { ImportedFile } from "./tradingview-file.ts";

/** Idle worker kept for reuse, because starting one takes longer than most runs. */
let idle: SimulationWorker | null = null;

/** Sends a request to a worker; an abort terminates the worker at once. */
async function askWorker<K extends AskKind>(
  kind: K,
  ask: WorkerAsks[K]["ask"],
  signal?: AbortSignal,
): Promise<WorkerAsks[K]["answer"]> {
  signal?.throwIfAborted();
  const worker = idle ?? startWorker();
  idle = null;
  const stop = () => worker.end(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const answer = await worker.ask(kind, ask);
    if (idle === null) idle = worker;
    else worker.end(null);
    return answer;
  } catch (error) {
    worker.end(error);
    throw error;
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

/** Runs a simulation in a worker. */
export const runSimulation = (
  request: SimulationRequest,
  signal?: AbortSignal,
): Promise<HashedReport> => askWorker("simulate", request, signal);

/** Runs a simulation again under worse conditions, in a worker. */
export const runStress = (request: SimulationRequest, signal?: AbortSignal): Promise<StressLines> =>
  askWorker("stress", request, signal);

/** Parses a TradingView file in a worker, so that a large or broken file does not block the page. */
export const readFile = (file: Blob, zone: string): Promise<ImportedFile> =>
  askWorker("readFile", { file, zone });
