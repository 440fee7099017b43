import type { Address } from "@solana/kit";
import { associatedTokenAddress } from "../../solana/programs/associated-token.ts";
import { SYSTEM_PROGRAM } from "../../solana/programs/system.ts";
import { transferTokens } from "../../solana/programs/token.ts";
import type { ExpectedEffect, PlanStep } from "../plan-step.ts";
import type { VenueAccount } from "../venue.ts";
import type { HeldPosition } from "./account-state.ts";
import type { ExchangeReading } from "./exchange-reader.ts";
import { DIRECTION, ORDER_TYPE } from "./instruction-arguments.ts";
import {
  accountsOf,
  type MarketAccounts,
  deleteUser,
  updateUserDelegate,
  withdraw,
  cancelOrders,
  fillPerpOrder,
  settlePnl,
} from "./instructions.ts";
import {
  baseAmountOffset,
  type DriftOrder,
  type DriftUser,
  OPEN_ORDERS_OFFSET,
  ORDER_STATUS,
} from "./layout-user.ts";
import { orderInstruction } from "./order-form.ts";
import { deriveSpotMarketVault, userAddressOf } from "./pdas.ts";
import { delegateEffect, step } from "./plan-entry.ts";
import type { DriftInstance } from "./instance.ts";
import { isFillable } from "./resting-order.ts";

/**
 * Slippage limit of the owner's own closing order from the oracle price, in basis points: 5 %, the largest an agent can
 * have.
 */
const CLOSE_SLIPPAGE_BPS = 500;

const WAITS_FOR_FILL =
  "Your closing order waits on the exchange: its auction has not ended, or the price is beyond its limit.";

const isFlatAgain = (address: Address, place: number): ExpectedEffect => ({
  kind: "bytes_at",
  address,
  offset: baseAmountOffset(place),
  hex: "0000000000000000",
});

/** Returns the owner's closing order that waits to be filled and has not expired. */
function waitingClose(
  { orders }: DriftUser,
  { slot }: HeldPosition,
  nowMs: number,
): DriftOrder | undefined {
  const isOpposite = slot.baseAssetAmount < 0n ? DIRECTION.long : DIRECTION.short;
  return orders.find(
    (order) =>
      order.status === ORDER_STATUS.open &&
      order.marketIndex === slot.marketIndex &&
      order.orderType === ORDER_TYPE.market &&
      order.reduceOnly &&
      order.direction === isOpposite &&
      order.maxTs > BigInt(Math.floor(nowMs / 1_000)),
  );
}

/** Returns whether no order of the account can open anything. */
const onlyReduces = ({ orders }: DriftUser): boolean =>
  orders.every(({ status, reduceOnly }) => status !== ORDER_STATUS.open || reduceOnly);

/** Returns whether nothing is held, and what is left of a closing, or of the stop beside it, does nothing any more. */
export const isClosed = (user: DriftUser, held: readonly HeldPosition[]): boolean =>
  held.every(({ slot }) => slot.baseAssetAmount === 0n) && onlyReduces(user);

/** State of an exchange account that is to be closed. */
export interface OpenAccount {
  readonly reading: ExchangeReading;
  readonly user: DriftUser;
  readonly held: readonly HeldPosition[];
  readonly markets: MarketAccounts;
}

/**
 * Returns the step with which the owner cancels all orders and closes all positions; its parts are empty when nothing
 * is open.
 *
 * Where the exchange requires auctions, closing takes two steps: the first places closing orders that anybody may fill
 * after their auction, the second fills the remaining ones with the vault as the filler. What only reduces is left until
 * then; the agent's lane cancels it.
 */
