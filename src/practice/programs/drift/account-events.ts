import type { Address, Encoder } from "@solana/kit";
import { getNullableCodec } from "@solana/kit";
import { addressCodec } from "../../../solana/encoding/address-codec.ts";
import { anchorStruct, reserved } from "../../../solana/encoding/anchor.ts";
import { i64, u128, u16, u32, u64, u8 } from "../../../solana/number-codecs.ts";
import { depositHead } from "../../../venues/drift/book-events.ts";
import type { DriftSpotMarket } from "../../../venues/drift/layout-spot-market.ts";
import type { DriftUser } from "../../../venues/drift/layout-user.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import type { Loaded } from "../anchor.ts";

const newUserCodec = anchorStruct("event", "NewUserRecord", [
  ["ts", i64],
  ["userAuthority", addressCodec],
  ["user", addressCodec],
  ["subAccountId", u16],
  ["name", reserved(32)],
  ["referrer", addressCodec],
]);

const depositCodec = anchorStruct("event", "DepositRecord", [
  ...depositHead,
  ["oraclePrice", i64],
  ["marketDepositBalance", u128],
  ["marketWithdrawBalance", u128],
  ["marketCumulativeDepositInterest", u128],
  ["marketCumulativeBorrowInterest", u128],
  ["totalDepositsAfter", u64],
  ["totalWithdrawsAfter", u64],
  ["explanation", u8],
  ["transferUser", getNullableCodec(addressCodec)],
]);

const interestCodec = anchorStruct("event", "SpotInterestRecord", [
  ["ts", i64],
  ["marketIndex", u16],
  ["depositBalance", u128],
  ["cumulativeDepositInterest", u128],
  ["borrowBalance", u128],
  ["cumulativeBorrowInterest", u128],
  ["optimalUtilization", u32],
  ["optimalBorrowRate", u32],
  ["maxBorrowRate", u32],
]);

/** Logs an event with its time, which its fields begin with. */
export function emit<T extends { ts: bigint }>(
  context: InstructionContext,
  codec: Encoder<T>,
  record: Omit<T, "ts">,
): void {
  const timed = { ts: context.time.unixTime, ...record } as T;
  context.logData(new Uint8Array(codec.encode(timed)));
}

/** Logs the creation of a sub-account. */
export function emitNewUser(
  context: InstructionContext,
  user: Pick<Loaded<DriftUser>, "address" | "value">,
  referrer: Address,
): void {
  const { authority, subAccountId, name } = user.value;
  const record = { userAuthority: authority, user: user.address, subAccountId, name, referrer };
  emit(context, newUserCodec, record);
}

/** Explanation of a deposit or withdrawal: for the account's own balance, or for its debt. */
export const DEPOSIT_EXPLANATION = { none: 0, borrow: 2, repayBorrow: 3 } as const;

/** Logs a deposit or withdrawal. */
export function emitDeposit(
  context: InstructionContext,
  user: Loaded<DriftUser>,
  market: DriftSpotMarket,
  fields: { direction: 0 | 1; amount: bigint; explanation: number; depositRecordId: bigint },
): void {
  emit(context, depositCodec, {
    userAuthority: user.value.authority,
    user: user.address,
    marketIndex: market.marketIndex,
    oraclePrice: QUOTE_PRICE,
    marketDepositBalance: market.depositBalance,
    marketWithdrawBalance: market.borrowBalance,
    marketCumulativeDepositInterest: market.cumulativeDepositInterest,
    marketCumulativeBorrowInterest: market.cumulativeBorrowInterest,
    totalDepositsAfter: user.value.totalDeposits,
    totalWithdrawsAfter: user.value.totalWithdraws,
    transferUser: null,
    ...fields,
  });
}

/** Price of the quote asset, six decimals: one by definition. */
export const QUOTE_PRICE = 1_000_000n;

/** Logs the interest added to a market's deposits and borrows. */
export function emitInterest(context: InstructionContext, market: DriftSpotMarket): void {
  emit(context, interestCodec, market);
}
