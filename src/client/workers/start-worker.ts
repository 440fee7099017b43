// oxlint-disable-next-line import/default -- Vite answers with the address of the built worker
import scriptUrl from "./simulate.ts?worker&url";
import { trustedScript } from "../lib/trusted-script.ts";
import type { AnswerMessage, AskKind, WorkerAsks } from "./messages.ts";

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
