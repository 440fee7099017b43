import type { Instruction } from "@solana/kit";
import type { LookupTables } from "../../../solana/programs/squads-message.ts";
import type { Expectation } from "../account/expectation.ts";

/** What leaves the owner's wallet beside the network's fee, in lamports and quote base units. */
export interface CustodyCosts {
  readonly rentLamports: bigint;
  readonly transferLamports: bigint;
  readonly quoteAmount: bigint;
  /** What never comes back of what the set-up opens; absent: everything does. */
  readonly unrecoverable?: readonly { readonly what: string; readonly lamports: bigint }[];
}

/** One transaction the owner is asked to sign, before it is compiled. */
export interface CustodyPlan {
  /** Counted from 1. */
  readonly step: number;
  readonly stepCount: number;
  readonly label: string;
  /** Quote base units, for deposits and withdrawals. */
  readonly amount: bigint | null;
  readonly computeUnitLimit: number;
  /** The least it offers for its place, in micro-lamports per compute unit. */
  readonly unitPrice: bigint;
  /** What follows the compute budget, the vault's part written with what these tables hold. */
  readonly instructions: (tables: LookupTables) => readonly Instruction[];
  /** Lookup tables of its own, as read from the chain; absent: none. */
  readonly tables?: LookupTables | undefined;
  readonly expects: Expectation;
  readonly costs: CustodyCosts;
  /** Lamports that come back to the owner's wallet; absent: none. */
  readonly recoveredLamports?: bigint;
  /** What to say before the reason when the chain refuses it. */
  readonly failure?: string;
  /** True for what brings money in or opens something: refused rather than offered to a wallet that has no room for it. */
  readonly isEntry?: boolean;
  /** What the owner can do where this does not fit; absent: what the size depends on, closing positions. */
  readonly wayOut?: string;
  /** What to hand out where this does not fit or would fail, and what the owner is told then. */
  readonly orElse?: { readonly plan: CustodyPlan; readonly warning: string };
}
