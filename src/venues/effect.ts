/** The worst price a trade can have by its own bytes, in base units of the quote token for one whole asset. */
export interface WorstPrice {
  readonly asset: string;
  readonly side: "buy" | "sell";
  readonly price: bigint;
}

/** One effect of a transaction, amounts in base units. */
export type Effect =
  | {
      readonly kind: "lamports";
      readonly from: string;
      readonly to: string;
      readonly lamports: bigint;
    }
  | {
      readonly kind: "tokens";
      /** Authority of the transfer: the wallet or the vault. */
      readonly by: string;
      readonly from: string;
      readonly to: string;
      readonly mint: string;
      readonly amount: bigint;
      readonly decimals: number;
      readonly symbol: string;
      /** False where the instruction names no mint, so that only the accounts at both ends determine the token. */
      readonly namesMint: boolean;
    }
  | { readonly kind: "create-multisig"; readonly multisig: string; readonly owner: string }
  | {
      readonly kind: "create-token-account";
      readonly account: string;
      readonly owner: string;
      readonly symbol: string;
    }
  /** A daily spending limit of the trading key for one token, to its own account. */
  | {
      readonly kind: "spending-limit";
      readonly account: string;
      readonly tradingKey: string;
      readonly mint: string;
      readonly amount: bigint;
      readonly decimals: number;
      readonly symbol: string;
      readonly text: string;
    }
  /** Sale of an asset that just left the vault; the proceeds go to the vault. */
  | {
      readonly kind: "sale";
      readonly account: string;
      readonly mint: string;
      readonly amount: bigint;
      readonly text: string;
      readonly worst: WorstPrice;
    }
  | { readonly kind: "limit-removal"; readonly account: string; readonly text: string }
  | {
      readonly kind: "venue-account" | "venue-name";
      readonly account: string;
      readonly text: string;
      /** Leverage that the account is set to take orders of; absent: it is not changed. */
      readonly leverage?: number;
    }
  | {
      readonly kind: "close-token-account";
      readonly account: string;
      readonly owner: string;
      readonly to: string;
      readonly symbol: string;
    }
  | {
      readonly kind: "trading-key";
      readonly account: string;
      /** Null: nobody may trade any more. */
      readonly tradingKey: string | null;
    }
  | { readonly kind: "venue-deposit"; readonly account: string; readonly amount: bigint }
  | { readonly kind: "venue-withdrawal"; readonly account: string; readonly amount: bigint }
  /** An order that can only reduce a position. */
  | {
      readonly kind: "venue-close";
      readonly account: string;
      readonly text: string;
      readonly worst: WorstPrice;
    }
  /**
   * An operation that can only reduce the agent's exposure, or that anybody may do: cancelling, filling a
   * waiting order, settling, deleting its account.
   */
  | { readonly kind: VenueExit; readonly account: string; readonly text: string };

type VenueExit = "venue-cancel" | "venue-fill" | "venue-settle" | "venue-deletion";

export type EffectKind = Effect["kind"];
