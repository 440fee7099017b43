import type { DenialReason } from "./denial.ts";

/** Every check of an order, in the order they are made. */
export type RiskCheckName =
  | "signal_age"
  | "auto_trade"
  | "custody"
  | "powers"
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
  | "entries_of_network"
  | "size"
  | "free_money"
  | "asset_share";

/** What a check's figures count: `price` in quote units with six decimals, `quote` and `base` in base units. */
export type CheckUnit = "orders" | "trades" | "milliseconds" | "price" | "quote" | "base";

/** What a check measured and what it allows; null where it only asks whether something is so. */
export interface CheckFigures {
  readonly unit: CheckUnit;
  /** Null where there was nothing to measure. */
  readonly figure: bigint | null;
  /** Null where the figure has no upper limit. */
  readonly limit: bigint | null;
}

/** One check of an order as it was made. */
export interface RiskCheck {
  readonly name: RiskCheckName;
  /** What an order is denied for when the check fails. */
  readonly reason: DenialReason;
  readonly hasPassed: boolean;
  readonly figures: CheckFigures | null;
}