export function planCloseFrom(
  instance: DriftInstance,
  account: VenueAccount,
  { reading, user, held, markets }: OpenAccount,
  nowMs: number,
): PlanStep {
  const authority = accountsOf(account);
  const address = userAddressOf(instance, account);
  const open = held.filter(({ slot }) => slot.baseAssetAmount !== 0n);
  const closes = open.flatMap((each) => waitingClose(user, each, nowMs) ?? []);
  const { state } = reading;
  if (open.length > 0 && closes.length === open.length) {
    const ready = closes.filter((order) => isFillable(reading, order));
    const filled = ready.length > 0 ? ready : closes;
    return step("Fill the closing orders", {
      asVault: filled.map(({ orderId }) =>
        fillPerpOrder(instance, authority, account.vault, orderId, markets),
      ),
      expects: open
        .filter(({ slot }) => filled.some(({ marketIndex }) => marketIndex === slot.marketIndex))
        .map(({ place }) => isFlatAgain(address, place)),
      // A fill that comes too early lands and does nothing
      ...(ready.length > 0 ? {} : { waitsFor: WAITS_FOR_FILL }),
    });
  }
  const surroundings = { instance, user: authority, by: account.vault, state, markets, nowMs };
  const closing = open.map((position) => {
    const size = position.slot.baseAssetAmount;
    return orderInstruction(surroundings, position.reading, {
      side: size < 0n ? "long" : "short",
      baseSize: size < 0n ? -size : size,
      referencePrice: position.reading.price.price,
      slippageBps: CLOSE_SLIPPAGE_BPS,
      reduceOnly: true,
    });
  });
  const isAtOnce = state.minPerpAuctionDuration === 0 || open.length === 0;
  // A stop rests on until the closing orders have filled: both only reduce
  const cancels = isAtOnce ? user.openOrders > 0 : !onlyReduces(user);
  return step(isAtOnce ? "Close positions" : "Place the closing orders", {
    asVault: [
      ...(cancels ? [cancelOrders(instance, authority, account.vault, markets)] : []),
      ...closing,
    ],
    expects: isAtOnce
      ? [
          ...(cancels
            ? [{ kind: "bytes_at" as const, address, offset: OPEN_ORDERS_OFFSET, hex: "00" }]
            : []),
          ...open.map(({ place }) => isFlatAgain(address, place)),
        ]
      : // A keeper may fill the orders earlier; the account is named so that the transaction can be found by it
        [{ kind: "account_exists", address, programId: instance.programId }],
    ...(isAtOnce ? {} : { followedBy: 1 }),
  });
}

/** Returns the step that moves quote tokens from the exchange through the vault to the owner's wallet. */
export function planWithdrawFrom(
  instance: DriftInstance,
  account: VenueAccount,
  amount: bigint,
  markets: MarketAccounts,
): PlanStep {
  const { mint } = instance.quote;
  const ownerTokens = associatedTokenAddress(account.owner, mint);
  const vaultTokens = associatedTokenAddress(account.vault, mint);
  return step(`Withdraw ${instance.quote.symbol}`, {
    asVault: [
      withdraw(instance, accountsOf(account), {
        spotMarketIndex: instance.quoteSpotMarketIndex,
        tokenAccount: vaultTokens,
        amount,
        // Reduce-only prevents a rounding error from becoming a borrow
        reduceOnly: true,
        markets,
      }),
      // Unchecked transfer: with the mint the transaction would not fit without a lookup table
      transferTokens(
        { source: vaultTokens, destination: ownerTokens, authority: account.vault },
        amount,
      ),
    ],
    expects: [
      { kind: "token_delta", account: ownerTokens, mint, delta: amount },
      {
        kind: "token_delta",
        account: deriveSpotMarketVault(instance, instance.quoteSpotMarketIndex),
        mint,
        delta: -amount,
      },
    ],
  });
}

/** Returns the step that settles realized PnL into collateral; the owner pays, the vault is not needed. */
export function planSettleFrom(
  instance: DriftInstance,
  account: VenueAccount,
  marketIndexes: readonly number[],
  { otherMarkets = [], ...known }: MarketAccounts,
): PlanStep {
  const markets = { ...known, perpMarkets: [...known.perpMarkets, ...otherMarkets] };
  return step("Settle PnL", {
    before: marketIndexes.map((marketIndex) =>
      settlePnl(
        instance,
        accountsOf(account),
        account.owner,
        marketIndex,
        instance.quoteSpotMarketIndex,
        markets,
      ),
    ),
    // The settled amount depends on the market's pool; the account is named so that the transaction can be found by it
    expects: [
      {
        kind: "account_exists",
        address: userAddressOf(instance, account),
        programId: instance.programId,
      },
    ],
  });
}

/** Returns the step that deletes the empty exchange account; its rent returns to the vault. */
export function planDeleteFrom(instance: DriftInstance, account: VenueAccount): PlanStep {
  return step("Delete the exchange account", {
    asVault: [deleteUser(instance, accountsOf(account))],
    expects: [
      {
        kind: "account_gone",
        address: userAddressOf(instance, account),
      },
    ],
  });
}

/** Returns the step that removes the exchange account's trading key. */
export function planRevokeFrom(instance: DriftInstance, account: VenueAccount): PlanStep {
  return step("Revoke the trading key", {
    // The exchange writes "no delegate" as the all-zero address
    asVault: [updateUserDelegate(instance, accountsOf(account), SYSTEM_PROGRAM)],
    expects: [delegateEffect(instance, account, SYSTEM_PROGRAM)],
  });
}

/** Returns a step without instructions. */
export function emptyStep(label: string): PlanStep {
  return step(label, {});
}
