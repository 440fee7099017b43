import type { AccountMeta, Address } from "@solana/kit";
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
import { driftArguments } from "./instruction-arguments.ts";
import {
  type DriftIds,
  deriveSigner,
  deriveSpotMarketVault,
  deriveState,
  deriveUser,
  deriveUserStats,
} from "./pdas.ts";

/** A sub-account and its signer: the authority or, for trading, the delegate. */
export interface UserAccounts {
  readonly authority: Address;
  readonly subAccountId: number;
}

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

/** Creates the authority's statistics account; the authority pays its rent. */
export function initializeUserStats(ids: DriftIds, authority: Address): FullInstruction {
  return instruction(
    ids.programId,
    [
      writable(deriveUserStats(ids, authority)),
      writable(deriveState(ids)),
      signer(authority),
      writableSigner(authority),
      readonly(RENT_SYSVAR),
      readonly(SYSTEM_PROGRAM),
    ],
    driftArguments.initializeUserStats.encode(),
  );
}

/** Creates a sub-account; the authority pays its rent. Numbers are used once and in order. */
export function initializeUser(ids: DriftIds, user: UserAccounts, name: string): FullInstruction {
  return instruction(
    ids.programId,
    [
      writable(deriveUser(ids, user.authority, user.subAccountId)),
      writable(deriveUserStats(ids, user.authority)),
      writable(deriveState(ids)),
      signer(user.authority),
      writableSigner(user.authority),
      readonly(RENT_SYSVAR),
      readonly(SYSTEM_PROGRAM),
    ],
    driftArguments.initializeUser.encode({
      subAccountId: user.subAccountId,
      name: encodeUserName(name),
    }),
  );
}

/** Sets the delegate of a sub-account, which may trade but not withdraw. */
export function updateUserDelegate(
  ids: DriftIds,
  user: UserAccounts,
  delegate: Address,
): FullInstruction {
  return instruction(
    ids.programId,
    [writable(deriveUser(ids, user.authority, user.subAccountId)), signer(user.authority)],
    driftArguments.updateUserDelegate.encode({ subAccountId: user.subAccountId, delegate }),
  );
}

/**
 * Initial margin ratio that a set-up gives the account, in ten-thousandths: orders are placed for at most twice its
 * collateral. The exchange's own is 2,000, five times. Orders here are at most once the collateral; the rest is room for
 * a price that moves between building and placing.
 */
export const OWN_MARGIN_RATIO = 5_000;

/**
 * Sets a sub-account's own initial margin ratio in ten-thousandths, which only the authority can change. New orders and
 * withdrawals then need at least that margin; closing, filling and liquidation do not look at it.
 */
export function updateUserCustomMarginRatio(
  ids: DriftIds,
  user: UserAccounts,
  marginRatio: number,
): FullInstruction {
  return instruction(
    ids.programId,
    [writable(deriveUser(ids, user.authority, user.subAccountId)), signer(user.authority)],
    driftArguments.updateUserCustomMarginRatio.encode({
      subAccountId: user.subAccountId,
      marginRatio,
    }),
  );
}

/** Renames a sub-account. */
export function updateUserName(ids: DriftIds, user: UserAccounts, name: string): FullInstruction {
  return instruction(
    ids.programId,
    [writable(deriveUser(ids, user.authority, user.subAccountId)), signer(user.authority)],
    driftArguments.updateUserName.encode({
      subAccountId: user.subAccountId,
      name: encodeUserName(name),
    }),
  );
}

/** A movement of tokens between the authority's token account and the exchange. Amount in base units. */
export interface TokenMove {
  readonly spotMarketIndex: number;
  readonly tokenAccount: Address;
  readonly amount: bigint;
  readonly reduceOnly?: boolean;
  readonly markets: MarketAccounts;
}

/** Deposits tokens to the exchange. */
export function deposit(ids: DriftIds, user: UserAccounts, move: TokenMove): FullInstruction {
  return instruction(
    ids.programId,
    [
      readonly(deriveState(ids)),
      writable(deriveUser(ids, user.authority, user.subAccountId)),
      writable(deriveUserStats(ids, user.authority)),
      signer(user.authority),
      writable(deriveSpotMarketVault(ids, move.spotMarketIndex)),
      writable(move.tokenAccount),
      readonly(TOKEN_PROGRAM),
      ...remaining(move.markets),
    ],
    driftArguments.deposit.encode({
      marketIndex: move.spotMarketIndex,
      amount: move.amount,
      reduceOnly: move.reduceOnly ?? false,
    }),
  );
}

/** Withdraws tokens. Needs the markets of every open position and open order as accounts. */
export function withdraw(ids: DriftIds, user: UserAccounts, move: TokenMove): FullInstruction {
  return instruction(
    ids.programId,
    [
      readonly(deriveState(ids)),
      writable(deriveUser(ids, user.authority, user.subAccountId)),
      writable(deriveUserStats(ids, user.authority)),
      signer(user.authority),
      writable(deriveSpotMarketVault(ids, move.spotMarketIndex)),
      readonly(deriveSigner(ids)),
      writable(move.tokenAccount),
      readonly(TOKEN_PROGRAM),
      ...remaining(move.markets),
    ],
    driftArguments.withdraw.encode({
      marketIndex: move.spotMarketIndex,
      amount: move.amount,
      reduceOnly: move.reduceOnly ?? false,
    }),
  );
}

/** Deletes an empty sub-account; its rent goes to the authority. */
export function deleteUser(ids: DriftIds, user: UserAccounts): FullInstruction {
  return instruction(
    ids.programId,
    [
      writable(deriveUser(ids, user.authority, user.subAccountId)),
      writable(deriveUserStats(ids, user.authority)),
      writable(deriveState(ids)),
      writableSigner(user.authority),
    ],
    driftArguments.deleteUser.encode(),
  );
}
