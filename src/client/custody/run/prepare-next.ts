import type { FollowedTransaction, PreparedTransaction } from "../approval-phase.ts";
import type { ApprovalRun } from "./approval-run.ts";

/** Time until the server is asked again for a transaction the exchange is not ready for, in milliseconds. */
const ASK_AGAIN_MS = 1_000;

/** Prepares, checks and shows the next transaction of the intent; ends the approval when none is left. */
export async function prepareNext(
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
async function prepareWhenReady(
  { ports, show, isLeft }: ApprovalRun,
  isOld: () => boolean,
): Promise<PreparedTransaction | "done" | null> {
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
