import type { AccountMeta, Address, Encoder } from "@solana/kit";
import {
  type FullInstruction,
  instruction,
  readonly,
  signer,
  writable,
  writableSigner,
} from "../../solana/encoding/instruction.ts";
import { utf8 } from "../../solana/encoding/pda.ts";
import { RENT_SYSVAR, SYSTEM_PROGRAM } from "../../solana/programs/system.ts";
import { TOKEN_PROGRAM } from "../../solana/programs/token.ts";
import type { VenueAccount } from "../venue.ts";
import { driftArguments, type OrderChange, type OrderParams } from "./instruction-arguments.ts";
import {
  type DriftIds,
  deriveSigner,
  deriveSpotMarketVault,
  deriveState,
  deriveUser,
  deriveUserStats,
} from "./pdas.ts";

/** A sub-account of an authority. */
export interface UserAccounts {
  readonly authority: Address;
  readonly subAccountId: number;
}

/** Returns the sub-account of an agent. */
export const accountsOf = ({ vault, subAccountId }: VenueAccount): UserAccounts => ({
  authority: vault,
  subAccountId,
});

/**
 * Oracles, spot markets and perpetual markets an instruction needs as accounts, in that order. `otherMarkets` are only
 * read: the account has something in them that the instruction leaves alone.
 */
export interface MarketAccounts {
  readonly oracles: readonly Address[];
  readonly spotMarkets: readonly Address[];
  readonly perpMarkets: readonly Address[];
  readonly otherMarkets?: readonly Address[];
}

/** Returns the accounts of markets in the order the program reads them; read-only or writable as `market` makes them. */
export const remaining = (
  { oracles, spotMarkets, perpMarkets, otherMarkets = [] }: MarketAccounts,
  market: (address: Address) => AccountMeta = writable,
): AccountMeta[] => [
  ...oracles.map(readonly),
  ...spotMarkets.map(market),
  ...perpMarkets.map(market),
  ...otherMarkets.map(readonly),
];

/** Returns a sub-account's 32-byte name: UTF-8, truncated at a whole character, padded with spaces. */
export function encodeUserName(name: string): Uint8Array {
  let text = "";
  for (const character of name) {
    if (utf8(text + character).length > 32) break;
    text += character;
  }
  const bytes = new Uint8Array(32).fill(0x20);
  bytes.set(utf8(text));
  return bytes;
}

type DriftMethod = keyof typeof driftArguments;

const call = <M extends DriftMethod>(
  ids: DriftIds,
  method: M,
  accounts: readonly AccountMeta[],
  args: ReturnType<(typeof driftArguments)[M]["decode"]>,
): FullInstruction =>
  instruction(
    ids.programId,
    accounts,
    (driftArguments[method] as Encoder<typeof args>).encode(args),
  );

const userOf = (ids: DriftIds, { authority, subAccountId }: UserAccounts): AccountMeta =>
  writable(deriveUser(ids, authority, subAccountId));
const statsOf = (ids: DriftIds, authority: Address): AccountMeta =>
  writable(deriveUserStats(ids, authority));

/** Creates the authority's statistics account; the authority pays its rent. */
export const initializeUserStats = (ids: DriftIds, authority: Address): FullInstruction =>
  call(
    ids,
    "initializeUserStats",
    [
      statsOf(ids, authority),
      writable(deriveState(ids)),
      signer(authority),
      writableSigner(authority),
      readonly(RENT_SYSVAR),
      readonly(SYSTEM_PROGRAM),
    ],
    {},
  );

/** Creates a sub-account; the authority pays its rent. Numbers are used once and in order. */
export const initializeUser = (ids: DriftIds, user: UserAccounts, name: string): FullInstruction =>
  call(
    ids,
    "initializeUser",
    [
      userOf(ids, user),
      statsOf(ids, user.authority),
      writable(deriveState(ids)),
      signer(user.authority),
      writableSigner(user.authority),
      readonly(RENT_SYSVAR),
      readonly(SYSTEM_PROGRAM),
    ],
    { subAccountId: user.subAccountId, name: encodeUserName(name) },
  );

const owned = (ids: DriftIds, user: UserAccounts) => [userOf(ids, user), signer(user.authority)];

/** Sets the delegate of a sub-account, which may trade but not withdraw. */
export const updateUserDelegate = (
  ids: DriftIds,
  user: UserAccounts,
  delegate: Address,
): FullInstruction =>
  call(ids, "updateUserDelegate", owned(ids, user), { subAccountId: user.subAccountId, delegate });

/**
 * Returns the initial margin ratio that an account gets for a leverage, in ten-thousandths: orders are placed for at most
 * once more than the leverage of its collateral, twice without leverage. The exchange's own is 2,000, five times. Orders
 * here are at most the leverage of the collateral; the rest is room for a price that moves between building and placing.
 */
export const ownMarginRatio = (leverage: number): number => Math.floor(10_000 / (leverage + 1));

/** Returns the leverage that an account's own margin ratio leaves that room for; absent where it has none. */
export const leverageOfRatio = (ratio: number): number | undefined =>
  ratio === 0 ? undefined : Math.max(1, Math.floor(10_000 / ratio) - 1);

/**
 * Sets a sub-account's own initial margin ratio in ten-thousandths, which only the authority can change. New orders and
 * withdrawals then need at least that margin; closing, filling and liquidation do not look at it.
 */
export function updateUserCustomMarginRatio(
  ids: DriftIds,
  user: UserAccounts,
  marginRatio: number,
): FullInstruction {
  const { subAccountId } = user;
  const args = { subAccountId, marginRatio };
  return call(ids, "updateUserCustomMarginRatio", owned(ids, user), args);
}

