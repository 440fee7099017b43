import type { HashedReport, SimulationRequest } from "../../assistant/run-simulation.ts";
import { AppError } from "../../contract/errors.ts";
import type { OwnerAddress } from "../../domain/ids.ts";

/** A simulation that the process for simulations is asked for; the server's main process passes it on. */
export interface SimulationAsk {
  readonly simulate: { readonly id: string; readonly request: SimulationRequest };
}

/** Its report, or why there is none. */
export interface SimulationAnswer {
  readonly simulated:
    | { readonly id: string; readonly report: HashedReport }
    | { readonly id: string; readonly fault: string };
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

export const isSimulationAsk = (message: unknown): message is SimulationAsk =>
  isObject(message) && "simulate" in message && isObject(message.simulate);

export const isSimulationAnswer = (message: unknown): message is SimulationAnswer =>
  isObject(message) && "simulated" in message && isObject(message.simulated);

/** Time without a report after which a simulation is given up, in milliseconds: a process that hangs is replaced before. */
const GIVEN_UP_MS = 15_000;

interface Job {
  readonly owner: OwnerAddress;
  readonly request: SimulationRequest;
  readonly settle: (answer: SimulationAnswer["simulated"] | null) => void;
}

/** Has simulations run elsewhere, one at a time, the owners in turns. */
export function createSimulations(deps: {
  readonly send: (message: SimulationAsk) => void;
  readonly newId: () => string;
  readonly givenUpMs?: number;
}) {
  const { send, newId, givenUpMs = GIVEN_UP_MS } = deps;
  const waiting = new Map<OwnerAddress, Job[]>();
  let current: { readonly id: string; readonly end: Job["settle"] } | null = null;

  function next(): void {
    const [first] = waiting;
    if (current !== null || first === undefined) return;
    const [owner, [job, ...rest]] = first;
    waiting.delete(owner);
    if (rest.length > 0) waiting.set(owner, rest);
    if (job === undefined) return next();
    const id = newId();
    const timer = setTimeout(() => current?.end(null), givenUpMs);
    current = {
      id,
      end(answer) {
        clearTimeout(timer);
        current = null;
        job.settle(answer);
        next();
      },
    };
    send({ simulate: { id, request: job.request } });
  }

  return {
    /** Resolves to the report; rejects with `unavailable` when there is none in time. */
    run(owner: OwnerAddress, request: SimulationRequest): Promise<HashedReport> {
      return new Promise((resolve, reject) => {
        const settle: Job["settle"] = (answer) => {
          if (answer === null) reject(new AppError("unavailable"));
          else if ("report" in answer) resolve(answer.report);
          else reject(new Error(answer.fault));
        };
        waiting.set(owner, [...(waiting.get(owner) ?? []), { owner, request, settle }]);
        next();
      });
    },
    /** Takes the report of a simulation; one that was given up is not waited for any more. */
    hear({ simulated }: SimulationAnswer): void {
      if (simulated.id === current?.id) current.end(simulated);
    },
  };
}
