import { TRADING_STATES, type TradingState } from "../../../domain/trading-state.ts";
import { insertAudit } from "../audit/audit.ts";
import type { Db } from "../postgres/db.ts";

/** Returns what the operator allows on every server; a word this version does not know halts. */
export async function readTradingState(db: Db): Promise<TradingState> {
  const row = await db.selectFrom("installation").select("trading_state").executeTakeFirstOrThrow();
  return TRADING_STATES.find((state) => state === row.trading_state) ?? "halted";
}

/** Sets what the operator allows on every server, and records it. */
export async function setTradingState(db: Db, state: TradingState, atMs: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction.updateTable("installation").set({ trading_state: state }).execute();
    await insertAudit(transaction, {
      at: atMs,
      wallet: null,
      action: "trading_state_set",
      detail: { state },
    });
  });
}
