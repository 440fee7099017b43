import { address } from "@solana/kit";
import { addressCodec } from "../encoding/address-codec.ts";
import { accountLayout, reserved } from "../encoding/anchor.ts";
import { struct } from "../encoding/in-place.ts";
import { i32, i64, u64, u8 } from "../number-codecs.ts";

/** Pyth's receiver program, which checks a price before it writes it. */
export const PYTH_RECEIVER = address("rec5EKMGg6MxZYaMdyBfgwp4d5rB9T1VQH5pJv5LtFJ");

/** `verificationLevel` of a fully verified price. */
export const FULLY_VERIFIED = 1;

/**
 * A Pyth pull price account, 134 bytes, the last of them spare. The true price is `price` times ten to the power of
 * `exponent`; `publishTime` is in Unix seconds.
 */
export const priceUpdateLayout = accountLayout(
  "PriceUpdateV2",
  struct([
    ["writeAuthority", addressCodec],
    ["verificationLevel", u8],
    ["feedId", reserved(32)],
    ["price", i64],
    ["conf", u64],
    ["exponent", i32],
    ["publishTime", i64],
    ["prevPublishTime", i64],
    ["emaPrice", i64],
    ["emaConf", u64],
    ["postedSlot", u64],
    ["spare", reserved(1)],
  ]),
);

/** A Pyth pull price as its account stores it. */
export type PriceUpdate = ReturnType<typeof priceUpdateLayout.decode>;
