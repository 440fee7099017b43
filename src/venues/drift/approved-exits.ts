import { type Address, type Instruction, isWritableRole } from "@solana/kit";
import { formatDecimal } from "../../domain/amount.ts";
import { PRICE_DECIMALS } from "../../domain/market.ts";
import {
  DIRECTION,
  driftArguments,
  MARKET_TYPE,
  type OrderParams,
} from "./instruction-arguments.ts";
import { deleteUser, type MarketAccounts } from "./instructions.ts";
import {
  cancelOrders,
  fillPerpOrder,
  placeAndTakePerpOrder,
  placePerpOrder,
  settlePnl,
} from "./trading-instructions.ts";
import { auctionOrderParams, soundAuction, takeOrderParams, termsOf } from "./order-params.ts";
import { derivePerpMarket, deriveSpotMarket, deriveUser } from "./pdas.ts";
import type { DriftInstance } from "./instance.ts";
import { insist } from "../mismatch.ts";
import { isSameInstruction, sameBytes } from "../../solana/same-instruction.ts";
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

/** Requires that nobody can be on the other side of an order whom the transaction's maker chose. */
function requireNoMaker(given: Instruction, fixed: Instruction, instance: DriftInstance): void {
  const markets = Object.values(instance.perpMarketIndexes).map((index) =>
    derivePerpMarket(instance, index),
  );
  const known = [...markets, deriveSpotMarket(instance, instance.quoteSpotMarketIndex)];
  const further = (given.accounts ?? []).slice(fixed.accounts?.length ?? 0);
  insist(
    further.every(({ address, role }) => !isWritableRole(role) || known.includes(address)),
    "The order could be filled by somebody the transaction chose.",
  );
}

/** Describes an order that can only reduce a position within its price; refuses any other order. */
function closing(params: OrderParams, isSound: boolean, instance: DriftInstance): string {
  insist(
    params.reduceOnly && params.marketType === MARKET_TYPE.perp && params.price > 0n,
    "The order could open a position instead of closing one.",
  );
  insist(isSound, "The order does more than close a position within its price.");
  const market = Object.entries(instance.perpMarketIndexes).find(
    ([, index]) => index === params.marketIndex,
  );
  insist(market !== undefined, "The order is for a market this page does not know.");
  const limit = formatDecimal(params.price, PRICE_DECIMALS);
  const side = params.direction === DIRECTION.long ? "buying for at most" : "selling for at least";
  return `${formatDecimal(params.baseAssetAmount, BASE_DECIMALS)} ${market[0]}, ${side} ${limit}`;
}

/** Decodes a closing order that fills at once or not at all. */
export function readClose(given: Instruction, vault: Address, instance: DriftInstance): Effect {
  const { params } = driftArguments.placeAndTakePerpOrder.decode(bytesOf(given));
  const { user, account } = userAt(given, 1, vault, instance);
  const fixed = placeAndTakePerpOrder(instance, user, vault, params, NO_MARKETS);
  requireHead(given, fixed);
  requireNoMaker(given, fixed, instance);
  const { data } = placeAndTakePerpOrder(
    instance,
    user,
    vault,
    takeOrderParams(termsOf(params)),
    NO_MARKETS,
  );
  const text = closing(params, sameBytes(data, bytesOf(given)), instance);
  return { kind: "venue-close", account, text: `Closes ${text}` };
}

/** Decodes a closing order that waits out the exchange's auction. */
export function readWaitingClose(
  given: Instruction,
  vault: Address,
  instance: DriftInstance,
): Effect {
  const params = driftArguments.placePerpOrder.decode(bytesOf(given));
  const { user, account } = userAt(given, 1, vault, instance);
  requireHead(given, placePerpOrder(instance, user, vault, params, NO_MARKETS));
  const auction = soundAuction(params);
  const ours = auction && auctionOrderParams(termsOf(params), auction);
  const isSound =
    ours !== null && sameBytes(driftArguments.placePerpOrder.encode(ours), bytesOf(given));
  const text = closing(params, isSound, instance);
  return {
    kind: "venue-close",
    account,
    text: `Orders to close ${text}, after the exchange's auction`,
  };
}

/** Decodes filling one of the account's own orders, which anybody may do. */
export function readFill(given: Instruction, vault: Address, instance: DriftInstance): Effect {
  const { orderId, makerOrderId } = driftArguments.fillPerpOrder.decode(bytesOf(given));
  insist(orderId !== null && makerOrderId === null, NOT_MINE);
  const { user, account } = userAt(given, 2, vault, instance);
  const fixed = fillPerpOrder(instance, user, vault, orderId, NO_MARKETS);
  requireHead(given, fixed);
  requireNoMaker(given, fixed, instance);
  return { kind: "venue-fill", account, text: `Fills this account's waiting order ${orderId}` };
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
