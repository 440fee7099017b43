import type { ApprovalRun } from "./approval-run.ts";
import { followSent, reportSent } from "./follow-sent.ts";
import { renewReview } from "./renew-review.ts";

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
