import type { Review } from "../approval-phase.ts";
import type { TransactionSummary } from "../transaction-summary.ts";
import type { ApprovalRun } from "./approval-run.ts";
import { followSent } from "./follow-sent.ts";
import { prepareNext } from "./prepare-next.ts";

function isSameSummary(one: TransactionSummary, other: TransactionSummary): boolean {
  const text = (summary: TransactionSummary) =>
    JSON.stringify(summary, (_key, value: unknown) =>
      typeof value === "bigint" ? `${value}n` : value,
    );
  return text(one) === text(other);
}

async function renewAndCheck(run: ApprovalRun, { prepared, summary }: Review) {
  const renewed = await run.ports.renew(prepared.id);
  const checked = await run.ports.check(renewed);
  const reason =
    checked.kind === "mismatch"
      ? checked.reason
      : isSameSummary(checked.summary, summary)
        ? null
        : "It is no longer what you looked at.";
  return { renewed, reason };
}

async function followLanded(run: ApprovalRun, id: string): Promise<void> {
  try {
    await followSent(run, await run.ports.read(id));
  } catch (error) {
    run.stop(error);
  }
}

/** Returns the transaction with a fresh blockhash, checked again; null when another phase is shown instead. */
export async function renewReview(run: ApprovalRun, review: Review): Promise<Review | null> {
  const { prepared, summary } = review;
  const isOld = run.attempt();
  run.show({ kind: "renewing", prepared, summary });
  try {
    const { renewed, reason } = await renewAndCheck(run, review);
    if (isOld() || run.isLeft()) return null;
    if (reason === null) return { prepared: renewed, summary };
    run.show({ kind: "blocked", prepared: renewed, reason });
    return null;
  } catch (error) {
    if (isOld() || run.isLeft()) return null;
    const { reason, problem } = run.ports.describe(error);
    // Asking for another one would move the money a second time
    if (problem?.code === "transaction_landed") {
      await followLanded(run, problem.transactionId ?? prepared.id);
      return null;
    }
    // The state changed on chain or in another tab: prepare again, for a new review
    if (problem?.code === "conflict" || problem?.code === "transaction_refused") {
      await prepareNext(run, undefined, `It had to be prepared again. ${reason}`);
    } else run.show({ kind: "review", prepared, summary, note: reason });
    return null;
  }
}
