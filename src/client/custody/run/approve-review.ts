import type { ApprovalRun } from "./approval-run.ts";
import { followSent, reportSent } from "./follow-sent.ts";
import type { Review } from "../approval-phase.ts";
import type { TransactionSummary } from "../transaction-summary.ts";
import { prepareNext } from "./prepare-next.ts";

/** Requests the signature of the reviewed transaction and follows the sent transaction. */
export async function approveReview(run: ApprovalRun): Promise<void> {
  const { ports, show } = run;
  const current = run.phase.getState();
  if (current.kind !== "review") return;
  const ready = await renewReview(run, current);
  if (ready === null) return;
  const { prepared, summary } = ready;
  show({ kind: "wallet", prepared, summary });
  const answer = await (prepared.method === "sign"
    ? ports.sign(prepared)
    : ports.signAndSend(prepared));
  if (answer.kind === "changed") return run.stop(answer.error);
  if (answer.kind !== "ok") {
    const note =
      answer.kind === "refused"
        ? `You refused the request in ${ports.walletName}. Nothing was sent.`
        : answer.reason;
    show({ kind: "review", prepared, summary, note });
    return;
  }
  run.events.emit("signed", ready);
  if (prepared.method === "signAndSend") return reportSent(run, prepared.id, answer.value);
  try {
    await followSent(run, await ports.postSigned(prepared.id, answer.value));
  } catch (error) {
    run.stop(error);
  }
}

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
async function renewReview(run: ApprovalRun, review: Review): Promise<Review | null> {
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
