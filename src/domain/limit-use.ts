/** Limits an agent reaches through its own actions; each blocks entries, never an exit. */
export type AgentLimit =
  | "orders_a_minute"
  | "orders_an_hour"
  | "failures"
  | "daily_loss"
  | "fall"
  | "trades_a_day"
  | "losses_in_a_row";

/** Usage of a limit: a number of orders, or a loss in quote base units. */
export interface LimitUse {
  readonly limit: AgentLimit;
  readonly used: bigint;
  readonly most: bigint;
}

/** Returns whether a limit is reached. An empty account has a limit of zero and no loss, and has not reached it. */
export const isReached = ({ used, most }: LimitUse): boolean => used > 0n && used >= most;

/** Returns whether a limit is close enough to warn about: few orders are left, or half of the allowed loss is used. */
export function isNear({ limit, used, most }: LimitUse): boolean {
  switch (limit) {
    case "orders_a_minute":
    case "failures":
      return most - used <= 2n;
    case "orders_an_hour":
      return most - used <= 5n;
    case "trades_a_day":
    case "losses_in_a_row":
      return used > 0n && most - used <= 1n;
    case "daily_loss":
    case "fall":
      return used > 0n && used * 2n >= most;
  }
}
