import { AppError } from "../../../contract/errors.ts";
import type { Delivery, DeliveryResult } from "./delivery.ts";

/** Maximum time in the queue in milliseconds; a delivery that waited longer is withdrawn. */
const MAX_WAIT_MS = 1_000;

/** Response deadline in milliseconds: the sender gives up after three seconds and retries only after a 5xx. */
const ANSWER_WITHIN_MS = 1_500;

/** A delivery that has no result yet. */
export interface WaitingDelivery {
  readonly delivery: Delivery;
  /** Rejects with `unavailable` when the delivery was withdrawn or its transaction takes too long. */
  readonly result: Promise<DeliveryResult>;
  /** Whether it has a result, or its sender was asked to retry. */
  isOver(): boolean;
  resolve(result: DeliveryResult): void;
  reject(error: unknown): void;
}

/**
 * Creates a waiting delivery; `withdraw` removes it from the queue and returns whether it was still there.
 *
 * One that is in a transaction already can only be answered: when its commit succeeds, the retry is a duplicate. A
 * condition's firing has no deadline, because no sender waits for it.
 */
export function createWaitingDelivery(
  delivery: Delivery,
  withdraw: (waiting: WaitingDelivery) => boolean,
): WaitingDelivery {
  let settle: Pick<WaitingDelivery, "resolve" | "reject"> | undefined;
  const result = new Promise<DeliveryResult>((resolve, reject) => {
    settle = { resolve, reject };
  });
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    isOver = true;
    clearTimeout(timer);
  };
  const waiting: WaitingDelivery = {
    delivery,
    result,
    isOver: () => isOver,
    resolve(known) {
      end();
      settle?.resolve(known);
    },
    reject(error) {
      end();
      settle?.reject(error);
    },
  };
  const refuse = () => waiting.reject(new AppError("unavailable"));
  if (delivery.content.kind !== "condition") {
    timer = setTimeout(() => {
      if (withdraw(waiting)) refuse();
      else timer = setTimeout(refuse, ANSWER_WITHIN_MS - MAX_WAIT_MS);
    }, MAX_WAIT_MS);
  }
  return waiting;
}
