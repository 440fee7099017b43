import type { Effect } from "../../venues/effect.ts";

/** What the browser itself read out of a prepared transaction. */
export interface TransactionSummary {
  readonly feePayer: string;
  readonly signers: readonly string[];
  readonly effects: readonly Effect[];
  /** Base fee of every signature plus the priority fee at the full compute limit. */
  readonly feeLamports: bigint;
}

/** What comparing a prepared transaction with the request came to; a mismatch says why, as a sentence for the user. */
export type CheckResult =
  | { readonly kind: "matches"; readonly summary: TransactionSummary }
  | { readonly kind: "mismatch"; readonly reason: string };
