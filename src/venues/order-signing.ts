import type { Instruction } from "@solana/kit";
import type { OrderToSign } from "../domain/order/signing-budget.ts";
import type { Distance } from "../domain/plan/plan.ts";
import type { TradingState } from "../domain/trading-state.ts";
import type { Chain } from "../solana/chain.ts";
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

/**
 * Purpose of a signature: an order, the orders that protect a position, filling or cancelling a resting one, or settling
 * gain and loss.
 */
export const SIGNING_PURPOSES = ["order", "protective", "follow_up", "settlement"] as const;

export type SigningPurpose = (typeof SIGNING_PURPOSES)[number];

/** Facts about an agent that the signer looks up itself before signing. */
export interface SigningTerms {
  /** Market the agent is set to. */
  readonly marketId: string;
  /** Slippage limit of an entry against the market price in basis points, 1 to 500. */
  readonly slippageBps: number;
  /** Leverage of entries that the owner signed, 1 to 5. */
  readonly leverage: number;
  /** Distance of the stop that the plan asks for from the average entry; null where none is to rest. */
  readonly stop: Distance | null;
  /** State allowed by operator and owner: everything, only reducing, or no order. */
  readonly tradingState: TradingState;
  /** Why an agent only reduces by what its owner signed; absent where that is not the reason. */
  readonly unsigned?: string | null;
}

/** What the limits say of instructions: why they must not be signed, or the order among them, null for none. */
export type LimitedOrder =
  | { readonly refusal: string }
  | { readonly refusal: null; readonly order: OrderToSign | null };

/**
 * Judges instructions that are to be signed together, each already admitted by the allow-list. Prices and accounts are
 * read from the chain by the signer; throws `ChainUnavailableError` without them.
 */
export type OrderLimits = (
  account: VenueAccount,
  instructions: readonly Required<Instruction>[],
  purpose: SigningPurpose,
  terms: SigningTerms,
) => Promise<LimitedOrder>;

/**
 * Reads by two chains at once, or twice by one, the second time once the first has answered: an entry's two readings are
 * never one request, whatever the chain combines.
 */
export async function readTwice<T>(
  [one, other]: readonly [Chain, Chain],
  read: (by: Chain) => Promise<T>,
): Promise<readonly [T, T]> {
  const first = read(one);
  if (one === other) await first;
  return Promise.all([first, read(other)]);
}

/** Signing rules of a trading key on one venue of one network. */
export interface SigningRules {
  readonly allow: OrderAllowList;
  readonly limit: OrderLimits;
  /** The signer's own chain: what became of its signatures. */
  readonly chain: Chain;
  /** The same for an entry, which shares its questions with others; absent: it does not. */
  readonly entries?: Chain;
}
