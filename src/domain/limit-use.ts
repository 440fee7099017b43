/** Limits an agent runs into by what it did itself; each holds back entries, never an exit. */
export type AgentLimit =
  | "orders_a_minute"
  | "orders_an_hour"
  | "failures"
  | "daily_loss"
  | "fall"
  | "trades_a_day"
  | "losses_in_a_row";

/** How far a limit is used: orders, or quote base units of a loss. */
export interface LimitUse {
  readonly limit: AgentLimit;
  readonly used: bigint;
  readonly most: bigint;
}

/** Says whether a limit now holds. Of an empty account nothing can be lost, and its limit is zero. */
export const isReached = ({ used, most }: LimitUse): boolean => used > 0n && used >= most;

/** Says whether a limit is close enough to be told: a few orders are left, or half of the loss. */
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
