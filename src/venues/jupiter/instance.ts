import { type Address, address } from "@solana/kit";
import {
  associatedTokenAddress,
  ASSOCIATED_TOKEN_PROGRAM,
} from "../../solana/programs/associated-token.ts";
import {
  MINTS,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from "../../solana/programs/token.ts";
import type { VaultAsset, VenueInstance } from "../venue.ts";
import { jupiter } from "./profile.ts";
import { SQUADS_PROGRAM } from "../../solana/programs/squads.ts";
import { SYSTEM_PROGRAM } from "../../solana/programs/system.ts";

/** A token a vault can hold, including the quote token. */
export type SpotToken = Omit<VaultAsset, "marketId">;

/** An asset traded against the quote token. */
export type SpotAsset = VaultAsset;

/** A deployment of the swap venue: program, tokens and the size of new spending limits. */
export interface JupiterInstance extends VenueInstance {
  readonly assets: readonly SpotAsset[];
  /** Daily spending limit of a new agent's trading key, quote base units. */
  readonly dailyLimit: bigint;
}

/** Address of Jupiter's swap program. Source: jup-ag/docs, swap/build */
export const JUPITER_PROGRAM = address("JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4");

/** Slippage limit of an owner's own sale against its quote, and of its quote against the market price: 1 %. */
export const SALE_SLIPPAGE_BPS = 100;

/** Size in bytes of a token account of the older token program. */
export const TOKEN_ACCOUNT_SIZE = 165;

const token = (
  marketId: string,
  mint: string,
  decimals: number,
  tokenProgram: Address = TOKEN_PROGRAM,
): SpotAsset => ({ marketId, mint: address(mint), decimals, tokenProgram });

const stock = (marketId: string, mint: string): SpotAsset =>
  token(marketId, mint, 8, TOKEN_2022_PROGRAM);

/** Jupiter on mainnet: stocks are xStocks of Token-2022. */
export const JUPITER_INSTANCE: JupiterInstance = {
  name: "jupiter",
  quote: { ...jupiter.quote, mint: USDC_MINT },
  setUpSizes: [],
  // The trading key's own two token accounts, which only that key could close
  unrecoverableSizes: [TOKEN_ACCOUNT_SIZE, TOKEN_ACCOUNT_SIZE],
  unrecoverableWhat: "The trading key's token accounts",
  programId: JUPITER_PROGRAM,
  dailyLimit: 1_000_000_000n,
  assets: [
    token("SOL", MINTS.SOL, 9),
    token("BTC", MINTS.BTC, 8),
    token("ETH", MINTS.ETH, 8),
    token("JUP", MINTS.JUP, 6),
    stock("AAPLx", "XsbEhLAtcf6HdfpFZ5xEMdqW8nfAvcsP5bdudRLJzJp"),
    stock("NVDAx", "Xsc9qvGR1efVDFGLrVsmkzv3qi45LTBjeUKSPmx9qEh"),
    stock("TSLAx", "XsDoVfqeBukxuZHWhdvWHBhgEHjGNst4MLodqsJHzoB"),
    stock("SPYx", "XsoCS1TfEyfFhfvj8EtZ528L3CaKBDBRqRapnBbDF2W"),
  ],
};

/** The same tokens on the practice chain, all of the older token program. */
export const JUPITER_PRACTICE_INSTANCE: JupiterInstance = {
  ...JUPITER_INSTANCE,
  name: "jupiter-practice",
  assets: JUPITER_INSTANCE.assets.map((asset) => ({ ...asset, tokenProgram: TOKEN_PROGRAM })),
};

/** Returns the instance's quote token. */
export function quoteToken({ quote }: JupiterInstance): SpotToken {
  return { mint: quote.mint, decimals: quote.decimals, tokenProgram: TOKEN_PROGRAM };
}

/** Returns the instance's asset of a market. Throws for a market it does not trade. */
export function assetOf(instance: JupiterInstance, marketId: string | undefined): SpotAsset {
  const asset = instance.assets.find((known) => known.marketId === marketId);
  if (asset === undefined) throw new Error(`${instance.name} does not trade ${marketId ?? "that"}`);
  return asset;
}

/** Returns the address of a wallet's account of a token. */
export function tokenAccountOf(owner: Address, { mint, tokenProgram }: SpotToken): Address {
  return associatedTokenAddress(owner, mint, tokenProgram);
}

/** Returns the addresses that all agents' transactions share, programs and mints, for the deployment's lookup table. */
export function sharedAddresses(instance: JupiterInstance): readonly Address[] {
  const tokens = [quoteToken(instance), ...instance.assets];
  return [
    ...new Set([
      SQUADS_PROGRAM,
      ASSOCIATED_TOKEN_PROGRAM,
      SYSTEM_PROGRAM,
      ...tokens.map(({ tokenProgram }) => tokenProgram),
      ...tokens.map(({ mint }) => mint),
    ]),
  ];
}

/** Quote base units equal price units: both have six decimals. */
const whole = ({ decimals }: SpotAsset): bigint => 10n ** BigInt(decimals);

/** Returns the value of base units of an asset in quote base units, rounded down. */
export function valueOf(asset: SpotAsset, baseSize: bigint, price: bigint): bigint {
  return (baseSize * price) / whole(asset);
}

/** Returns the base units of an asset that an amount of quote base units buys, rounded down. */
export function baseFor(asset: SpotAsset, quoteSize: bigint, price: bigint): bigint {
  return (quoteSize * whole(asset)) / price;
}

/** Returns the price of a swap of two amounts, six decimals per whole asset, halves rounded up. */
export function priceOf(asset: SpotAsset, baseSize: bigint, quoteSize: bigint): bigint {
  return (2n * quoteSize * whole(asset) + baseSize) / (2n * baseSize);
}
