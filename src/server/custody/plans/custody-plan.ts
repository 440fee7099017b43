import type { Instruction } from "@solana/kit";
import type { LookupTables } from "../../../solana/programs/squads-message.ts";
import type { Expectation } from "../account/expectation.ts";

/** Amounts that leave the owner's wallet besides the network fee, in lamports and quote base units. */
export interface CustodyCosts {
  readonly rentLamports: bigint;
  readonly transferLamports: bigint;
  readonly quoteAmount: bigint;
  /** Unrecoverable rent of accounts the set-up opens; absent when all of it is recoverable. */
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
  /** Minimum priority fee, in micro-lamports per compute unit. */
  readonly unitPrice: bigint;
  /** Returns the instructions after the compute budget, with the vault's part encoded against these tables. */
  readonly instructions: (tables: LookupTables) => readonly Instruction[];
  /** The plan's own lookup tables, as read from the chain; none when absent. */
  readonly tables?: LookupTables | undefined;
  readonly expects: Expectation;
  readonly costs: CustodyCosts;
  /** Lamports returned to the owner's wallet; none when absent. */
  readonly recoveredLamports?: bigint;
  /** Text placed before the reason when the chain rejects it. */
  readonly failure?: string;
  /**
   * True for a plan that deposits money or opens something: refused when it leaves no room for the instructions a
   * wallet may add.
   */
  readonly isEntry?: boolean;
  /** What the owner can do when the plan does not fit; defaults to closing positions, which determine its size. */
  readonly wayOut?: string;
  /** Plan to sign before this one when this one does not fit; absent: none. */
  readonly whenTooLarge?: CustodyPlan;
  /** Alternative plan when this one does not fit or would fail, with the warning shown to the owner. */
  readonly orElse?: { readonly plan: CustodyPlan; readonly warning: string };
}
