import type { DenialReason } from "./reasons.ts";

/** Names of all risk checks, in the order they are made. */
export type RiskCheckName =
  | "signal_age"
  | "auto_trade"
  | "custody"
  | "powers"
  | "account"
  | "order_possible"
  | "trading_halted"
  | "venue"
  | "reducing"
  | "failures"
  | "daily_loss"
  | "fall"
  | "losses_in_a_row"
  | "trades_a_day"
  | "price_age"
  | "price_certainty"
  | "orders_a_minute"
  | "orders_an_hour"
  | "entries_of_owner"
  | "fees_of_owner"
  | "size"
  | "free_money"
  | "asset_share"
  | "signing_costs";

/**
 * Unit of a check's figures: `price` in quote units with six decimals, `quote` and `base` in base units, `time` in
 * milliseconds since 1970.
 */
export type CheckUnit =
  | "orders"
  | "trades"
  | "milliseconds"
  | "time"
  | "lamports"
  | "price"
  | "quote"
  | "base";

/** Measured figure and limit of a check; null for a yes-or-no check. */
export interface CheckFigures {
  readonly unit: CheckUnit;
  /** Null where nothing was measured. */
  readonly figure: bigint | null;
  /** Null where the figure has no upper limit. */
  readonly limit: bigint | null;
}

/** One risk check with its result. */
export interface RiskCheck {
  readonly name: RiskCheckName;
  /** Reason of the denial when the check fails. */
  readonly reason: DenialReason;
  readonly hasPassed: boolean;
  readonly figures: CheckFigures | null;
}
