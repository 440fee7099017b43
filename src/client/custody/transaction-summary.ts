/** One line of what a transaction does, figures in base units. */
export type Effect =
  | {
      readonly kind: "lamports";
      readonly from: string;
      readonly to: string;
      readonly lamports: bigint;
    }
  | {
      readonly kind: "tokens";
      /** Whose authority moves them: the wallet's or the vault's. */
      readonly by: string;
      readonly from: string;
      readonly to: string;
      /** Null where the instruction names no mint and the token accounts alone say which it is. */
      readonly mint: string | null;
      readonly amount: bigint;
      readonly decimals: number | null;
      /** Absent: the quote token. */
      readonly symbol?: string;
    }
  | { readonly kind: "create-multisig"; readonly multisig: string; readonly owner: string }
  | {
      readonly kind: "create-token-account";
      readonly account: string;
      readonly owner: string;
      /** Absent: the quote token. */
      readonly symbol?: string;
    }
  /** The trading key may draw so much of one token a day, to its own account. */
  | {
      readonly kind: "spending-limit";
      readonly account: string;
      readonly delegate: string;
      readonly mint: string;
      readonly amount: bigint;
      readonly decimals: number;
      readonly symbol: string;
      readonly text: string;
    }
  /** An asset that just left the vault is sold, and the vault gets what it brings. */
  | {
      readonly kind: "sale";
      readonly account: string;
      readonly mint: string;
      readonly amount: bigint;
      readonly text: string;
    }
  | { readonly kind: "limit-removal"; readonly account: string; readonly text: string }
  | {
      readonly kind: "venue-account" | "venue-name";
      readonly account: string;
      readonly text: string;
    }
  | {
      readonly kind: "close-token-account";
      readonly account: string;
      readonly owner: string;
      readonly to: string;
      /** Absent: the quote token. */
      readonly symbol?: string;
    }
  | {
      readonly kind: "delegate";
      readonly account: string;
      /** Null: nobody may trade any more. */
      readonly delegate: string | null;
    }
  | { readonly kind: "venue-deposit"; readonly account: string; readonly amount: bigint }
  | { readonly kind: "venue-withdrawal"; readonly account: string; readonly amount: bigint }
  /** Something that can only make the agent smaller: cancelling, closing, settling, deleting its account. */
  | { readonly kind: VenueExit; readonly account: string; readonly text: string };

export type VenueExit = "venue-cancel" | "venue-close" | "venue-settle" | "venue-deletion";

/** What the browser itself read out of a prepared transaction. */
export interface TransactionSummary {
  readonly feePayer: string;
  readonly signers: readonly string[];
  readonly effects: readonly Effect[];
  /** Base fee of every signature plus the priority fee at the full compute limit. */
  readonly feeLamports: bigint;
}
