import { ChainUnavailableError } from "../../solana/chain.ts";
import { type CustodyAgent, listAttachedAgents } from "../store/multisigs.ts";
import { type ReconcileDeps, reconcileAgent } from "./reconcile-agent.ts";

/** Holds every agent with custody against the chain, at start and at intervals. */
export interface Reconciler {
  /** One round over every agent; an agent whose chain cannot be read waits for the next. */
  run(): Promise<void>;
  start(): void;
  /** Ends after the agents under way. */
  stop(): Promise<void>;
}

const INTERVAL_MS = 30_000;

/** Agents that are read at the same time. */
const AT_ONCE = 4;

/** Makes the reconciler of a process. Several processes may run one each: every flag is kept once. */
export function createReconciler(
  deps: ReconcileDeps & { readonly onFailure?: (error: unknown) => void },
): Reconciler {
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> | undefined;
  let isStopped = true;

  const reconcileOne = async (agent: CustodyAgent): Promise<void> => {
    try {
      await reconcileAgent(deps, agent);
    } catch (error) {
      if (!(error instanceof ChainUnavailableError)) deps.onFailure?.(error);
    }
  };

  const run = async (isEnding: () => boolean = () => false): Promise<void> => {
    const waiting = [...(await listAttachedAgents(deps.db))];
    const work = async (): Promise<void> => {
      for (let agent = waiting.shift(); agent !== undefined; agent = waiting.shift()) {
        if (isEnding()) return;
        await reconcileOne(agent);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  };

  const runLater = (): void => {
    round = run(() => isStopped)
      .catch((error: unknown) => deps.onFailure?.(error))
      .then(() => {
        if (!isStopped) timer = setTimeout(runLater, INTERVAL_MS).unref();
      });
  };

  return {
    run: () => run(),
    start() {
      if (!isStopped) return;
      isStopped = false;
      runLater();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await round;
    },
  };
}
