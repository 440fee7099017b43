import type { Instruction } from "@solana/kit";
import type { TradingState } from "../domain/trading-state.ts";
import type { VenueAccount } from "./venue.ts";

/**
 * Returns why the trading key must not sign an instruction for an account, or null when it may.
 *
 * It receives instructions as decoded from the compiled message: roles are the message's, not the builder's.
 */
export type OrderAllowList = (
  account: VenueAccount,
  instruction: Required<Instruction>,
) => string | null;

/** Purpose of a signature: an order, filling or cancelling a resting one, or settling gain and loss. */
export const SIGNING_PURPOSES = ["order", "follow_up", "settlement"] as const;

export type SigningPurpose = (typeof SIGNING_PURPOSES)[number];

/** Facts about an agent that the signer looks up itself before signing. */
export interface SigningTerms {
  /** Market the agent is set to. */
  readonly marketId: string;
  /** Slippage limit of an entry against the market price in basis points, 1 to 500. */
  readonly slippageBps: number;
  /** State allowed by operator and owner: everything, only reducing, or no order. */
  readonly tradingState: TradingState;
  /** Why an agent only reduces by what its owner signed; absent where that is not the reason. */
  readonly unsigned?: string | null;
}

/**
 * Returns why the trading key must not sign these instructions together, each already admitted by the allow-list, or null
 * when it may. Prices and accounts are read from the chain by the signer; throws `ChainUnavailableError` without them.
 */
export type OrderLimits = (
  account: VenueAccount,
  instructions: readonly Required<Instruction>[],
  purpose: SigningPurpose,
  terms: SigningTerms,
) => Promise<string | null>;

/** Signing rules of a trading key on one venue of one network. */
export interface SigningRules {
  readonly allow: OrderAllowList;
  readonly limit: OrderLimits;
}
