import type { Address } from "@solana/kit";
import type { FullInstruction } from "../../solana/encoding/instruction.ts";
import type { LookupTables } from "../../solana/programs/squads-message.ts";
import type { MarketPrice, VenueHealth } from "../ports.ts";

/** A swap to request. Exact input; amounts in base units. */
export interface SwapRequest {
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly amount: bigint;
  readonly slippageBps: number;
  /** Signer of the swap and owner of the input. */
  readonly taker: Address;
  /** Token account that receives the output. */
  readonly destination: Address;
  /** Largest number of accounts the route should name; routers treat it as an estimate. */
  readonly maxAccounts: number;
}

/** A router's answer. It is untrusted: no part of it is signed before it is verified. */
export interface SwapBuild {
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly inAmount: bigint;
  readonly outAmount: bigint;
  /** Smallest output after slippage. */
  readonly otherAmountThreshold: bigint;
  readonly slippageBps: number;
  readonly setupInstructions: readonly FullInstruction[];
  readonly swapInstruction: FullInstruction;
  readonly cleanupInstruction: FullInstruction | null;
  readonly otherInstructions: readonly FullInstruction[];
  readonly tipInstruction: FullInstruction | null;
  /** Lookup tables the route uses, according to the router. */
  readonly tables: LookupTables;
}

/**
 * Finds a route and returns the instructions that swap along it.
 *
 * Throws `RouteNotFoundError` when there is none and `ChainUnavailableError` when the router gives no usable answer.
 */
export interface SwapRouter {
  build(request: SwapRequest): Promise<SwapBuild>;
  /** Returns whether the router answers; an unreachable router takes no new entries. */
  health(): Promise<VenueHealth>;
}

/** Prices of assets from a source independent of the swap router. Throws `ChainUnavailableError` without a price. */
export interface SpotPrices {
  price(marketId: string): Promise<MarketPrice>;
  /** Returns whether the source ever has a price of an asset; absent: it has one of every asset. */
  isPriced?(marketId: string): boolean;
}

/** There is no route for the swap, or the router refused the request. */
export class RouteNotFoundError extends Error {
  override readonly name = "RouteNotFoundError";
}
