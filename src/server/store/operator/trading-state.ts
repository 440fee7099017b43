import { TRADING_STATES, type TradingState } from "../../../domain/trading-state.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";

/** Returns what the operator allows on every server; a word this version does not know halts. */
export async function readTradingState(db: Db): Promise<TradingState> {
  const row = await on(db).only<{ state: string }>`select trading_state as state from installation`;
  return TRADING_STATES.find((state) => state === row.state) ?? "halted";
}

/**
 * Returns the same, and what the switch files of the servers that trade allow: where one of them may, agents are traded.
 */
export async function readTradersState(
  db: Db,
): Promise<{ readonly stored: TradingState; readonly files: TradingState }> {
  const row = await on(db).only<{ stored: string; files: readonly string[] }>`
    select trading_state as stored, array(
      select state from trading_servers where until > clock_timestamp()) as files
    from installation`;
  const find = (states: readonly string[]) => TRADING_STATES.find((each) => states.includes(each));
  return { stored: find([row.stored]) ?? "halted", files: find(row.files) ?? "active" };
}

/** An order of the operator's; the signature is null where he had no key. */
export interface OperatorOrder {
  /** Grows with every order. */
  readonly n: number;
  readonly state: TradingState;
  readonly signature: Uint8Array | null;
}

/** Returns the text of an order, byte for byte what the operator's key signs. */
export const orderText = ({ n, state }: Pick<OperatorOrder, "n" | "state">): string =>
  `Wheelhouse operator order ${n}: ${state}`;

/** Most orders read at once: rows that are no orders must not hide one for long. */
const MAX_ORDERS = 100;

/** Returns the orders after a number, newest first. */
export async function listOperatorOrders(db: Db, n: number): Promise<readonly OperatorOrder[]> {
  const rows = await on(db).rows<Omit<OperatorOrder, "n"> & { readonly n: string }>`
    select n::text, state, signature from operator_orders where operator_orders.n > ${n}
    order by operator_orders.n desc limit ${MAX_ORDERS}`;
  return rows.map((row) => ({ ...row, n: Number(row.n) }));
}

/**
 * Sets what the operator allows on every server, and signs it where he has a key; a trigger records it. Any process's role
 * may halt, without an order: only lifting needs one.
 */
export async function setTradingState(
  db: Db,
  state: TradingState,
  atMs: number,
  sign: ((text: string) => Uint8Array) | null = null,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const { mayOrder } = await on(transaction).only<{ mayOrder: boolean }>`
      select has_table_privilege('operator_orders', 'insert') as "mayOrder"`;
    if (mayOrder || state !== "halted") {
      await on(transaction).lock("wheelhouse-operator-orders");
      // The time, so that numbers also grow after a restored backup
      const { n } = await on(transaction).only<{ n: string }>`
        select greatest(coalesce(max(operator_orders.n), 0) + 1, ${atMs})::text as n from operator_orders`;
      const text = orderText({ n: Number(n), state });
      await on(transaction).change`
        insert into operator_orders (n, state, signature)
        values (${n}, ${state}, ${sign === null ? null : Buffer.from(sign(text))})`;
    }
    await on(transaction).change`update installation set trading_state = ${state}`;
  });
}
