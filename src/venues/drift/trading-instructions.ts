import type { AccountMeta, Address, ReadonlyUint8Array } from "@solana/kit";
import {
  type FullInstruction,
  instruction,
  readonly,
  signer,
  writable,
} from "../../solana/encoding/instruction.ts";
import { type OrderParams, driftArguments } from "./instruction-arguments.ts";
import { type MarketAccounts, remaining, type UserAccounts } from "./instructions.ts";
import {
  type DriftIds,
  deriveSpotMarketVault,
  deriveState,
  deriveUser,
  deriveUserStats,
} from "./pdas.ts";

/** Calls a method whose accounts begin with the exchange's state, the user's account and its signer. */
function userCall(
  ids: DriftIds,
  user: UserAccounts,
  by: Address,
  others: readonly AccountMeta[],
  data: ReadonlyUint8Array,
): FullInstruction {
  return instruction(
    ids.programId,
    [
      readonly(deriveState(ids)),
      writable(deriveUser(ids, user.authority, user.subAccountId)),
      signer(by),
      ...others,
    ],
    data,
  );
}

/** Places an order without filling it. `by` is the authority or the delegate. */
export function placePerpOrder(
  ids: DriftIds,
  user: UserAccounts,
  by: Address,
  params: OrderParams,
  markets: MarketAccounts,
): FullInstruction {
  return userCall(ids, user, by, remaining(markets), driftArguments.placePerpOrder.encode(params));
}

/** Places an order and fills it as far as possible in the same instruction. `by` is the authority or the delegate. */
export function placeAndTakePerpOrder(
  ids: DriftIds,
  user: UserAccounts,
  by: Address,
  params: OrderParams,
  markets: MarketAccounts,
): FullInstruction {
  return instruction(
    ids.programId,
    [
      readonly(deriveState(ids)),
      writable(deriveUser(ids, user.authority, user.subAccountId)),
      writable(deriveUserStats(ids, user.authority)),
      signer(by),
      ...remaining(markets),
    ],
    driftArguments.placeAndTakePerpOrder.encode({ params, successCondition: null }),
  );
}

/**
 * Fills a user's own resting order with that user as the filler, without a reward. `by` is the authority or the
 * delegate.
 */
export function fillPerpOrder(
  ids: DriftIds,
  user: UserAccounts,
  by: Address,
  orderId: number,
  markets: MarketAccounts,
): FullInstruction {
  const own = [
    writable(deriveUser(ids, user.authority, user.subAccountId)),
    writable(deriveUserStats(ids, user.authority)),
  ];
  return instruction(
    ids.programId,
    [readonly(deriveState(ids)), signer(by), ...own, ...own, ...remaining(markets)],
    driftArguments.fillPerpOrder.encode({ orderId, makerOrderId: null }),
  );
}

/** Cancels every open order, also one placed after the account was read. `by` is the authority or the delegate. */
export function cancelOrders(
  ids: DriftIds,
  user: UserAccounts,
  by: Address,
  markets: MarketAccounts,
): FullInstruction {
  const data = { marketType: null, marketIndex: null, direction: null };
  return userCall(ids, user, by, remaining(markets), driftArguments.cancelOrders.encode(data));
}

/** Cancels these orders; one that is no longer open is passed over. `by` is the authority or the delegate. */
export function cancelOrdersByIds(
  ids: DriftIds,
  user: UserAccounts,
  by: Address,
  orderIds: readonly number[],
  markets: MarketAccounts,
): FullInstruction {
  const data = driftArguments.cancelOrdersByIds.encode({ orderIds: [...orderIds] });
  return userCall(ids, user, by, remaining(markets), data);
}

/** Settles a market's realized PnL into collateral; anyone may sign. */
export function settlePnl(
  ids: DriftIds,
  user: UserAccounts,
  by: Address,
  perpMarketIndex: number,
  spotMarketIndex: number,
  markets: MarketAccounts,
): FullInstruction {
  const others = [readonly(deriveSpotMarketVault(ids, spotMarketIndex)), ...remaining(markets)];
  const data = driftArguments.settlePnl.encode({ marketIndex: perpMarketIndex });
  return userCall(ids, user, by, others, data);
}
