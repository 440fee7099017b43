import type { Effect } from "../../venues/effect.ts";

/** Summary of a prepared transaction, decoded in this browser. */
export interface TransactionSummary {
  readonly feePayer: string;
  readonly signers: readonly string[];
  readonly effects: readonly Effect[];
  /** Base fee of every signature plus the priority fee at the full compute limit. */
  readonly feeLamports: bigint;
}

/** Result of comparing a prepared transaction with the request; a mismatch carries a sentence for the user. */
export type CheckResult =
  | { readonly kind: "matches"; readonly summary: TransactionSummary }
  | { readonly kind: "mismatch"; readonly reason: string };
