import type { StoreApi } from "zustand/vanilla";
import type { CustodyIntent } from "../../domain/custody-intent.ts";
import type { ApprovalEmitter } from "./approval-events.ts";
import type { ApprovalPhase } from "./approval-phase.ts";
import type { ApprovalPorts } from "./approval-ports.ts";
import { type ApprovalRun, createApprovalRun } from "./run/approval-run.ts";
import { approveReview } from "./run/approve-review.ts";
import { followSent, reportSent } from "./run/follow-sent.ts";
import { prepareNext } from "./run/prepare-next.ts";

export interface Approval {
  readonly phase: StoreApi<ApprovalPhase>;
  readonly intent: CustodyIntent;
  readonly on: ApprovalEmitter["on"];
  /** Starts the approval, or resumes a transaction that was already sent. */
  start(openTransactionId?: string | null): Promise<void>;
  /** Opens the wallet for the transaction under review: one prompt per call. */
  approve(): Promise<void>;
  /** Resumes following after `leave`. */
  enter(): void;
  /** Stops following; sent transactions are not affected. */
  leave(): void;
}

async function start(run: ApprovalRun, openTransactionId: string | null): Promise<void> {
  run.restart();
  if (openTransactionId === null) return prepareNext(run);
  const unreported = run.ports.recall(openTransactionId);
  if (unreported !== null) return reportSent(run, openTransactionId, unreported);
  try {
    await followSent(run, await run.ports.read(openTransactionId));
  } catch (error) {
    run.stop(error);
  }
}

/** Creates the approval of one custody intent: prepare, review, sign and confirm until no transaction is left. */
export function createApproval(intent: CustodyIntent, ports: ApprovalPorts): Approval {
  const run = createApprovalRun(intent, ports);
  return {
    phase: run.phase,
    intent,
    on: run.events.on,
    start: (openTransactionId = null) => start(run, openTransactionId),
    approve: () => approveReview(run),
    enter: run.enter,
    leave: run.leave,
  };
}
