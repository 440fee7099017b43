import { createStore, type StoreApi } from "zustand/vanilla";
import type { CustodyIntent } from "../../../domain/custody-intent.ts";
import { type ApprovalEmitter, createApprovalEmitter } from "../approval-events.ts";
import type { ApprovalPhase } from "../approval-phase.ts";
import type { ApprovalPorts } from "../approval-ports.ts";

/** Shared state of one running approval. */
export interface ApprovalRun {
  readonly intent: CustodyIntent;
  readonly ports: ApprovalPorts;
  readonly phase: StoreApi<ApprovalPhase>;
  readonly events: ApprovalEmitter;
  /** Sets the next phase, unless the approval was left. */
  show(next: ApprovalPhase): void;
  /** Sets the stopped phase with its reason. */
  stop(error: unknown): void;
  /** Starts a new attempt; pending results of earlier attempts are ignored. */
  restart(): void;
  /** Returns a function that tells whether a newer attempt has started. */
  attempt(): () => boolean;
  enter(): void;
  leave(): void;
  isLeft(): boolean;
}

function emitPhase({ emit }: ApprovalEmitter, next: ApprovalPhase, last: ApprovalPhase): void {
  if (next.kind === "stopped") emit("stopped", next);
  if (next.kind === last.kind) return;
  if (next.kind === "review") emit("prepared", next);
  if (next.kind === "following") emit("sent", null);
  if (next.kind === "done") emit("credited", null);
}

/** Creates the state of one approval; events are emitted from phase changes. */
export function createApprovalRun(intent: CustodyIntent, ports: ApprovalPorts): ApprovalRun {
  const phase = createStore<ApprovalPhase>(() => ({ kind: "preparing" }));
  const events = createApprovalEmitter();
  phase.subscribe((next, last) => emitPhase(events, next, last));
  let hasLeft = false;
  let starts = 0;
  const show = (next: ApprovalPhase): void => {
    if (!hasLeft) phase.setState(next, true);
  };
  return {
    intent,
    ports,
    phase,
    events,
    show,
    stop: (error) => show({ kind: "stopped", outcome: "error", ...ports.describe(error) }),
    restart: () => {
      starts += 1;
    },
    attempt() {
      const mine = starts;
      return () => mine !== starts;
    },
    enter: () => {
      hasLeft = false;
    },
    leave: () => {
      hasLeft = true;
    },
    isLeft: () => hasLeft,
  };
}
