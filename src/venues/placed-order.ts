import type { Instruction } from "@solana/kit";
import type { DenialReason } from "../domain/reasons.ts";
import type { Fill } from "../domain/order/order.ts";
import type { ProtectiveExit, ProtectiveKey } from "../domain/plan/demand.ts";
import type { Side } from "../domain/position.ts";
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
  /** The same transaction makes the protective orders the wanted ones; absent where it does not. */
  readonly carriesProtective?: true;
}

/** The protective orders that should rest in a market. */
export interface WantedProtective {
  readonly marketId: string;
  readonly exits: readonly ProtectiveExit[];
  /** How far their limits lie from their triggers, in basis points, at most `MAX_EXIT_LIMIT_BPS`. */
  readonly limitBps: number;
}

/** An order that rests at the venue until its trigger price is reached. Prices in quote units with six decimals. */
export interface RestingProtective {
  /** Changes with each change of the order. */
  readonly venueOrderId: string;
  /** Which protective order of ours it is; null for one that was not placed here. */
  readonly key: ProtectiveKey | null;
  readonly marketId: string;
  readonly side: Side;
  readonly triggerPrice: bigint;
  readonly triggersWhen: "above" | "below";
  readonly limitPrice: bigint;
  /** Base units that are not filled yet. */
  readonly baseSize: bigint;
  readonly isOurs: boolean;
  /** Somebody triggered it: it now fills as any order. */
  readonly isTriggered: boolean;
}

/**
 * What a landed transaction, of anybody, did to an order of the account. `key` is that of a protective order of ours,
 * else null; `fee` in quote base units, what the account paid for the act alone.
 */
export type ProtectiveAct = { readonly venueOrderId: string } & (
  | { readonly kind: "placed"; readonly key: ProtectiveKey | null; readonly marketId: string }
  | { readonly kind: "triggered" | "cancelled"; readonly fee: bigint }
  | { readonly kind: "filled"; readonly fill: Fill }
);

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

/** What is known of an order whose transaction landed. */
export interface LandedOrder {
  readonly marketId: string;
  readonly side: Side;
  readonly reduceOnly: boolean;
  readonly slot: bigint;
}

/** A resting order as the account holds it, with its state. */
export interface FoundResting {
  readonly order: RestingOrder;
  readonly progress: RestingProgress;
}
