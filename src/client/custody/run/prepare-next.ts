import type { FollowedTransaction } from "../approval-phase.ts";
import type { ApprovalRun } from "./approval-run.ts";

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
    const prepared = await ports.prepare();
    if (isOld()) return;
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
