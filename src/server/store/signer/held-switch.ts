import type { TradingState } from "../../../domain/trading-state.ts";
import {
  listOperatorOrders,
  type OperatorOrder,
  readTradingState,
} from "../operator/trading-state.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";

/** What the signer remembers of the operator's switch. */
export interface HeldSwitch {
  /** Number of the newest order that the operator signed; 0 before the first. */
  readonly n: number;
  readonly state: TradingState;
}

/** Returns what is held and what the database says. */
export async function readHeldSwitch(db: Db): Promise<{
  readonly held: HeldSwitch;
  readonly stored: TradingState;
  readonly orders: readonly OperatorOrder[];
}> {
  const row = await on(db).row<{ n: string; state: TradingState }>`
    select n::text, state from signer.held_switch`;
  const held: HeldSwitch = { n: Number(row?.n ?? 0), state: row?.state ?? "active" };
  // The state last: an order is written with its state, and a state older than an order would stay in force
  const orders = await listOperatorOrders(db, held.n);
  return { held, orders, stored: await readTradingState(db) };
}

/** Keeps what is held, unless another process holds a newer order. */
export async function keepSwitch(db: Db, { n, state }: HeldSwitch): Promise<void> {
  await on(db).change`
    insert into signer.held_switch as held (n, state) values (${n}, ${state})
    on conflict (is_only) do update set n = excluded.n, state = excluded.state where held.n <= excluded.n`;
}
