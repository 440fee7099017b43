import { strictestOf, type TradingState } from "../../../domain/trading-state.ts";
import type { Db } from "../../store/postgres/db.ts";
import { type HeldSwitch, keepSwitch, readHeldSwitch } from "../../store/signer/held-switch.ts";
import {
  type OperatorOrder,
  orderText,
  readTradingState,
} from "../../store/operator/trading-state.ts";

/** Checks the operator's signature over a text. */
type Check = (text: string, signature: Uint8Array) => boolean;

/**
 * Returns what is held after another reading: the database's state is believed where it is stricter, and only an order
 * that the operator signed since lifts it. Orders are given newest first.
 */
export function judgeSwitch(
  held: HeldSwitch,
  stored: TradingState,
  orders: readonly OperatorOrder[],
  check: Check,
): HeldSwitch {
  const newest = orders.find(
    (order) =>
      order.n > held.n && order.signature !== null && check(orderText(order), order.signature),
  );
  const { n, state } = newest ?? held;
  return { n, state: strictestOf(state, stored) };
}

/** Creates the signer's reading of the operator's switch. Where the operator has no key the database is believed. */
export const createSwitchReader =
  (readCheck: () => Check | null) =>
  async (db: Db): Promise<TradingState> => {
    const check = readCheck();
    if (check === null) return readTradingState(db);
    const { held, stored, orders } = await readHeldSwitch(db);
    const next = judgeSwitch(held, stored, orders, check);
    if (next.n !== held.n || next.state !== held.state) await keepSwitch(db, next);
    return next.state;
  };
