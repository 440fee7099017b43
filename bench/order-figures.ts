import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { isOpenOrderState, ORDER_STATES } from "../src/domain/order/order-states.ts";
import { fixed } from "./figures.ts";

/** Longest wait for the last order to end, in milliseconds: an alert's age, an auction and what follows. */
const ENDING_MS = 400_000;
const LOOK_MS = 500;

/** Waits until no order is open any more. */
export async function orderEnds(pool: Pool): Promise<void> {
  const open = ORDER_STATES.filter((state) => isOpenOrderState(state));
  for (let waitedMs = 0; waitedMs < ENDING_MS; waitedMs += LOOK_MS) {
    const { rows } = await pool.query("select from orders where state = any($1) limit 1", [open]);
    if (rows.length === 0) return;
    await sleep(LOOK_MS);
  }
}

/** Returns the requests of a node per order, of all and by method, most first. */
export function countCalls(calls: readonly string[], orders: number): string {
  const counts = [...Map.groupBy(calls, (method) => method)]
    .map(([method, { length }]) => ({ method, rate: length / orders }))
    .sort((one, other) => other.rate - one.rate);
  const each = counts.map(({ method, rate }) => `${method} ${fixed(rate, 1)}`).join(", ");
  return `${fixed(calls.length / orders, 1)} (${each})`;
}
