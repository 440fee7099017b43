import { AppError } from "../../../contract/errors.ts";
import type { AgentId } from "../../../domain/ids.ts";
import type { Delivery, DeliveryResult } from "./delivery.ts";
import { createWaitingDelivery, type WaitingDelivery } from "./waiting-delivery.ts";

/** Maximum number of deliveries per transaction. */
const MAX_BATCH = 128;

/** Maximum queue length; beyond it the oldest delivery is refused, because its sender gives up first. */
const MAX_WAITING = 5_000;

/** Deliveries that wait for a transaction, oldest first. */
export interface DeliveryQueue {
  size(): number;
  /** Adds a delivery and returns its result. */
  add(delivery: Delivery): Promise<DeliveryResult>;
  /** Takes the next deliveries of the agents wanted; none when they are fewer than `least`. */
  take(isWanted: (agentId: AgentId) => boolean, least: number): readonly WaitingDelivery[];
}

export function createDeliveryQueue(): DeliveryQueue {
  const queue = new Set<WaitingDelivery>();
  const withdraw = (waiting: WaitingDelivery) => queue.delete(waiting);
  return {
    size: () => queue.size,
    add(delivery) {
      const [oldest] = queue;
      if (queue.size >= MAX_WAITING && oldest !== undefined) {
        withdraw(oldest);
        oldest.reject(new AppError("unavailable"));
      }
      const waiting = createWaitingDelivery(delivery, withdraw);
      queue.add(waiting);
      return waiting.result;
    },
    take(isWanted, least) {
      const batch: WaitingDelivery[] = [];
      for (const waiting of queue) {
        if (isWanted(waiting.delivery.agentId)) batch.push(waiting);
        if (batch.length === MAX_BATCH) break;
      }
      if (batch.length < least) return [];
      for (const waiting of batch) queue.delete(waiting);
      return batch;
    },
  };
}
