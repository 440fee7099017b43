import type { Address, Instruction, Signature } from "@solana/kit";
import type { AgentId } from "../../../domain/ids.ts";
import type { LatestBlockhash } from "../../../solana/chain.ts";
import { MAX_COMPUTE_UNITS } from "../../../solana/compute-limit.ts";
import {
  readComputeUnitLimit,
  readComputeUnitPrice,
} from "../../../solana/programs/compute-budget.ts";
import type { SigningPurpose } from "../../../venues/order-signing.ts";
import { priorityFeeLamports, SIGNATURE_FEE_LAMPORTS } from "./custody-limits.ts";

/** Signed wire bytes and their signature, which is known before anything is sent. */
export interface SignedTransaction {
  readonly transaction: Uint8Array;
  readonly signature: Signature;
  readonly lastValidBlockHeight: bigint;
  readonly blockhashSlot: bigint;
}

/** `moved`: the market moved since the order was decided. `limited`: what the signer has signed uses up a limit. */
export type SigningRefusal = "refused" | "moved" | "limited";

/** What a limit leaves: a narrower order now, or one later. */
export interface SigningRoom {
  readonly limitBps?: number | undefined;
  readonly untilMs?: number | undefined;
}

/** The signer refused the request: it is not on the allow-list or exceeds the limits. */
export class SigningRefusedError extends Error {
  override readonly name = "SigningRefusedError";
  readonly kind: SigningRefusal;
  /** Widest slippage that is signed for this order now, in basis points; absent where the width is not the reason. */
  readonly limitBps: number | undefined;
  /** When entries go on, in milliseconds; absent where it is not a matter of time. */
  readonly untilMs: number | undefined;

  constructor(
    message: string,
    {
      kind = "refused",
      limitBps,
      untilMs,
      ...options
    }: ErrorOptions & { readonly kind?: SigningRefusal } & SigningRoom = {},
  ) {
    super(message, options);
    this.kind = kind;
    this.limitBps = limitBps;
    this.untilMs = untilMs;
  }
}

/** A signing request. The signer reads the account and its permissions itself. */
export interface SigningRequest {
  readonly agentId: AgentId;
  readonly purpose: SigningPurpose;
  /** Goes before entries; an entry asked for as urgent is refused. */
  readonly isUrgent: boolean;
  readonly instructions: readonly Instruction[];
  readonly lifetime: LatestBlockhash;
  /** Lookup tables to use; none when absent. */
  readonly tables?: readonly Address[];
}

/**
 * Signs with the trading keys: one trading key per agent, one fee payer per deployment.
 *
 * Signs only instructions on its allow-list: orders, cancels and settlement of this agent's own venue account, within
 * limits it checks against its own reading of the chain and its own ledger, paid by our fee payer, without a durable nonce. The signer
 * reads lookup tables from the chain itself. Throws `SigningRefusedError` otherwise.
 */
export interface TradingKeySigner {
  readonly feePayer: Address;
  sign(request: SigningRequest): Promise<SignedTransaction>;
}

/** Signatures of an order: the fee payer's and the trading key's. */
const ORDER_SIGNATURES = 2n;

/** Returns the lamports a transaction of the trading key costs the fee payer when it lands, successful or not. */
export function orderFeeLamports(instructions: readonly Instruction[]): bigint {
  const units = instructions.map(readComputeUnitLimit).find((limit) => limit !== null);
  const price = instructions.map(readComputeUnitPrice).find((each) => each !== null);
  return (
    ORDER_SIGNATURES * SIGNATURE_FEE_LAMPORTS +
    priorityFeeLamports(units ?? MAX_COMPUTE_UNITS, price ?? 0n)
  );
}
