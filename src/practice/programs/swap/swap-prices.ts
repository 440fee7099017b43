import type { Address } from "@solana/kit";
import { JUPITER_PRACTICE_INSTANCE } from "../../../venues/jupiter/instance.ts";
import type { PriceSource } from "../../price-source.ts";
import type { AccountState, ReadAccount } from "../../runtime/account-state.ts";
import { swapPriceAddress, swapPriceCodec } from "./swap-pools.ts";

const ASSETS = new Map(
  JUPITER_PRACTICE_INSTANCE.assets.map((asset) => [swapPriceAddress(asset), asset] as const),
);

/** Returns accounts with the swap's price accounts at the market's present prices; nothing is written. */
export function withSwapPrices(
  account: ReadAccount,
  prices: PriceSource,
  nowMs: number,
): ReadAccount {
  const made = new Map<Address, AccountState>();
  return (address) => {
    const asset = ASSETS.get(address);
    if (asset === undefined) return account(address);
    const known = made.get(address);
    if (known !== undefined) return known;
    const state = account(address);
    const quote = prices.quote(asset.marketId, nowMs);
    if (state === undefined || quote === undefined) return state;
    const data = swapPriceCodec.encode({
      mint: asset.mint,
      price: quote.price,
      confidence: quote.confidence,
      publishedAt: BigInt(Math.floor(quote.publishedAtMs / 1_000)),
    });
    const next = { ...state, data: new Uint8Array(data) };
    made.set(address, next);
    return next;
  };
}
