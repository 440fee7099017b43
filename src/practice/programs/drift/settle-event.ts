import {
  getAddressCodec,
  getI64Codec,
  getI128Codec,
  getStructCodec,
  getU16Codec,
  getU8Codec,
} from "@solana/kit";
import type { Address } from "@solana/kit";
import { anchorDiscriminator, withDiscriminator } from "../../../solana/encoding/anchor.ts";
import type { DriftPerpPosition } from "../../../venues/drift/layout-user.ts";
import type { InstructionContext } from "../../runtime/program.ts";

const settlePnlRecord = withDiscriminator(
  anchorDiscriminator("event", "SettlePnlRecord"),
  getStructCodec([
    ["ts", getI64Codec()],
    ["user", getAddressCodec()],
    ["marketIndex", getU16Codec()],
    ["pnl", getI128Codec()],
    ["baseAssetAmount", getI64Codec()],
    ["quoteAssetAmountAfter", getI64Codec()],
    ["quoteEntryAmount", getI64Codec()],
    ["settlePrice", getI64Codec()],
    ["explanation", getU8Codec()],
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
