import { type ReadonlyUint8Array, getBase64Codec, getStructCodec } from "@solana/kit";
import { addressCodec } from "../../solana/encoding/address-codec.ts";
import { anchorDiscriminator, anchorStruct, reserved, vec } from "../../solana/encoding/anchor.ts";
import { bool, i128, i64, u128, u16, u32, u64, u8 } from "../../solana/number-codecs.ts";
import { orderActionRecordCodec } from "./order-action-record.ts";

/*
 * Events of the exchange that change a user's balance or positions. Quote amounts have six decimals. Fields after the
 * ones read are ignored. Source: drift-labs/protocol-v2 at 4c9901516, programs/drift/src/state/events.rs
 */

/** What a deposit or withdrawal is read by; the program writes more after it. */
export const depositHead = [
  ["ts", i64],
  ["userAuthority", addressCodec],
  ["user", addressCodec],
  ["direction", u8],
  ["depositRecordId", u64],
  ["amount", u64],
  ["marketIndex", u16],
] as const;

/** What a funding payment is read by. */
export const fundingHead = [
  ["ts", i64],
  ["userAuthority", addressCodec],
  ["user", addressCodec],
  ["marketIndex", u16],
  ["fundingPayment", i64],
] as const;

/** What a settlement of profit or loss is read by. */
export const settlementHead = [
  ["ts", i64],
  ["user", addressCodec],
  ["marketIndex", u16],
  ["pnl", i128],
  ["baseAssetAmount", i64],
  ["quoteAssetAmountAfter", i64],
] as const;

/** Bytes of the parts for perpetuals, spot and borrows, which repeat the fill's figures. */
const OTHER_LIQUIDATIONS = 66 + 60 + 52;

/** The event of each step of a liquidation. */
export const liquidationRecordCodec = anchorStruct("event", "LiquidationRecord", [
  ["ts", i64],
  ["liquidationType", u8],
  ["user", addressCodec],
  ["liquidator", addressCodec],
  ["marginRequirement", u128],
  ["totalCollateral", i128],
  ["marginFreed", u64],
  ["liquidationId", u16],
  ["bankrupt", bool],
  ["canceledOrderIds", vec(u32)],
  ["others", reserved(OTHER_LIQUIDATIONS)],
  [
    "pnlForDeposit",
    getStructCodec([
      ["perpMarketIndex", u16],
      ["marketOraclePrice", i64],
      ["pnlTransfer", u128],
      ["assetMarketIndex", u16],
      ["assetPrice", i64],
      ["assetTransfer", u128],
    ]),
  ],
  [
    "perpBankruptcy",
    getStructCodec([
      ["marketIndex", u16],
      ["pnl", i128],
    ]),
  ],
]);

/** `liquidationType` values that change a balance without a fill. */
export const LIQUIDATION_TYPE = { pnlForDeposit: 3, perpBankruptcy: 4 } as const;

/** `direction` of a deposit record. */
export const DEPOSIT_DIRECTION = { deposit: 0, withdraw: 1 } as const;

/** The events of the exchange that may change a user's balance or positions. */
const EVENTS = [
  ["order", "OrderActionRecord", orderActionRecordCodec],
  ["deposit", "DepositRecord", anchorStruct("event", "DepositRecord", depositHead)],
  ["funding", "FundingPaymentRecord", anchorStruct("event", "FundingPaymentRecord", fundingHead)],
  ["settlement", "SettlePnlRecord", anchorStruct("event", "SettlePnlRecord", settlementHead)],
  ["liquidation", "LiquidationRecord", liquidationRecordCodec],
] as const;

type EventOf<E> = E extends readonly [infer Kind, string, { decode(bytes: never): infer Record }]
  ? { readonly kind: Kind; readonly record: Record }
  : never;

/** An event of the exchange that may change a user's balance or positions. */
export type BookEvent = EventOf<(typeof EVENTS)[number]>;

/**
 * Order events are mostly logged as text; those of triggers and liquidations are logged as data like all other events.
 */
const PREFIX = /^Program (?:log|data): ([A-Za-z0-9+/]{12,}={0,2})$/;
const base64 = getBase64Codec();

const DISCRIMINATOR_BYTES = 8;

const PARSERS = new Map(
  EVENTS.map(([kind, name, codec]) => [
    anchorDiscriminator("event", name).toString(),
    (bytes: ReadonlyUint8Array) => ({ kind, record: codec.decode(bytes) }) as BookEvent,
  ]),
);

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
