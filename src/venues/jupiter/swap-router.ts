import type { Address } from "@solana/kit";
import type { FullInstruction } from "../../solana/encoding/instruction.ts";
import type { LookupTables } from "../../solana/programs/squads-message.ts";
import type { MarketPrice, VenueHealth } from "../venue.ts";

/** What is to be swapped. Exact input; amounts in base units. */
export interface SwapRequest {
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly amount: bigint;
  readonly slippageBps: number;
  /** Signs the swap and owns the input. */
  readonly taker: Address;
  /** Token account the output goes to. */
  readonly destination: Address;
  /** Most accounts the route should name; routers treat it as an estimate. */
  readonly maxAccounts: number;
}

/** A router's answer. It is somebody else's data: nothing of it is signed before it was verified. */
export interface SwapBuild {
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly inAmount: bigint;
  readonly outAmount: bigint;
  /** Least output after slippage. */
  readonly otherAmountThreshold: bigint;
  readonly slippageBps: number;
  readonly setupInstructions: readonly FullInstruction[];
  readonly swapInstruction: FullInstruction;
  readonly cleanupInstruction: FullInstruction | null;
  readonly otherInstructions: readonly FullInstruction[];
  readonly tipInstruction: FullInstruction | null;
  /** Addresses of the lookup tables the route counts on, as the router says. */
  readonly tables: LookupTables;
}

/**
 * Finds a route and says which instructions swap along it.
 *
 * Throws `RouteNotFoundError` when there is none and `ChainUnavailableError` when the router does not answer usably.
 */
export interface SwapRouter {
  build(request: SwapRequest): Promise<SwapBuild>;
  /** Whether the router answers; a router out of reach takes no new entries. */
  health(): Promise<VenueHealth>;
}

/** Prices of assets from a source that is not the swap router. Throws `ChainUnavailableError` without one. */
export interface SpotPrices {
  price(marketId: string): Promise<MarketPrice>;
}

/** Nobody offers that swap, or the router refused the question. */
export class RouteNotFoundError extends Error {
  override readonly name = "RouteNotFoundError";
}
