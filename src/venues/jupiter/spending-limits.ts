import { type Address, getBase16Decoder } from "@solana/kit";
import { remainingToday } from "../../domain/daily-allowance.ts";
import { type Account, ChainUnavailableError } from "../../solana/chain.ts";
import type { FullInstruction } from "../../solana/encoding/instruction.ts";
import {
  type SpendingLimit,
  SPENDING_PERIOD,
  spendingLimitCodec,
} from "../../solana/programs/squads-accounts.ts";
import {
  multisigAddSpendingLimit,
  multisigRemoveSpendingLimit,
  deriveSpendingLimit,
  SQUADS_PROGRAM,
} from "../../solana/programs/squads.ts";
import type { ExpectedEffect } from "../plan-step.ts";
import type { VenueAccount } from "../venue.ts";

/** Largest daily limit in quote base units: a slip of six decimals must not become a permission. */
export const MAX_DAILY_LIMIT = 1_000_000_000_000n;

/** Smallest daily limit in quote base units: 1 USDC. */
export const MIN_DAILY_LIMIT = 1_000_000n;

/** Derives the spending limit of a token. The mint is its create key, so nothing has to be stored. */
export function limitAddress({ multisig }: VenueAccount, mint: Address): Address {
  return deriveSpendingLimit(multisig, mint).address;
}

/**
 * Decodes a spending limit, or returns null where there is none. Throws `ChainUnavailableError` when its content is
 * missing.
 */
export function readLimit(account: Account | null | undefined): SpendingLimit | null {
  if (account == null || account.owner !== SQUADS_PROGRAM) return null;
  try {
    return spendingLimitCodec.decode(account.data);
  } catch (cause) {
    const message = `A node answered spending limit ${account.address} wrongly`;
    throw new ChainUnavailableError(message, { cause });
  }
}

/** Returns whether a limit is exactly ours: this token, daily, only this trading key, only to its own account. */
export function isOurLimit(
  limit: SpendingLimit | null,
  account: VenueAccount,
  mint: Address,
): limit is SpendingLimit {
  return (
    limit !== null &&
    limit.multisig === account.multisig &&
    limit.mint === mint &&
    limit.vaultIndex === 0 &&
    limit.period === SPENDING_PERIOD.day &&
    limit.members.length === 1 &&
    limit.members[0] === account.tradingKey &&
    limit.destinations.length === 1 &&
    limit.destinations[0] === account.tradingKey
  );
}

/** Returns the remaining amount of the current period in the token's base units. `nowSeconds` is Unix time. */
export function remainingOf(limit: SpendingLimit | null, nowSeconds: bigint): bigint {
  if (limit === null) return 0n;
  const isDaily = limit.period === SPENDING_PERIOD.day;
  return isDaily ? remainingToday(limit, nowSeconds) : limit.remainingAmount;
}

/** Adds a daily spending limit in a token's base units for the trading key, only to its own account. */
export function addLimit(account: VenueAccount, mint: Address, amount: bigint): FullInstruction {
  if (amount <= 0n) throw new RangeError("A spending limit must allow something");
  return multisigAddSpendingLimit(
    { multisig: account.multisig, configAuthority: account.owner, rentPayer: account.owner },
    {
      createKey: mint,
      mint,
      amount,
      period: SPENDING_PERIOD.day,
      members: [account.tradingKey],
      destinations: [account.tradingKey],
    },
  );
}

/** Offset of `remainingAmount` in a limit's account, and of the fields after its time and bump. */
const REMAINING_OFFSET = 114;
const MEMBERS_OFFSET = 131;

/**
 * Returns the expected account content after `addLimit`: its size, period, member and destination, not the remaining
 * amount.
 */
export function limitEffects(
  account: VenueAccount,
  mint: Address,
  amount: bigint,
): readonly ExpectedEffect[] {
  const address = limitAddress(account, mint);
  const bytes = spendingLimitCodec.encode({
    multisig: account.multisig,
    createKey: mint,
    vaultIndex: 0,
    mint,
    amount,
    period: SPENDING_PERIOD.day,
    remainingAmount: amount,
    lastReset: 0n,
    bump: 0,
    members: [account.tradingKey],
    destinations: [account.tradingKey],
  });
  const at = (offset: number, end?: number): ExpectedEffect => ({
    kind: "bytes_at",
    address,
    offset,
    hex: getBase16Decoder().decode(bytes.slice(offset, end)),
  });
  return [
    { kind: "account_exists", address, programId: SQUADS_PROGRAM },
    at(0, REMAINING_OFFSET),
    at(MEMBERS_OFFSET),
  ];
}

/** Removes a token's spending limit; its rent returns to the owner. */
export function removeLimit(account: VenueAccount, mint: Address): FullInstruction {
  return multisigRemoveSpendingLimit({
    multisig: account.multisig,
    configAuthority: account.owner,
    spendingLimit: limitAddress(account, mint),
    rentCollector: account.owner,
  });
}

/** Throws unless an amount is a plausible daily limit in quote base units. */
export function requirePlausibleLimit(amount: bigint): void {
  if (amount < MIN_DAILY_LIMIT || amount > MAX_DAILY_LIMIT) {
    throw new RangeError("A daily limit is from 1 to 1,000,000 USDC");
  }
}
