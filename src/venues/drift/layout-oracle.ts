import {
  getAddressCodec,
  getI32Codec,
  getI64Codec,
  getStructCodec,
  getU64Codec,
  getU8Codec,
} from "@solana/kit";
import { accountLayout, reserved } from "../../solana/anchor.ts";

/** `verificationLevel` of a fully verified price. */
export const FULLY_VERIFIED = 1;

/**
 * A pulled Pyth price, 134 bytes, the last of them spare. The true price is `price` times ten to the power of `exponent`;
 * `publishTime` is in Unix seconds.
 */
export const priceUpdateLayout = accountLayout(
  "PriceUpdateV2",
  getStructCodec([
    ["writeAuthority", getAddressCodec()],
    ["verificationLevel", getU8Codec()],
    ["feedId", reserved(32)],
    ["price", getI64Codec()],
    ["conf", getU64Codec()],
    ["exponent", getI32Codec()],
    ["publishTime", getI64Codec()],
    ["prevPublishTime", getI64Codec()],
    ["emaPrice", getI64Codec()],
    ["emaConf", getU64Codec()],
    ["postedSlot", getU64Codec()],
    ["spare", reserved(1)],
  ]),
);

/** A pulled price as its account stores it. */
export type PriceUpdate = ReturnType<typeof priceUpdateLayout.decode>;
