import type { Review, StoppedPhase } from "./approval-phase.ts";

/** What can follow from an approval, each with what it tells. */
export interface ApprovalEvents {
  /** A transaction is up for review: the chain is where the one before left it. */
  readonly prepared: Review;
  /** The owner's signature for a transaction is out of the wallet. */
  readonly signed: Review;
  /** A transaction is on its way to the chain. */
  readonly sent: null;
  readonly stopped: StoppedPhase;
  /** Everything the intent asks for has landed with the expected effect. */
  readonly credited: null;
}

type Listener<T> = (told: T) => void;

type Listeners = { readonly [E in keyof ApprovalEvents]: Set<Listener<ApprovalEvents[E]>> };

export interface ApprovalEmitter {
  /** Calls a listener at every event of a kind; returns how to stop. */
  on<E extends keyof ApprovalEvents>(event: E, listener: Listener<ApprovalEvents[E]>): () => void;
  emit<E extends keyof ApprovalEvents>(event: E, told: ApprovalEvents[E]): void;
}

/** Makes the emitter of one approval's events. */
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
