import { getAddressCodec, getStructCodec } from "@solana/kit";
import { i128, i64, u16, u8 } from "../../../solana/number-codecs.ts";
import type { Address } from "@solana/kit";
import { anchorDiscriminator, withDiscriminator } from "../../../solana/encoding/anchor.ts";
import type { DriftPerpPosition } from "../../../venues/drift/layout-user.ts";
import type { InstructionContext } from "../../runtime/program.ts";

const settlePnlRecord = withDiscriminator(
  anchorDiscriminator("event", "SettlePnlRecord"),
  getStructCodec([
    ["ts", i64],
    ["user", getAddressCodec()],
    ["marketIndex", u16],
    ["pnl", i128],
    ["baseAssetAmount", i64],
    ["quoteAssetAmountAfter", i64],
    ["quoteEntryAmount", i64],
    ["settlePrice", i64],
    ["explanation", u8],
  ]),
);

/** Logs the settlement of a position's PnL and its price. */
export function emitSettlement(
  context: InstructionContext,
  user: Address,
  position: DriftPerpPosition,
  settled: { readonly pnl: bigint; readonly price: bigint },
): void {
  const record = settlePnlRecord.encode({
    ts: context.time.unixTime,
    user,
    marketIndex: position.marketIndex,
    pnl: settled.pnl,
    baseAssetAmount: position.baseAssetAmount,
    quoteAssetAmountAfter: position.quoteAssetAmount,
    quoteEntryAmount: position.quoteEntryAmount,
    settlePrice: settled.price,
    explanation: 0,
  });
  context.logData(new Uint8Array(record));
}
