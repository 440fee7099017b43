import type { AgentId, OwnerAddress } from "../../domain/ids.ts";
import type { OpenDatabase } from "../store/postgres/pool.ts";
import { type CloseRequest, closePositionForOwner } from "./close-position.ts";
import { endExitsForOwner } from "./end-exits.ts";
import type { Delivery, DeliveryResult } from "./intake/delivery.ts";
import type { TouchedAgent } from "./intake/evaluate-batch.ts";
import { createAlertReceiver } from "./intake/receive-alerts.ts";
import { publishStale } from "./orders/commit.ts";
import type { Session } from "../session.ts";
import { setAutoTrade, type SetAutoTradeDeps } from "./set-auto-trade.ts";

export interface IntakeDeps extends SetAutoTradeDeps {
  /** Connections reserved for alerts, with short timeouts: the sender waits three seconds. */
  readonly alertDatabase: Pick<OpenDatabase, "db" | "pool">;
}

/** The half of trading that signs nothing: alerts become planned orders, and owners turn agents on and off. */
export interface Intake {
  /** Resolves once the alert is stored, counted and its orders are planned; execution follows later. */
  receive(delivery: Delivery): Promise<DeliveryResult>;
  setAutoTrade(
    agentId: AgentId,
    by: Pick<Session, "wallet" | "judgeAgain">,
    target: "on" | "off",
  ): Promise<void>;
  /** Cancels an agent's open exits and leaves its positions open. */
  endExits(agentId: AgentId, wallet: OwnerAddress): Promise<void>;
  /** Begins an exit of the agent's position; auto-trade stays as it is. */
  closePosition(agentId: AgentId, wallet: OwnerAddress, request: CloseRequest): Promise<void>;
  /** Called when an owner closed an agent's positions, which may complete a stop. */
  positionsClosed(agentId: AgentId): void;
  /** Answers the received alerts. */
  drain(): Promise<void>;
}

/** Creates the intake of a process. `wake` reaches the agent's lane, in this process or another, and says whether it has
 * something to close. */
export function createIntake(deps: IntakeDeps): Intake {
  const receiver = createAlertReceiver({
    database: deps.alertDatabase,
    newId: deps.newId,
    onStored: (touched) => afterAlerts(touched),
    onError: (error) => deps.log.error({ err: error }, "alert not stored"),
  });

  function afterAlerts(touched: TouchedAgent): void {
    const { agentId, hasOrders } = touched;
    deps.log.debug({ agentId, hasOrders }, "alerts evaluated");
    if (touched.hasOrders) deps.wake(agentId, touched.hasExits);
    if (touched.hasEntries) publishStale(deps.publisher, { ...touched, id: agentId }, ["order"]);
    else deps.publisher.publish(touched.owner, { topic: "signals", id: touched.agentId });
  }

  return {
    async receive(delivery) {
      const result = await receiver.receive(delivery);
      const { agentId, requestId } = delivery;
      const eventId = "eventId" in result ? result.eventId : undefined;
      deps.log.debug({ agentId, requestId, eventId, outcome: result.kind }, "alert received");
      return result;
    },
    setAutoTrade: (agentId, by, target) => setAutoTrade(deps, agentId, by, target),
    async endExits(agentId, wallet) {
      await endExitsForOwner(deps, agentId, wallet);
      deps.wake(agentId, false);
    },
    async closePosition(agentId, wallet, request) {
      await closePositionForOwner(deps, agentId, wallet, request);
      deps.wake(agentId, true);
    },
    positionsClosed: (agentId) => deps.wake(agentId, true),
    drain: () => receiver.drain(),
  };
}
