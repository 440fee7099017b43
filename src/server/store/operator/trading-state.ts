import { TRADING_STATES, type TradingState } from "../../../domain/trading-state.ts";
import { insertAudit } from "../audit/audit.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";

/** Returns what the operator allows on every server; a word this version does not know halts. */
export async function readTradingState(db: Db): Promise<TradingState> {
  const row = await on(db).only<{ state: string }>`select trading_state as state from installation`;
  return TRADING_STATES.find((state) => state === row.state) ?? "halted";
}

/** Sets what the operator allows on every server, and records it. */
export async function setTradingState(db: Db, state: TradingState, atMs: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await on(transaction).change`update installation set trading_state = ${state}`;
    await insertAudit(transaction, {
      at: atMs,
      wallet: null,
      action: "trading_state_set",
      detail: { state },
    });
  });
}
