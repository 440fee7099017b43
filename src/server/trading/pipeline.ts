import { type AgentId, parseAgentId, SERVER_ID } from "../../domain/ids.ts";
import type { OpenDatabase } from "../store/postgres/pool.ts";
import { createIntake, type Intake } from "./intake.ts";
import { createLaneSchedule } from "./lanes/lane-schedule.ts";
import { bookUpkeep } from "./orders/settle-restored.ts";
import { createSettlements } from "./orders/settlements.ts";
import type { TradingDeps } from "./orders/order-context.ts";

export interface PipelineDeps extends Omit<TradingDeps, "settlements" | "bookUpkeep"> {
  /** Connections reserved for alerts, with short timeouts: the sender waits three seconds. */
  readonly alertDatabase: Pick<OpenDatabase, "db" | "pool">;
  /** Wake-up messages between the processes of one database. */
  readonly hints: {
    notify(topic: string, id: string): void;
    subscribe(topic: string, listener: (id: string) => void): () => void;
  };
  /** Names this process as the holder of lanes. */
  readonly worker: string;
}

/** The path of an alert to its trade log entry. */
export interface Pipeline extends Omit<Intake, "drain"> {
  /** Settles the orders an earlier process left open, then keeps working. */
  start(): void;
  /** Answers the received alerts and waits until running orders reach a safe point. */
  stop(): Promise<void>;
}

/** Topics of the messages that wake an agent's lane, the second when it has something to close. */
export const LANE_TOPICS = ["lane", "lane-exit"] as const;

/** Returns the topic of the message that wakes an agent's lane. */
export const laneTopic = (isExit: boolean): string => LANE_TOPICS[isExit ? 1 : 0];

/**
 * Stages: alerts are received and evaluated in one transaction (`receive-alerts`, `evaluate-batch`, the rule engine),
 * which stores planned orders; the agent's lane takes them one by one, decides each (`decide-order`: order intent,
 * risk), signs and sends it (`place-order`) and queries its outcome on chain (`settle-order`). Each of these returns a
 * change, which `commit` stores and publishes before the next begins. After a crash, open orders are settled the same way.
 *
 * The intake may be in other processes too: what it plans is found in the database.
 */
export function createPipeline(given: PipelineDeps): Pipeline {
  const settlements = createSettlements(given.log);
  const deps = { ...given, settlements, bookUpkeep };
  const lanes = createLaneSchedule(deps, deps.worker);
  const wokenHere = new Set<string>();
  const ends = [false, true].map((isExit) =>
    deps.hints.subscribe(laneTopic(isExit), (id) => {
      // This process receives its own wake-up messages too
      if (wokenHere.delete(`${isExit} ${id}`) || !SERVER_ID.test(id)) return;
      lanes.wake(parseAgentId(id), isExit);
    }),
  );
  const wakeEverywhere = (agentId: AgentId, isExit: boolean) => {
    lanes.wake(agentId, isExit);
    wokenHere.add(`${isExit} ${agentId}`);
    deps.hints.notify(laneTopic(isExit), agentId);
  };
  const { drain, ...intake } = createIntake({ ...deps, wake: wakeEverywhere });
  return {
    ...intake,
    start: () => lanes.start(),
    async stop() {
      for (const unsubscribe of ends) unsubscribe();
      await drain();
      await lanes.stop();
      await settlements.stop();
    },
  };
}
