import type { Address, Instruction, Signature } from "@solana/kit";
import type { AgentId } from "../../domain/ids.ts";
import type { LatestBlockhash } from "../../solana/chain.ts";
import type { LookupTables } from "../../solana/programs/squads-message.ts";
import type { VenueAccount } from "../../venues/venue.ts";

/** Signed wire bytes and the signature they will have on chain, known before anything is sent. */
export interface SignedTransaction {
  readonly transaction: Uint8Array;
  readonly signature: Signature;
  readonly lastValidBlockHeight: bigint;
  readonly blockhashSlot: bigint;
}

/** The signer refused: an instruction, account or payer is not on its allow-list. */
export class SigningRefusedError extends Error {
  override readonly name = "SigningRefusedError";
}

/**
 * Holds the trading keys: one delegate per agent, one fee payer per deployment.
 *
 * Signs only what its allow-list knows: orders, cancels and settlement of this agent's own venue account, paid by our
 * fee payer, without a durable nonce. Lookup tables are believed only as far as the signer reads them on the chain
 * itself. Throws `SigningRefusedError` otherwise.
 */
export interface DelegateSigner {
  readonly feePayer: Address;
  delegateOf(agentId: AgentId): Promise<Address>;
  sign(
    agentId: AgentId,
    account: VenueAccount,
    instructions: readonly Instruction[],
    lifetime: LatestBlockhash,
    tables?: LookupTables,
  ): Promise<SignedTransaction>;
}
