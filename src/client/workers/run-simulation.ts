import type { HashedReport, SimulationRequest } from "../../assistant/run-simulation.ts";
import type { StressLines } from "../../strategy/report.ts";
import type { AskKind, WorkerAsks, AnswerMessage } from "./messages.ts";
import type { ImportedFile } from "./tradingview-file.ts";
// oxlint-disable-next-line import/default -- Vite answers with the address of the built worker
import scriptUrl from "./simulate.ts?worker&url";
import { trustedScript } from "../lib/trusted-script.ts";

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

/** Worker thread that answers requests one after another. */
export type SimulationWorker = ReturnType<typeof startWorker>;

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** Starts a worker; when its script cannot be loaded, requests reject. */
export function startWorker() {
  const worker = new Worker(trustedScript("wheelhouse-worker", scriptUrl), {
    type: "module",
    name: "simulation",
  });
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  const refuseAll = (reason: unknown) => {
    for (const each of waiting.values()) each.reject(reason);
    waiting.clear();
  };
  worker.addEventListener("message", ({ data }: MessageEvent<AnswerMessage>) => {
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if ("error" in data) asked?.reject(new Error(data.error));
    else asked?.resolve(data.answer);
  });
  worker.addEventListener("error", () =>
    refuseAll(new Error("The simulation could not be started")),
  );
  return {
    ask: <K extends AskKind>(kind: K, ask: WorkerAsks[K]["ask"]) =>
      new Promise<WorkerAsks[K]["answer"]>((resolve, reject) => {
        const id = (lastId += 1);
        waiting.set(id, { resolve: resolve as Waiting["resolve"], reject });
        worker.postMessage({ id, kind, ask });
      }),
    /** Terminates the worker at once; open requests reject with `reason`. */
    end(reason: unknown) {
      worker.terminate();
      refuseAll(reason);
    },
  };
}
