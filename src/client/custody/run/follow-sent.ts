import { followingProgress, type FollowedTransaction } from "../approval-phase.ts";
import type { ApprovalRun } from "./approval-run.ts";
import { prepareNext } from "./prepare-next.ts";

/** Poll interval of a pending transaction, in milliseconds. */
const POLL_MS = 1_000;

/** Handles a transaction's final state and continues the intent; returns false while it is pending. */
async function settle(run: ApprovalRun, transaction: FollowedTransaction): Promise<boolean> {
  const { show, intent } = run;
  switch (transaction.state) {
    case "confirmed":
      // The followed transaction may belong to another intent that was still pending
      if (transaction.hasNext || transaction.intent !== intent) await prepareNext(run, transaction);
      else show({ kind: "done", transaction });
      return true;
    case "failed":
      show({
        kind: "stopped",
        outcome: "failed",
        reason: transaction.reason ?? "The chain refused the transaction. No funds moved.",
        transaction,
      });
      return true;
    case "expired":
      // An unsigned transaction moved nothing: prepare it again
      if (transaction.signature === undefined) {
        await prepareNext(run);
        return true;
      }
      show({
        kind: "stopped",
        outcome: "expired",
        reason: "The transaction expired before it was confirmed. No funds moved. Try again.",
        transaction,
      });
      return true;
    case "prepared":
    case "abandoned":
      await prepareNext(run);
      return true;
    case "sent":
      return false;
  }
}

/** Polls a transaction without a time limit until it ends or the approval is left. */
export async function followSent(run: ApprovalRun, first: FollowedTransaction): Promise<void> {
  const { ports, show } = run;
  const startedAt = first.sentAt === undefined ? ports.now() : Date.parse(first.sentAt);
  let transaction = first;
  for (let asked = 0; !run.isLeft(); asked += 1) {
    if (await settle(run, transaction)) return;
    const progress = followingProgress(ports.now() - startedAt, asked);
    show({ kind: "following", transaction, progress });
    await ports.wait(POLL_MS);
    if (run.isLeft()) return;
    transaction = await ports.read(transaction.id).catch(() => transaction);
  }
}

/** Reports the sent signature to the server, retrying without a time limit, then follows the transaction. */
export async function reportSent(run: ApprovalRun, id: string, signature: string): Promise<void> {
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
      await ports.wait(POLL_MS);
    }
  }
}
