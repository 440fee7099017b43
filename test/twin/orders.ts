import type { Instruction } from "@solana/kit";
import { DIRECTION, type OrderParams } from "../../src/venues/drift/instruction-arguments.ts";
import {
  cancelOrders,
  cancelOrdersByIds,
  placeAndTakePerpOrder,
  placePerpOrder,
} from "../../src/venues/drift/instructions.ts";
import { DRIFT_V2_INSTANCE as IDS } from "../../src/venues/drift/instance.ts";
import type { ChainBench } from "../chain-bench.ts";
import { orderParams, START_PRICE, user, withSol } from "../drift-cases/case.ts";
import { tradingKey } from "../squads-bench.ts";

export const high = (START_PRICE * 101n) / 100n;
export const low = (START_PRICE * 99n) / 100n;
export const short = DIRECTION.short;

/** An order of the trading key's that is filled at once. */
export const take = (order: Partial<OrderParams> = {}, markets = withSol) =>
  placeAndTakePerpOrder(IDS, user, tradingKey.address, orderParams(order), markets);

/** An order of the trading key's that waits. */
export const place = (order: Partial<OrderParams> = {}, markets = withSol) =>
  placePerpOrder(IDS, user, tradingKey.address, orderParams({ bitFlags: 0, ...order }), markets);

export const cancel = (markets = withSol) => cancelOrders(IDS, user, tradingKey.address, markets);

export const cancelById = (...orderIds: readonly number[]) =>
  cancelOrdersByIds(IDS, user, tradingKey.address, orderIds, withSol);

/** Sends each as a transaction of the trading key's. */
export async function sendEach(
  bench: ChainBench,
  ...instructions: readonly Instruction[]
): Promise<void> {
  for (const instruction of instructions) await bench.send([tradingKey], [instruction]);
}
