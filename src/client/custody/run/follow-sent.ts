import { followingProgress, type FollowedTransaction } from "../approval-phase.ts";
import type { ApprovalRun } from "./approval-run.ts";
import { prepareNext } from "./prepare-next.ts";

/** How often the chain is asked while a transaction is under way. */
const POLL_MS = 1_000;

/** Shows where a transaction ended and goes on from there; false while it is under way. */
async function settle(run: ApprovalRun, transaction: FollowedTransaction): Promise<boolean> {
  const { show, intent } = run;
  switch (transaction.state) {
    case "confirmed":
      // One of another intent may have been on its way when this was asked for
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
      // Nobody signed it, so nothing was lost but its time
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

/** Asks for a transaction until it ended, however long that takes, or until nobody looks any more. */
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

/** Tells the server of what the wallet already sent, however long that takes, and follows it. */
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
