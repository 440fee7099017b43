import { accountLayout, reserved } from "../../solana/encoding/anchor.ts";
import { struct } from "../../solana/encoding/in-place.ts";
import { i32, i64, u64 } from "../../solana/number-codecs.ts";

/**
 * A Pyth Lazer price account owned by the exchange, 48 bytes. The true price is `price` times ten to the power of
 * `exponent`; `publishTime` is in Unix microseconds.
 */
export const lazerPriceLayout = accountLayout(
  "PythLazerOracle",
  struct([
    ["price", i64],
    ["publishTime", u64],
    ["postedSlot", u64],
    ["exponent", i32],
    ["padding", reserved(4)],
    ["conf", u64],
  ]),
);
