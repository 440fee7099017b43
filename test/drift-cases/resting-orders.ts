import { placePerpOrder } from "../../src/venues/drift/instructions.ts";
import { DRIFT_V2_INSTANCE as IDS } from "../../src/venues/drift/instance.ts";
import type { OrderReport, RestingOrder } from "../../src/venues/placed-order.ts";
import { tradingKey } from "../squads-bench.ts";
import { orderParams, SOL_BASE, START_PRICE, user, withSol } from "./case.ts";

export const AUCTION_SLOTS = 10;

export function restingOf(report: OrderReport): RestingOrder {
  if (report.kind !== "resting") throw new Error(`Expected a resting order: ${report.kind}`);
  return report.order;
}

/** A limit order far from the market, of the kind somebody else could leave on the account. */
export const leftOver = () =>
  placePerpOrder(
    IDS,
    user,
    tradingKey.address,
    orderParams({ price: START_PRICE / 2n, bitFlags: 0, baseAssetAmount: SOL_BASE / 10n }),
    withSol,
  );
