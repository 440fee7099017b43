import {
  type ReadonlyUint8Array,
  getArrayCodec,
  getBase64Codec,
  getBooleanCodec,
  getI128Codec,
  getI64Codec,
  getStructCodec,
  getU128Codec,
  getU16Codec,
  getU32Codec,
  getU64Codec,
  getU8Codec,
} from "@solana/kit";
import { addressCodec } from "../../solana/encoding/address-codec.ts";
import { anchorDiscriminator, reserved, withDiscriminator } from "../../solana/encoding/anchor.ts";
import { orderActionRecordCodec } from "./order-action-record.ts";

/*
 * Events of the exchange that change a user's balance or positions. Quote amounts have six decimals. Fields after the
 * ones read are ignored. Source: drift-labs/protocol-v2 at 4c9901516, programs/drift/src/state/events.rs
 */

const deposit = withDiscriminator(
  anchorDiscriminator("event", "DepositRecord"),
  getStructCodec([
    ["ts", getI64Codec()],
    ["userAuthority", addressCodec],
    ["user", addressCodec],
    ["direction", getU8Codec()],
    ["depositRecordId", getU64Codec()],
    ["amount", getU64Codec()],
    ["marketIndex", getU16Codec()],
  ]),
);

const funding = withDiscriminator(
  anchorDiscriminator("event", "FundingPaymentRecord"),
  getStructCodec([
    ["ts", getI64Codec()],
    ["userAuthority", addressCodec],
    ["user", addressCodec],
    ["marketIndex", getU16Codec()],
    ["fundingPayment", getI64Codec()],
  ]),
);

const settlement = withDiscriminator(
  anchorDiscriminator("event", "SettlePnlRecord"),
  getStructCodec([
    ["ts", getI64Codec()],
    ["user", addressCodec],
    ["marketIndex", getU16Codec()],
    ["pnl", getI128Codec()],
    ["baseAssetAmount", getI64Codec()],
    ["quoteAssetAmountAfter", getI64Codec()],
  ]),
);

/** Bytes of the parts for perpetuals, spot and borrows, which repeat the fill's figures. */
const OTHER_LIQUIDATIONS = 66 + 60 + 52;

/** The event of each step of a liquidation. */
export const liquidationRecordCodec = withDiscriminator(
  anchorDiscriminator("event", "LiquidationRecord"),
  getStructCodec([
    ["ts", getI64Codec()],
    ["liquidationType", getU8Codec()],
    ["user", addressCodec],
    ["liquidator", addressCodec],
    ["marginRequirement", getU128Codec()],
    ["totalCollateral", getI128Codec()],
    ["marginFreed", getU64Codec()],
    ["liquidationId", getU16Codec()],
    ["bankrupt", getBooleanCodec()],
    ["canceledOrderIds", getArrayCodec(getU32Codec(), { size: getU32Codec() })],
    ["others", reserved(OTHER_LIQUIDATIONS)],
    [
      "pnlForDeposit",
      getStructCodec([
        ["perpMarketIndex", getU16Codec()],
        ["marketOraclePrice", getI64Codec()],
        ["pnlTransfer", getU128Codec()],
        ["assetMarketIndex", getU16Codec()],
        ["assetPrice", getI64Codec()],
        ["assetTransfer", getU128Codec()],
      ]),
    ],
    [
      "perpBankruptcy",
      getStructCodec([
        ["marketIndex", getU16Codec()],
        ["pnl", getI128Codec()],
      ]),
    ],
  ]),
);

/** `liquidationType` values that change a balance without a fill. */
export const LIQUIDATION_TYPE = { pnlForDeposit: 3, perpBankruptcy: 4 } as const;

/** `direction` of a deposit record. */
export const DEPOSIT_DIRECTION = { deposit: 0, withdraw: 1 } as const;

type Decoded<C extends { decode(bytes: ReadonlyUint8Array): unknown }> = ReturnType<C["decode"]>;

/** An event of the exchange that may change a user's balance or positions. */
export type BookEvent =
  | { readonly kind: "order"; readonly record: Decoded<typeof orderActionRecordCodec> }
  | { readonly kind: "deposit"; readonly record: Decoded<typeof deposit> }
  | { readonly kind: "funding"; readonly record: Decoded<typeof funding> }
  | { readonly kind: "settlement"; readonly record: Decoded<typeof settlement> }
  | { readonly kind: "liquidation"; readonly record: Decoded<typeof liquidationRecordCodec> };

/**
 * Order events are mostly logged as text; those of triggers and liquidations are logged as data like all other events.
 */
const PREFIX = /^Program (?:log|data): ([A-Za-z0-9+/]{12,}={0,2})$/;
const base64 = getBase64Codec();

const DISCRIMINATOR_BYTES = 8;
const discriminatorOf = (name: string): string => anchorDiscriminator("event", name).toString();

const PARSERS = new Map<string, (bytes: ReadonlyUint8Array) => BookEvent>([
  [
    discriminatorOf("OrderActionRecord"),
    (bytes) => ({ kind: "order", record: orderActionRecordCodec.decode(bytes) }),
  ],
  [
    discriminatorOf("DepositRecord"),
    (bytes) => ({ kind: "deposit", record: deposit.decode(bytes) }),
  ],
  [
    discriminatorOf("FundingPaymentRecord"),
    (bytes) => ({ kind: "funding", record: funding.decode(bytes) }),
  ],
  [
    discriminatorOf("SettlePnlRecord"),
    (bytes) => ({ kind: "settlement", record: settlement.decode(bytes) }),
  ],
  [
    discriminatorOf("LiquidationRecord"),
    (bytes) => ({ kind: "liquidation", record: liquidationRecordCodec.decode(bytes) }),
  ],
]);

/**
 * Returns the event of a line the exchange logged, or undefined for any other line.
 *
 * Throws when one of these events cannot be decoded: its amounts would silently be missing from the ledger.
 */
export function parseBookEvent(line: string): BookEvent | undefined {
  const text = PREFIX.exec(line)?.[1];
  if (text === undefined || text.length % 4 !== 0) return undefined;
  const bytes = base64.encode(text);
  const parse = PARSERS.get(bytes.slice(0, DISCRIMINATOR_BYTES).toString());
  return parse?.(bytes);
}
