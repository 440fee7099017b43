import type { Instruction } from "@solana/kit";
import type { DenialReason } from "../domain/denial.ts";
import type { Fill } from "../domain/order/order.ts";
import type { LookupTables } from "../solana/programs/squads-message.ts";

/**
 * Instructions the trading key signs for one order. Their compute limit is the upper bound, their unit price the lower
 * bound.
 */
export interface OrderTransaction {
  readonly instructions: readonly Instruction[];
  /** Lookup tables without which the instructions do not fit, as read from the chain; absent: none. */
  readonly tables?: LookupTables;
}

/** An order as a venue built it. */
export interface PricedOrder extends OrderTransaction {
  /** Worst price at which the venue fills it, quote units with six decimals per whole asset. */
  readonly worstPrice: bigint;
  /** Base units ordered: the decided size rounded for the market. */
  readonly baseSize: bigint;
}

/** The venue does not build an order. Nothing was signed. */
export class OrderRefusedError extends Error {
  override readonly name = "OrderRefusedError";
  readonly reason: DenialReason;
  constructor(reason: DenialReason, detail?: string) {
    super(
      detail === undefined ? `Order refused: ${reason}` : `Order refused: ${reason}: ${detail}`,
    );
    this.reason = reason;
  }
}

/** An order open at the venue after the transaction that placed it. An agent has at most one. */
export interface RestingOrder {
  readonly venueOrderId: string;
  readonly marketId: string;
  /** Ordered base units. */
  readonly baseSize: bigint;
  readonly placedSlot: bigint;
  /** Unix milliseconds after which the venue no longer fills it. */
  readonly expiresAtMs: number;
}

/**
 * Outcome of a landed order transaction. Without a fill it is `not_filled`; the rest of a partly filled order is
 * cancelled, and a resting order is still undecided.
 */
export type OrderReport =
  | { readonly kind: "filled"; readonly fills: readonly Fill[] }
  | { readonly kind: "partially_filled"; readonly fills: readonly Fill[] }
  | { readonly kind: "resting"; readonly order: RestingOrder }
  | { readonly kind: "not_filled" }
  | { readonly kind: "rejected"; readonly reason: string; readonly retryable: boolean };

/**
 * State of a resting order. `filledBase` is its filled amount so far, by any filler. `fillable` and `cancellable` carry
 * the trading key's instructions to fill it now, or to cancel it once it expired; sending them again changes nothing.
 */
export type RestingProgress =
  | { readonly kind: "alive"; readonly filledBase: bigint }
  | {
      readonly kind: "fillable";
      readonly filledBase: bigint;
      readonly transaction: OrderTransaction;
    }
  | {
      readonly kind: "cancellable";
      readonly filledBase: bigint;
      readonly transaction: OrderTransaction;
    }
  /** Filled, cancelled or expired: the fills in the account's transactions tell which. */
  | { readonly kind: "gone" };
