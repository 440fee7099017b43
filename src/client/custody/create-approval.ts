import { createStore } from "zustand/vanilla";
import type { CustodyIntent } from "../../domain/custody-intent.ts";
import {
  type ApprovalPhase,
  followingProgress,
  type FollowedTransaction,
  type Review,
  type TransactionSummary,
} from "./approval-phase.ts";
import type { ApprovalPorts } from "./page-ports.ts";

/** Time between two questions to the server about the same transaction, in milliseconds. */
const ASK_AGAIN_MS = 1_000;

/** Creates the approval of one custody intent: prepare, review, sign and confirm until no transaction is left. */
export function createApproval(intent: CustodyIntent, ports: ApprovalPorts) {
  const run = createRun(intent, ports);
  return {
    phase: run.phase,
    /** Starts the approval, or resumes a transaction that was already sent. */
    async start(openTransactionId: string | null = null): Promise<void> {
      run.restart();
      if (openTransactionId === null) return prepareNext(run);
      const unreported = ports.recall(openTransactionId);
      if (unreported !== null) return reportSent(run, openTransactionId, unreported);
      return follow(run, () => ports.read(openTransactionId));
    },
    /** Opens the wallet for the transaction under review: one prompt per call. */
    approve: () => approveReview(run),
    /** Resumes following after `leave`. */
    enter: run.enter,
    /** Stops following; sent transactions are not affected. */
    leave: run.leave,
  };
}

export type Approval = ReturnType<typeof createApproval>;

/** Creates the state that the steps of one approval share. */
function createRun(intent: CustodyIntent, ports: ApprovalPorts) {
  const phase = createStore<ApprovalPhase>(() => ({ kind: "preparing" }));
  let hasLeft = false;
  let starts = 0;
  /** Sets the next phase, unless the approval was left. */
  const show = (next: ApprovalPhase): void => {
    if (!hasLeft) phase.setState(next, true);
  };
  return {
    intent,
    ports,
    phase,
    show,
    stop: (error: unknown) => show({ kind: "stopped", outcome: "error", ...ports.describe(error) }),
    /** Starts a new attempt; pending results of earlier attempts are ignored. */
    restart: () => void (starts += 1),
    /** Returns a function that tells whether a newer attempt has started. */
    attempt() {
      const mine = starts;
      return () => mine !== starts;
    },
    enter: () => void (hasLeft = false),
    leave: () => void (hasLeft = true),
    isLeft: () => hasLeft,
  };
}

type ApprovalRun = ReturnType<typeof createRun>;

/** Prepares, checks and shows the next transaction of the intent; ends the approval when none is left. */
async function prepareNext(
  run: ApprovalRun,
  last?: FollowedTransaction,
  note?: string,
): Promise<void> {
  const { ports, show } = run;
  const isOld = run.attempt();
  show({ kind: "preparing" });
  try {
    const prepared = await prepareWhenReady(run, isOld);
    if (prepared === null || isOld()) return;
    if (prepared === "done") {
      show(last === undefined ? { kind: "done" } : { kind: "done", transaction: last });
      return;
    }
    const checked = await ports.check(prepared);
    show(
      checked.kind === "matches"
        ? { kind: "review", prepared, summary: checked.summary, ...(note && { note }) }
        : { kind: "blocked", prepared, reason: checked.reason },
    );
  } catch (error) {
    run.stop(error);
  }
}

/** Asks for the transaction until the exchange is ready for it; null when the approval was left or began anew. */
async function prepareWhenReady({ ports, show, isLeft }: ApprovalRun, isOld: () => boolean) {
  while (!isLeft() && !isOld()) {
    try {
      return await ports.prepare();
    } catch (error) {
      const { reason, problem } = ports.describe(error);
      if (problem?.code !== "order_waiting") throw error;
      if (!isOld()) show({ kind: "preparing", waitsFor: reason });
      await ports.wait(ASK_AGAIN_MS);
    }
  }
  return null;
}

/** Requests the signature of the reviewed transaction and follows the sent transaction. */
async function approveReview(run: ApprovalRun): Promise<void> {
  const { ports, show } = run;
  const current = run.phase.getState();
  if (current.kind !== "review") return;
  const ready = await renewReview(run, current);
  if (ready === null) return;
  const { prepared } = ready;
  show({ kind: "wallet", ...ready });
  const answer = await ports[prepared.method](prepared);
  if (answer.kind === "changed") return run.stop(answer.error);
  if (answer.kind !== "ok") {
    const note =
      answer.kind === "refused"
        ? `You refused the request in ${ports.walletName}. Nothing was sent.`
        : answer.reason;
    show({ kind: "review", ...ready, note });
    return;
  }
  ports.signed(ready);
  if (prepared.method === "signAndSend") return reportSent(run, prepared.id, answer.value);
  return follow(run, () => ports.postSigned(prepared.id, answer.value));
}

