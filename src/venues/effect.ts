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
      readonly mint: string;
      readonly amount: bigint;
      readonly decimals: number;
      readonly symbol: string;
      /** False where the instruction names no mint, so that only the accounts at both ends say which token moves. */
      readonly namesMint: boolean;
    }
  | { readonly kind: "create-multisig"; readonly multisig: string; readonly owner: string }
  | {
      readonly kind: "create-token-account";
      readonly account: string;
      readonly owner: string;
      readonly symbol: string;
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
      readonly symbol: string;
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

type VenueExit = "venue-cancel" | "venue-close" | "venue-settle" | "venue-deletion";

export type EffectKind = Effect["kind"];
