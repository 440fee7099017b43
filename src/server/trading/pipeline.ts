import type { OpenDatabase } from "../store/postgres/pool.ts";
import type { Delivery, DeliveryResult } from "./intake/delivery.ts";
import type { TouchedAgent } from "./intake/evaluate-batch.ts";
import { endExitsForOwner } from "./end-exits.ts";
import { createLaneSchedule } from "./lanes/lane-schedule.ts";
import { createSettlements } from "./orders/settlements.ts";
import { publishOrderChange } from "./orders/publish-order-change.ts";
import { createAlertReceiver } from "./intake/receive-alerts.ts";
import { setAutoTrade } from "./set-auto-trade.ts";
import type { TradingDeps } from "./orders/trading-deps.ts";

export interface PipelineDeps extends Omit<TradingDeps, "settlements"> {
  /** Connections reserved for alerts, with short timeouts: the sender waits three seconds. */
  readonly alertDatabase: Pick<OpenDatabase, "db" | "pool">;
  /** Wake-up messages between the servers of one database. */
  readonly hints: {
    notify(topic: string, id: string): void;
    subscribe(topic: string, listener: (id: string) => void): () => void;
  };
  /** Names this process as the holder of lanes. */
  readonly worker: string;
}

/** The path of an alert to its trade log entry. */
export interface Pipeline {
  /** Resolves once the alert is stored, counted and its orders are planned; execution follows later. */
  receive(delivery: Delivery): Promise<DeliveryResult>;
  setAutoTrade(agentId: string, wallet: string, target: "on" | "off"): Promise<void>;
  /** Cancels an agent's open exits and leaves its positions open. */
  endExits(agentId: string, wallet: string): Promise<void>;
  /** Called when an owner closed an agent's positions, which may complete a stop. */
  positionsClosed(agentId: string): void;
  /** Settles the orders an earlier process left open, then keeps working. */
  start(): void;
  /** Answers the received alerts and waits until running orders reach a safe point. */
  stop(): Promise<void>;
}

const LANE_TOPIC = "lane";

/**
 * Stages: alerts are received and evaluated in one transaction (`receive-alerts`, `evaluate-batch`, the rule engine),
 * which stores planned orders; the agent's lane takes them one by one, decides each (`decide-order`: order intent,
 * risk), stores and sends it (`place-order`), queries its outcome on chain (`settle-order`) and records that with the
 * trade log (`record-fill`). After a crash, open orders are settled the same way.
 */
export function createPipeline(given: PipelineDeps): Pipeline {
  const settlements = createSettlements(given.log);
  const deps = { ...given, settlements };
  const lanes = createLaneSchedule(deps, deps.worker);
  const wokenHere = new Set<string>();
  const unsubscribe = deps.hints.subscribe(LANE_TOPIC, (agentId) => {
    // This process receives its own wake-up messages too
    if (!wokenHere.delete(agentId)) lanes.wake(agentId);
  });
  const wakeEverywhere = (agentId: string) => {
    lanes.wake(agentId);
    wokenHere.add(agentId);
    deps.hints.notify(LANE_TOPIC, agentId);
  };
  const receiver = createAlertReceiver({
    database: deps.alertDatabase,
    newId: deps.newId,
    onStored: (touched) => afterAlerts(touched),
    onError: (error) => deps.log.error({ err: error }, "alert not stored"),
  });

  function afterAlerts(touched: TouchedAgent): void {
    const { agentId, hasOrders } = touched;
    deps.log.debug({ agentId, hasOrders }, "alerts evaluated");
    if (touched.hasOrders) wakeEverywhere(touched.agentId);
    if (touched.hasEntries) publishOrderChange(deps, { ...touched, id: touched.agentId });
    else deps.publisher.publish(touched.owner, { topic: "signals", id: touched.agentId });
  }

  async function receive(delivery: Delivery): Promise<DeliveryResult> {
    const result = await receiver.receive(delivery);
    const { agentId, requestId } = delivery;
    const eventId = "eventId" in result ? result.eventId : undefined;
    deps.log.debug({ agentId, requestId, eventId, outcome: result.kind }, "alert received");
    return result;
  }

  return {
    receive,
    setAutoTrade: (agentId, wallet, target) =>
      setAutoTrade({ ...deps, wake: wakeEverywhere }, agentId, wallet, target),
    async endExits(agentId, wallet) {
      await endExitsForOwner(deps, agentId, wallet);
      wakeEverywhere(agentId);
    },
    positionsClosed: wakeEverywhere,
    start: () => lanes.start(),
    async stop() {
      unsubscribe();
      await receiver.drain();
      await lanes.stop();
      await settlements.stop();
    },
  };
}
