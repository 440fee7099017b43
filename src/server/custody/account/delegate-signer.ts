import type { Address, Instruction, Signature } from "@solana/kit";
import type { LatestBlockhash } from "../../../solana/chain.ts";
import type { SigningPurpose } from "../../../venues/venue.ts";

/** Signed wire bytes and the signature they will have on chain, known before anything is sent. */
export interface SignedTransaction {
  readonly transaction: Uint8Array;
  readonly signature: Signature;
  readonly lastValidBlockHeight: bigint;
  readonly blockhashSlot: bigint;
}

/** The signer refused: what it was asked for is not on its allow-list or beyond its limits. */
export class SigningRefusedError extends Error {
  override readonly name = "SigningRefusedError";
  /** The market moved since the order was decided on: nothing is wrong with the key. */
  readonly hasMarketMoved: boolean;

  constructor(message: string, options: ErrorOptions & { readonly hasMarketMoved?: boolean } = {}) {
    super(message, options);
    this.hasMarketMoved = options.hasMarketMoved ?? false;
  }
}

/** What is to be signed. Whose account it is about, and what it may do with it, the signer reads itself. */
export interface SigningRequest {
  readonly agentId: string;
  readonly purpose: SigningPurpose;
  readonly instructions: readonly Instruction[];
  readonly lifetime: LatestBlockhash;
  /** Lookup tables to use; absent: none. */
  readonly tables?: readonly Address[];
}

/**
 * Holds the trading keys: one delegate per agent, one fee payer per deployment.
 *
 * Signs only what its allow-list knows, orders, cancels and settlement of this agent's own venue account, within limits
 * it checks against its own reading of the chain, paid by our fee payer, without a durable nonce. Lookup tables are
 * believed only as far as the signer reads them on the chain itself. Throws `SigningRefusedError` otherwise.
 */
export interface DelegateSigner {
  readonly feePayer: Address;
  sign(request: SigningRequest): Promise<SignedTransaction>;
}
