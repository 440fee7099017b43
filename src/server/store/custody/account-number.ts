import type { AgentId } from "../../../domain/ids.ts";
import type { Db } from "../postgres/db.ts";

/**
 * Moves an agent's custody to another account number: without a trading key there, without a deposit, and turned off.
 */
export async function moveToAccountNumber(
  db: Db,
  agentId: AgentId,
  { from, to, at }: { readonly from: number; readonly to: number; readonly at: Date },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const moved = await tx
      .updateTable("multisigs")
      .set({ sub_account_id: to, delegated: false })
      .where("agent_id", "=", agentId)
      .where("sub_account_id", "=", from)
      .executeTakeFirst();
    // Another process has moved it already
    if (moved.numUpdatedRows === 0n) return;
    await tx
      .updateTable("agents")
      .set({ sub_account_id: null, auto_trade: "off", updated_at: at })
      .where("id", "=", agentId)
      .execute();
  });
}
