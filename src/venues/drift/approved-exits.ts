import type { Address, Instruction } from "@solana/kit";
import { formatDecimal } from "../../domain/amount.ts";
import { PRICE_DECIMALS } from "../../domain/market.ts";
import { DIRECTION, driftArguments, MARKET_TYPE } from "./instruction-arguments.ts";
import { deleteUser, type MarketAccounts } from "./instructions.ts";
import { cancelOrders, placeAndTakePerpOrder, settlePnl } from "./trading-instructions.ts";
import { deriveUser } from "./pdas.ts";
import type { DriftInstance } from "./instance.ts";
import { insist } from "../mismatch.ts";
import { isSameInstruction } from "../../solana/same-instruction.ts";
import type { Effect } from "../effect.ts";
import { bytesOf, NOT_MINE, subAccountOf } from "./approved-account.ts";

/** Decimals of a base amount on the exchange. */
const BASE_DECIMALS = 9;

const NO_MARKETS: MarketAccounts = { oracles: [], spotMarkets: [], perpMarkets: [] };

/** Compares the fixed accounts of a call; the oracles and markets after them are checked by the program. */
function requireHead(given: Instruction, expected: Instruction): void {
  const head = {
    ...given,
    accounts: (given.accounts ?? []).slice(0, expected.accounts?.length ?? 0),
  };
  insist(isSameInstruction(head, expected), NOT_MINE);
}

function userAt(given: Instruction, at: number, vault: Address, instance: DriftInstance) {
  const subAccountId = subAccountOf(given.accounts?.[at]?.address, vault, instance);
  return {
    user: { authority: vault, subAccountId },
    account: deriveUser(instance, vault, subAccountId),
  };
}

/** Decodes the cancellation of all open orders. */
export function readCancel(given: Instruction, vault: Address, instance: DriftInstance): Effect {
  const { user, account } = userAt(given, 1, vault, instance);
  requireHead(given, cancelOrders(instance, user, vault, NO_MARKETS));
  return { kind: "venue-cancel", account, text: "Cancels every open order" };
}

/** Decodes an order that can only reduce a position; refuses any other order. */
export function readClose(given: Instruction, vault: Address, instance: DriftInstance): Effect {
  const { params } = driftArguments.placeAndTakePerpOrder.decode(bytesOf(given));
  const { user, account } = userAt(given, 1, vault, instance);
  requireHead(given, placeAndTakePerpOrder(instance, user, vault, params, NO_MARKETS));
  insist(
    params.reduceOnly && params.marketType === MARKET_TYPE.perp && params.price > 0n,
    "The order could open a position instead of closing one.",
  );
  const market = Object.entries(instance.perpMarketIndexes).find(
    ([, index]) => index === params.marketIndex,
  );
  insist(market !== undefined, "The order is for a market this page does not know.");
  const limit = formatDecimal(params.price, PRICE_DECIMALS);
  const side = params.direction === DIRECTION.long ? "buying for at most" : "selling for at least";
  return {
    kind: "venue-close",
    account,
    text: `Closes ${formatDecimal(params.baseAssetAmount, BASE_DECIMALS)} ${market[0]}, ${side} ${limit}`,
  };
}

/** Decodes the deletion of the venue's trading account; its rent returns to the vault. */
export function readDeletion(given: Instruction, vault: Address, instance: DriftInstance): Effect {
  const { user, account } = userAt(given, 0, vault, instance);
  requireHead(given, deleteUser(instance, user));
  return {
    kind: "venue-deletion",
    account,
    text: "Deletes the venue's trading account; its rent returns to the vault",
  };
}

/** Decodes a settlement signed by the owner's wallet, which moves realized profit or loss into the balance. */
export function readSettlement(
  given: Instruction,
  wallet: Address,
  vault: Address,
  instance: DriftInstance,
): Effect {
  const { user, account } = userAt(given, 1, vault, instance);
  const { marketIndex } = driftArguments.settlePnl.decode(bytesOf(given));
  const spot = instance.quoteSpotMarketIndex;
  requireHead(given, settlePnl(instance, user, wallet, marketIndex, spot, NO_MARKETS));
  return { kind: "venue-settle", account, text: "Turns realized profit or loss into balance" };
}
