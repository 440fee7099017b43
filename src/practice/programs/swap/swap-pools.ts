import {
  type Address,
  getBooleanCodec,
  getI64Codec,
  getStructCodec,
  getU64Codec,
} from "@solana/kit";
import { addressBytes, addressCodec } from "../../../solana/encoding/address-codec.ts";
import { deriveAddress } from "../../../solana/encoding/pda.ts";
import {
  JUPITER_PRACTICE_INSTANCE,
  JUPITER_PROGRAM,
  quoteToken,
  type SpotAsset,
  type SpotToken,
  tokenAccountOf,
  baseFor,
  valueOf,
} from "../../../venues/jupiter/instance.ts";
import { genesisAccount, genesisMint, genesisTokens } from "../../genesis.ts";
import type { AccountState } from "../../runtime/account-state.ts";
import { WRAPPED_SOL_MINT } from "../../runtime/bytes.ts";

const INSTANCE = JUPITER_PRACTICE_INSTANCE;

/** Quote tokens in the pool at genesis, in base units: 100 million. */
export const QUOTE_POOL = 100_000_000n * 1_000_000n;

/** Whole units of every asset in the pool at genesis; enough that practice trading never empties it. */
const ASSET_POOL = 10_000_000n;

/** Owner of the pool's token accounts. */
export const POOL_AUTHORITY = deriveAddress(JUPITER_PROGRAM, ["practice pool"]);

/** Account that stores whether the practice swap is paused. */
export const SWAP_SETTINGS = deriveAddress(JUPITER_PROGRAM, ["practice settings"]).address;

/** Codec of the settings account. */
export const swapSettingsCodec = getStructCodec([["isPaused", getBooleanCodec()]]);

/** Codec of a price account. Price and confidence with six decimals, time in Unix seconds. */
export const swapPriceCodec = getStructCodec([
  ["mint", addressCodec],
  ["price", getU64Codec()],
  ["confidence", getU64Codec()],
  ["publishedAt", getI64Codec()],
]);

/** Returns the address of an asset's price account. */
export function swapPriceAddress({ mint }: SpotAsset): Address {
  return deriveAddress(JUPITER_PROGRAM, ["practice price", addressBytes(mint)]).address;
}

/** Returns the address of the pool's account of a token. */
export function poolAccount(token: SpotToken): Address {
  return tokenAccountOf(POOL_AUTHORITY.address, token);
}

const isNative = ({ mint }: SpotToken): boolean => mint === WRAPPED_SOL_MINT;

function pool(token: SpotToken, amount: bigint): AccountState {
  const plain = genesisTokens(token.mint, POOL_AUTHORITY.address, amount);
  if (!isNative(token)) return plain;
  // The amount of wrapped SOL is the account's lamports above its rent
  const reserve = plain.lamports;
  const wrapped = genesisTokens(token.mint, POOL_AUTHORITY.address, amount, reserve);
  return { ...wrapped, lamports: reserve + amount };
}

/** Returns the genesis accounts of the practice swap: mints, the pool's tokens, prices, settings. */
export function swapAccounts(): ReadonlyMap<Address, AccountState> {
  const quote = quoteToken(INSTANCE);
  const accounts = new Map<Address, AccountState>([
    [poolAccount(quote), pool(quote, QUOTE_POOL)],
    [
      SWAP_SETTINGS,
      genesisAccount(
        JUPITER_PROGRAM,
        new Uint8Array(swapSettingsCodec.encode({ isPaused: false })),
      ),
    ],
  ]);
  for (const asset of INSTANCE.assets) {
    const amount = ASSET_POOL * 10n ** BigInt(asset.decimals);
    if (!isNative(asset)) accounts.set(asset.mint, genesisMint(asset.decimals, null, amount));
    accounts.set(poolAccount(asset), pool(asset, amount));
    const price = { mint: asset.mint, price: 0n, confidence: 0n, publishedAt: 0n };
    accounts.set(
      swapPriceAddress(asset),
      genesisAccount(JUPITER_PROGRAM, new Uint8Array(swapPriceCodec.encode(price))),
    );
  }
  return accounts;
}

/** Half of the pool's spread around the market price, in millionths. */
const HALF_SPREAD_PPM = 500n;

const PPM = 1_000_000n;

/**
 * Returns the pool's output for an input at a market price, both in base units, rounded in the pool's favour. The price
 * has six decimals; 0 without a price.
 */
export function quoteSwap(asset: SpotAsset, isBuy: boolean, amount: bigint, price: bigint): bigint {
  if (price <= 0n) return 0n;
  const distance = (price * HALF_SPREAD_PPM + PPM - 1n) / PPM;
  return isBuy
    ? baseFor(asset, amount, price + distance)
    : valueOf(asset, amount, price - distance);
}