/** Returns the transaction with a fresh blockhash, checked again; null when another phase is shown instead. */
async function renewReview(run: ApprovalRun, review: Review): Promise<Review | null> {
  const { prepared, summary } = review;
  const isOld = run.attempt();
  run.show({ kind: "renewing", prepared, summary });
  try {
    const renewed = await run.ports.renew(prepared.id);
    const checked = await run.ports.check(renewed);
    if (isOld() || run.isLeft()) return null;
    if (checked.kind === "matches" && isSameSummary(checked.summary, summary)) {
      return { prepared: renewed, summary };
    }
    const reason =
      checked.kind === "mismatch" ? checked.reason : "It is no longer what you looked at.";
    run.show({ kind: "blocked", prepared: renewed, reason });
  } catch (error) {
    if (isOld() || run.isLeft()) return null;
    const { reason, problem } = run.ports.describe(error);
    switch (problem?.code) {
      case "transaction_landed":
        // Asking for another one would move the money a second time
        await follow(run, () => run.ports.read(problem.transactionId ?? prepared.id));
        break;
      case "conflict":
      case "transaction_refused":
        // The state changed on chain or in another tab: prepare again, for a new review
        await prepareNext(run, undefined, `It had to be prepared again. ${reason}`);
        break;
      default:
        run.show({ kind: "review", prepared, summary, note: reason });
    }
  }
  return null;
}

function isSameSummary(one: TransactionSummary, other: TransactionSummary): boolean {
  const text = (summary: TransactionSummary) =>
    JSON.stringify(summary, (_key, value: unknown) =>
      typeof value === "bigint" ? `${value}n` : value,
    );
  return text(one) === text(other);
}

/** Reports the sent signature to the server, retrying without a time limit, then follows the transaction. */
async function reportSent(run: ApprovalRun, id: string, signature: string): Promise<void> {
  const { ports } = run;
  ports.remember(id, signature);
  for (;;) {
    try {
      const followed = await ports.postSent(id, signature);
      ports.remember(id, null);
      return await followSent(run, followed);
    } catch {
      if (run.isLeft()) return;
      run.show({ kind: "unreported", signature });
      await ports.wait(ASK_AGAIN_MS);
    }
  }
}

/** Follows the transaction a call answers with; a failed call stops the approval. */
async function follow(run: ApprovalRun, ask: () => Promise<FollowedTransaction>): Promise<void> {
  try {
    await followSent(run, await ask());
  } catch (error) {
    run.stop(error);
  }
}

/** Polls a transaction without a time limit until it ends or the approval is left. */
async function followSent(run: ApprovalRun, first: FollowedTransaction): Promise<void> {
  const { ports, show } = run;
  const startedAt = first.sentAt === undefined ? ports.now() : Date.parse(first.sentAt);
  let transaction = first;
  for (let asked = 0; !run.isLeft(); asked += 1) {
    if (await settle(run, transaction)) return;
    const progress = followingProgress(ports.now() - startedAt, asked);
    show({ kind: "following", transaction, progress });
    await ports.wait(ASK_AGAIN_MS);
    if (run.isLeft()) return;
    transaction = await ports.read(transaction.id).catch(() => transaction);
  }
}

/** Handles a transaction's final state and continues the intent; returns false while it is pending. */
async function settle(run: ApprovalRun, transaction: FollowedTransaction): Promise<boolean> {
  const { show, intent } = run;
  switch (transaction.state) {
    case "sent":
      return false;
    case "confirmed":
      // The followed transaction may belong to another intent that was still pending
      if (transaction.hasNext || transaction.intent !== intent) await prepareNext(run, transaction);
      else show({ kind: "done", transaction });
      return true;
    case "failed": {
      const reason = transaction.reason ?? "The chain refused the transaction. No funds moved.";
      show({ kind: "stopped", outcome: "failed", reason, transaction });
      return true;
    }
    case "expired":
      // An unsigned transaction moved nothing: it is prepared again
      if (transaction.signature === undefined) break;
      show({
        kind: "stopped",
        outcome: "expired",
        reason: "The transaction expired before it was confirmed. No funds moved. Try again.",
        transaction,
      });
      return true;
    case "prepared":
    case "abandoned":
  }
  await prepareNext(run);
  return true;
}
