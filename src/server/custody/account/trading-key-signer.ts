import type { Address, Instruction, Signature } from "@solana/kit";
import type { AgentId } from "../../../domain/ids.ts";
import type { LatestBlockhash } from "../../../solana/chain.ts";
import type { SigningPurpose } from "../../../venues/order-signing.ts";

/** Signed wire bytes and their signature, which is known before anything is sent. */
export interface SignedTransaction {
  readonly transaction: Uint8Array;
  readonly signature: Signature;
  readonly lastValidBlockHeight: bigint;
  readonly blockhashSlot: bigint;
}

/** The signer refused the request: it is not on the allow-list or exceeds the limits. */
export class SigningRefusedError extends Error {
  override readonly name = "SigningRefusedError";
  /** The market moved since the order was decided; the key itself is valid. */
  readonly hasMarketMoved: boolean;

  constructor(message: string, options: ErrorOptions & { readonly hasMarketMoved?: boolean } = {}) {
    super(message, options);
    this.hasMarketMoved = options.hasMarketMoved ?? false;
  }
}

/** A signing request. The signer reads the account and its permissions itself. */
export interface SigningRequest {
  readonly agentId: AgentId;
  readonly purpose: SigningPurpose;
  readonly instructions: readonly Instruction[];
  readonly lifetime: LatestBlockhash;
  /** Lookup tables to use; none when absent. */
  readonly tables?: readonly Address[];
}

/**
 * Signs with the trading keys: one trading key per agent, one fee payer per deployment.
 *
 * Signs only instructions on its allow-list: orders, cancels and settlement of this agent's own venue account, within
 * limits it checks against its own reading of the chain, paid by our fee payer, without a durable nonce. The signer
 * reads lookup tables from the chain itself. Throws `SigningRefusedError` otherwise.
 */
export interface TradingKeySigner {
  readonly feePayer: Address;
  sign(request: SigningRequest): Promise<SignedTransaction>;
}