/** Renames a sub-account. */
export function updateUserName(ids: DriftIds, user: UserAccounts, name: string): FullInstruction {
  const args = { subAccountId: user.subAccountId, name: encodeUserName(name) };
  return call(ids, "updateUserName", owned(ids, user), args);
}

/** A movement of tokens between the authority's token account and the exchange. Amount in base units. */
export interface TokenMove {
  readonly spotMarketIndex: number;
  readonly tokenAccount: Address;
  readonly amount: bigint;
  readonly reduceOnly?: boolean;
  readonly markets: MarketAccounts;
}

const tokenMove = (
  method: "deposit" | "withdraw",
  ids: DriftIds,
  user: UserAccounts,
  { spotMarketIndex, tokenAccount, amount, reduceOnly = false, markets }: TokenMove,
): FullInstruction =>
  call(
    ids,
    method,
    [
      readonly(deriveState(ids)),
      userOf(ids, user),
      statsOf(ids, user.authority),
      signer(user.authority),
      writable(deriveSpotMarketVault(ids, spotMarketIndex)),
      ...(method === "withdraw" ? [readonly(deriveSigner(ids))] : []),
      writable(tokenAccount),
      readonly(TOKEN_PROGRAM),
      ...remaining(markets),
    ],
    { marketIndex: spotMarketIndex, amount, reduceOnly },
  );

/** Deposits tokens to the exchange. */
export const deposit = (ids: DriftIds, user: UserAccounts, move: TokenMove): FullInstruction =>
  tokenMove("deposit", ids, user, move);

/** Withdraws tokens. Needs the markets of every open position and open order as accounts. */
export const withdraw = (ids: DriftIds, user: UserAccounts, move: TokenMove): FullInstruction =>
  tokenMove("withdraw", ids, user, move);

/** Deletes an empty sub-account; its rent goes to the authority. */
export const deleteUser = (ids: DriftIds, user: UserAccounts): FullInstruction =>
  call(
    ids,
    "deleteUser",
    [
      userOf(ids, user),
      statsOf(ids, user.authority),
      writable(deriveState(ids)),
      writableSigner(user.authority),
    ],
    {},
  );

/** Accounts of a call on a user's orders. `by` is the authority or the delegate. */
const traded = (ids: DriftIds, user: UserAccounts, by: Address, others: readonly AccountMeta[]) => [
  readonly(deriveState(ids)),
  userOf(ids, user),
  signer(by),
  ...others,
];

/** Places an order without filling it. `by` is the authority or the delegate. */
export const placePerpOrder = (
  ids: DriftIds,
  user: UserAccounts,
  by: Address,
  params: OrderParams,
  markets: MarketAccounts,
): FullInstruction =>
  call(ids, "placePerpOrder", traded(ids, user, by, remaining(markets)), params);

/** Places an order and fills it as far as possible in the same instruction. `by` is the authority or the delegate. */
export const placeAndTakePerpOrder = (
  ids: DriftIds,
  user: UserAccounts,
  by: Address,
  params: OrderParams,
  markets: MarketAccounts,
): FullInstruction =>
  call(
    ids,
    "placeAndTakePerpOrder",
    [
      readonly(deriveState(ids)),
      userOf(ids, user),
      statsOf(ids, user.authority),
      signer(by),
      ...remaining(markets),
    ],
    { params, successCondition: null },
  );

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
  const own = [userOf(ids, user), statsOf(ids, user.authority)];
  const accounts = [readonly(deriveState(ids)), signer(by), ...own, ...own, ...remaining(markets)];
  return call(ids, "fillPerpOrder", accounts, { orderId, makerOrderId: null });
}

/** Cancels every open order, also one placed after the account was read. `by` is the authority or the delegate. */
export function cancelOrders(
  ids: DriftIds,
  user: UserAccounts,
  by: Address,
  markets: MarketAccounts,
): FullInstruction {
  const all = { marketType: null, marketIndex: null, direction: null };
  return call(ids, "cancelOrders", traded(ids, user, by, remaining(markets)), all);
}

/** Cancels these orders; one that is no longer open is passed over. `by` is the authority or the delegate. */
export function cancelOrdersByIds(
  ids: DriftIds,
  user: UserAccounts,
  by: Address,
  orderIds: readonly number[],
  markets: MarketAccounts,
): FullInstruction {
  const named = { orderIds: [...orderIds] };
  return call(ids, "cancelOrdersByIds", traded(ids, user, by, remaining(markets)), named);
}

/**
 * Changes the order with this number of the user's own: the program cancels it and places it anew under a new id. `by` is
 * the authority or the delegate.
 */
export const modifyOrderByUserId = (
  ids: DriftIds,
  user: UserAccounts,
  by: Address,
  userOrderId: number,
  change: OrderChange,
  markets: MarketAccounts,
): FullInstruction =>
  call(ids, "modifyOrderByUserId", traded(ids, user, by, remaining(markets)), {
    userOrderId,
    change,
  });

/** Settles a market's realized PnL into collateral; anyone may sign. */
export function settlePnl(
  ids: DriftIds,
  user: UserAccounts,
  by: Address,
  marketIndex: number,
  spotMarketIndex: number,
  markets: MarketAccounts,
): FullInstruction {
  const others = [readonly(deriveSpotMarketVault(ids, spotMarketIndex)), ...remaining(markets)];
  return call(ids, "settlePnl", traded(ids, user, by, others), { marketIndex });
}
