import type { Review, StoppedPhase } from "./approval-phase.ts";

/** Events of an approval with their payloads. */
export interface ApprovalEvents {
  /** A transaction is ready for review; the one before it has taken effect on chain. */
  readonly prepared: Review;
  /** The wallet has returned the owner's signature. */
  readonly signed: Review;
  /** A transaction was sent to the network. */
  readonly sent: null;
  readonly stopped: StoppedPhase;
  /** All transactions of the intent are confirmed with the expected effect. */
  readonly credited: null;
}

type Listener<T> = (told: T) => void;

type Listeners = { readonly [E in keyof ApprovalEvents]: Set<Listener<ApprovalEvents[E]>> };

export interface ApprovalEmitter {
  /** Subscribes to one kind of event; returns a function that unsubscribes. */
  on<E extends keyof ApprovalEvents>(event: E, listener: Listener<ApprovalEvents[E]>): () => void;
  emit<E extends keyof ApprovalEvents>(event: E, told: ApprovalEvents[E]): void;
}

/** Creates the event emitter of one approval. */
export function createApprovalEmitter(): ApprovalEmitter {
  const listeners: Listeners = {
    prepared: new Set(),
    signed: new Set(),
    sent: new Set(),
    stopped: new Set(),
    credited: new Set(),
  };
  return {
    on(event, listener) {
      listeners[event].add(listener);
      return () => listeners[event].delete(listener);
    },
    emit(event, told) {
      for (const listener of listeners[event]) listener(told);
    },
  };
}
