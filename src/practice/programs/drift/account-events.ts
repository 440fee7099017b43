import type { Address } from "@solana/kit";
import {
  getI64Codec,
  getNullableCodec,
  getStructCodec,
  getU128Codec,
  getU16Codec,
  getU32Codec,
  getU64Codec,
  getU8Codec,
} from "@solana/kit";
import { addressCodec } from "../../../solana/encoding/address-codec.ts";
import {
  anchorDiscriminator,
  reserved,
  withDiscriminator,
} from "../../../solana/encoding/anchor.ts";
import type { DriftSpotMarket } from "../../../venues/drift/layout-spot-market.ts";
import type { DriftUser } from "../../../venues/drift/layout-user.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import type { Loaded } from "../anchor.ts";

const newUserCodec = withDiscriminator(
  anchorDiscriminator("event", "NewUserRecord"),
  getStructCodec([
    ["ts", getI64Codec()],
    ["userAuthority", addressCodec],
    ["user", addressCodec],
    ["subAccountId", getU16Codec()],
    ["name", reserved(32)],
    ["referrer", addressCodec],
  ]),
);

const depositCodec = withDiscriminator(
  anchorDiscriminator("event", "DepositRecord"),
  getStructCodec([
    ["ts", getI64Codec()],
    ["userAuthority", addressCodec],
    ["user", addressCodec],
    ["direction", getU8Codec()],
    ["depositRecordId", getU64Codec()],
    ["amount", getU64Codec()],
    ["marketIndex", getU16Codec()],
    ["oraclePrice", getI64Codec()],
    ["marketDepositBalance", getU128Codec()],
    ["marketWithdrawBalance", getU128Codec()],
    ["marketCumulativeDepositInterest", getU128Codec()],
    ["marketCumulativeBorrowInterest", getU128Codec()],
    ["totalDepositsAfter", getU64Codec()],
    ["totalWithdrawsAfter", getU64Codec()],
    ["explanation", getU8Codec()],
    ["transferUser", getNullableCodec(addressCodec)],
  ]),
);

const interestCodec = withDiscriminator(
  anchorDiscriminator("event", "SpotInterestRecord"),
  getStructCodec([
    ["ts", getI64Codec()],
    ["marketIndex", getU16Codec()],
    ["depositBalance", getU128Codec()],
    ["cumulativeDepositInterest", getU128Codec()],
    ["borrowBalance", getU128Codec()],
    ["cumulativeBorrowInterest", getU128Codec()],
    ["optimalUtilization", getU32Codec()],
    ["optimalBorrowRate", getU32Codec()],
    ["maxBorrowRate", getU32Codec()],
  ]),
);

/** Logs the creation of a sub-account. */
export function emitNewUser(
  context: InstructionContext,
  user: Pick<Loaded<DriftUser>, "address" | "value">,
  referrer: Address,
): void {
  const { authority, subAccountId, name } = user.value;
  const record = { userAuthority: authority, user: user.address, subAccountId, name, referrer };
  context.logData(new Uint8Array(newUserCodec.encode({ ts: context.time.unixTime, ...record })));
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
  context.logData(
    new Uint8Array(
      depositCodec.encode({
        ts: context.time.unixTime,
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
      }),
    ),
  );
}

/** Price of the quote asset, six decimals: one by definition. */
export const QUOTE_PRICE = 1_000_000n;

/** Logs the interest added to a market's deposits and borrows. */
export function emitInterest(context: InstructionContext, market: DriftSpotMarket): void {
  context.logData(new Uint8Array(interestCodec.encode({ ts: context.time.unixTime, ...market })));
}
