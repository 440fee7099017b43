import type { Instruction } from "@solana/kit";
import type { CUSTODY_INTENTS } from "../../../contract/tx.ts";
import type { Expectation } from "../expectation.ts";

export type CustodyIntent = (typeof CUSTODY_INTENTS)[number];

/** What leaves the owner's wallet, in lamports and quote base units. */
export interface CustodyCosts {
  readonly networkFeeLamports: bigint;
  readonly rentLamports: bigint;
  readonly transferLamports: bigint;
  readonly quoteAmount: bigint;
}

/** One transaction the owner is asked to sign, before it is compiled. */
export interface CustodyPlan {
  /** Counted from 1. */
  readonly step: number;
  readonly stepCount: number;
  readonly label: string;
  /** Quote base units, for deposits and withdrawals. */
  readonly amount: bigint | null;
  readonly instructions: readonly Instruction[];
  readonly expects: Expectation;
  readonly costs: CustodyCosts;
  /** Lamports that come back to the owner's wallet; absent: none. */
  readonly recoveredLamports?: bigint;
  /** What to say before the reason when the chain refuses it. */
  readonly failure?: string;
}
