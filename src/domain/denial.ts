/** Why we did not send an order, with the sentence the owner reads. A reason without a text does not compile. */
export const DENIAL_TEXTS = {
  already_long: "A long position is already open.",
  already_short: "A short position is already open.",
  nothing_to_close: "There is no such position to close.",
  both_sides: "The same alert already opened the other side.",
  size_too_small: "The free collateral is too small for an order.",
  below_minimum: "The order would be smaller than the smallest the market takes.",
  order_alive: "An order of the agent is still alive at the venue.",
  notional_exceeds_collateral: "The order is larger than the free collateral.",
  stale_price: "The price is too old, missing or too uncertain.",
  price_deviation: "The quote is further from the market price than the agent's slippage allows.",
  too_many_orders: "The agent reached its limit of orders: 6 a minute, 60 an hour.",
  too_many_orders_of_owner: "Your agents reached their limit of entries a minute.",
  too_many_orders_of_network: "The network reached its limit of entries a minute.",
  venue_unavailable: "The venue takes no new entries at the moment.",
  reducing_only: "The agent may only reduce its exposure at the moment.",
  loss_limit: "The agent reached its loss limit for today and may only reduce its exposure.",
  failures: "Five orders in a row failed: the agent may only reduce its exposure.",
  trading_halted: "The operator has halted all trading.",
  stopping: "Auto-trade was turned off before the order was sent.",
  signal_expired: "The order could not be sent in time.",
  first_leg_failed: "The opposite position could not be closed first.",
  joined_exit: "This position is being closed already: the alert joined that.",
  exit_ended: "The owner ended the closing of the position.",
  node_unavailable: "The network's nodes give no usable answer at the moment.",
  sub_account_missing: "The agent has no trading account yet.",
  market_unknown: "The venue does not trade the agent's market.",
  network_disabled: "The agent's network is not enabled here.",
  signing_refused: "The trading key refused to sign the order.",
  spot_only: "Jupiter is spot only: short actions need a perpetuals venue.",
  spending_limit:
    "The order is larger than what is left today of the limit the vault set the trading key.",
  custody_changed:
    "The custody on chain is not the one this agent was set up with. Nothing is traded until that is put right.",
  unknown_power:
    "Somebody else may move this agent's money: see the notices under Who can move what. Turning Auto-Trade off and on accepts it.",
  venue_refused: "The venue cannot build that order.",
} as const satisfies Record<string, string>;

export type DenialReason = keyof typeof DENIAL_TEXTS;

/** An order we refused ourselves: nothing was sent. */
export interface Denied {
  readonly kind: "denied";
  readonly reason: DenialReason;
}

/** Returns the refusal for that reason. */
export function denied(reason: DenialReason): Denied {
  return { kind: "denied", reason };
}
