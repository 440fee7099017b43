/** Texts of a reason: what happened and what to do about it, one or two sentences each. */
export interface ReasonWords {
  readonly what: string;
  /** What the owner can do, or what ends the condition by itself. */
  readonly todo: string;
}

const words = (what: string, todo: string): ReasonWords => ({ what, todo });

const NEXT_ALERT = "Nothing was traded. The next alert tries anew.";

/** Reasons for which we deny an order ourselves: nothing is sent. */
export const DENIALS = {
  already_long: words(
    "A long position is already open.",
    "Nothing to do: one position a market is kept.",
  ),
  already_short: words(
    "A short position is already open.",
    "Nothing to do: one position a market is kept.",
  ),
  position_full: words(
    "The position is as large as the agent's plan allows.",
    "Nothing to do. To add more, raise the largest position in the plan.",
  ),
  adds_done: words(
    "The agent has added as often as its plan allows.",
    "Nothing to do. To add more, let it add more often in the plan.",
  ),
  nothing_to_close: words(
    "There is no such position to close.",
    "Nothing to do, unless you expected one: then see why its entry did not fill.",
  ),
  both_sides: words(
    "The same alert already opened the other side.",
    "Give long and short alerts of their own in the rules.",
  ),
  size_too_small: words(
    "The account has no free money for an entry.",
    "Deposit, or close what holds the money.",
  ),
  below_minimum: words(
    "The order would be smaller than the smallest the market takes.",
    "Deposit more, or raise the position size.",
  ),
  limit_missing: words(
    "The vault gives the trading key no daily limit for this asset, so it can buy nothing.",
    "Update the limits under Manage Funds.",
  ),
  leverage_missing: words(
    "The exchange account is not set to take orders of the agent's leverage.",
    "Allow the leverage under Manage Funds, or lower it in the agent's plan.",
  ),
  limit_used: words(
    "Today's limit of the trading key is used up.",
    "It starts anew a day after the vault last renewed it. You can raise the limit under Manage Funds.",
  ),
  spending_limit: words(
    "The order is larger than what is left of the trading key's limit today.",
    "It starts anew a day after the vault last renewed it. You can raise the limit under Manage Funds.",
  ),
  order_alive: words(
    "An order of the agent is still alive at the venue.",
    "Nothing to do: it fills or dies within minutes, then the next alert trades.",
  ),
  notional_exceeds_collateral: words(
    "The order is larger than the account's free money.",
    "Deposit, or lower the position size.",
  ),
  stale_price: words("The price is too old, missing or too uncertain.", NEXT_ALERT),
  price_unconfirmed: words(
    "One price source alone answers, or the sources disagree: real money does not enter on that.",
    "Nothing was bought, and closings go on. The agent's health says what is wrong with which source.",
  ),
  price_deviation: words(
    "The quote is further from the market price than the agent's slippage allows.",
    "Nothing was traded. If it comes again, raise the slippage or choose an asset that is traded more.",
  ),
  too_many_orders: words(
    "The agent reached its limit of orders: 6 a minute, 60 an hour.",
    "Wait a minute, or an hour. If your alerts are meant to come this often, let rules count more of them.",
  ),
  too_many_orders_of_owner: words(
    "Your agents together reached their limit of 60 entries a minute.",
    "Wait a minute.",
  ),
  fee_budget_used: words(
    "Your agents used up the 0.1 SOL that this server pays in transaction fees for an owner's orders in a day, or your equal share of what it pays for everybody.",
    "It starts anew at 00:00 UTC. Closing goes on.",
  ),
  venue_unavailable: words(
    "The venue takes no new entries at the moment.",
    "Wait until it does. Closing and withdrawing stay possible.",
  ),
  reducing_only: words(
    "The operator lets agents only reduce their exposure.",
    "It ends when the operator lifts it.",
  ),
  loss_limit: words(
    "The agent lost 10% of its account today and may only reduce its exposure.",
    "It ends at 00:00 UTC. Turning auto-trade off and on does not change it.",
  ),
  own_loss_limit: words(
    "The agent lost as much of its account today as you allow it and may only reduce its exposure.",
    "It ends at 00:00 UTC, or when you allow it a larger loss.",
  ),
  own_fall_limit: words(
    "The agent's account fell as far from its peak as you allow and it may only reduce its exposure.",
    "It ends when you resume it: the peak is then measured anew.",
  ),
  own_losses_limit: words(
    "The agent lost as many trades in a row as you allow and may only reduce its exposure.",
    "It ends when you resume it: losses are then counted anew.",
  ),
  own_trades_limit: words(
    "The agent opened as many trades today as you allow and may only reduce its exposure.",
    "It ends at 00:00 UTC, or when you allow it more trades.",
  ),
  own_asset_limit: words(
    "The order would put more of your agents' money into one asset than you allow.",
    "Lower the position size, close what holds the asset, or allow a larger share.",
  ),
  failures: words(
    "Five orders in a row failed: the agent may only reduce its exposure.",
    "It ends with the next order that fills, or when you turn auto-trade off and on again. See first why they failed.",
  ),
  trading_halted: words(
    "The operator has halted all trading.",
    "It ends when the operator lifts it.",
  ),
  stopping: words(
    "Auto-trade was turned off before the order was sent.",
    "Turn auto-trade on to trade again.",
  ),
  signal_expired: words(
    "The order could not be sent in time.",
    "Nothing was traded. Its alert is too old to trade on by now; the next one tries anew.",
  ),
  first_leg_failed: words(
    "The opposite position could not be closed first.",
    "See why under the closing order. The position is still open.",
  ),
  joined_exit: words(
    "This position is being closed already: the alert joined that.",
    "Nothing to do: it goes on until the position is closed.",
  ),
  exit_ended: words(
    "The owner ended the closing of the position.",
    "What was open then is open still. Close it when you want it closed.",
  ),
  restored: words(
    "The records were restored from a backup, and the agent had traded after it.",
    "Nothing was traded: it may have been done already. Look at the position, then the next alert trades.",
  ),
  node_unavailable: words(
    "The network's nodes give no usable answer at the moment.",
    "Nothing to do: it is tried again until one answers.",
  ),
  unconfirmed: words(
    "A node shows an account that this agent's trades and deposits do not explain, and no other node confirms it.",
    "Nothing was traded. See the notices for what it shows; the next alert trades once it is confirmed.",
  ),
  sub_account_missing: words(
    "The agent has no trading account yet.",
    "Make the first deposit: it opens the account.",
  ),
  market_unknown: words(
    "The venue does not trade the agent's market.",
    "Choose another asset in the agent's configuration.",
  ),
  network_disabled: words(
    "The agent's network is not enabled here.",
    "Ask whoever runs this server to enable it.",
  ),
  signing_refused: words(
    "The trading key refused to sign the order.",
    "See Manage Funds whether the key was revoked. Otherwise tell whoever runs this server.",
  ),
  signing_limit: words(
    "The trading key has signed as much for this agent as it may: orders a minute or a day, network fees, or what the orders of an hour or a day cost against the market's price.",
    "Nothing was traded, and a closing is tried again by itself. Where orders cost too much, the order's decision says from when entries are signed again; the rest goes on with the next minute or day (UTC). If you do not know why there were so many, revoke the trading key under Manage Funds.",
  ),
  market_moved: words(
    "The price moved between deciding and signing: by then the order was too far from the market for the agent's slippage, or larger than its account, and the trading key refused to sign it.",
    "Nothing was traded. The next alert tries anew, and a closing is tried again by itself. If it comes often, choose an asset that moves less.",
  ),
  spot_only: words(
    "The venue is spot only: short actions need a perpetuals venue.",
    "Remove the short rules, or use an agent on a perpetuals venue.",
  ),
  custody_changed: words(
    "The custody on chain is not the one this agent was set up with. Nothing is traded until that is put right.",
    "See Manage Funds for what differs and how to put it right.",
  ),
  unknown_power: words(
    "Somebody else may move this agent's money.",
    "See the notices under Who can move what. Turning Auto-Trade off and on accepts it.",
  ),
  venue_refused: words(
    "The venue has no way to fill that order now.",
    "Nothing was traded. If it comes again, choose an asset that is traded more.",
  ),
} as const satisfies Readonly<Record<string, ReasonWords>>;

/** Why we did not send an order. A reason without a text does not compile. */
export type DenialReason = keyof typeof DENIALS;

/** An order we denied ourselves: nothing was sent. */
export interface Denied {
  readonly kind: "denied";
  readonly reason: DenialReason;
}

/** Returns the denial for a reason. */
export function denied(reason: DenialReason): Denied {
  return { kind: "denied", reason };
}

/** Reasons for which an alert ends without an order. */
const ALERT_REASONS = {
  trading_off: words(
    "Auto-trade is off.",
    "Turn it on to trade on alerts. This one did not count.",
  ),
  stale_signal: words(
    "The alert is too old or too far in the future.",
    "Keep {{timenow}} as the timestamp in the alert's message, and see that the sender's clock is right.",
  ),
  closings_only: words(
    "The alert is too old or too far in the future: it counted for closing rules only.",
    "See that the clocks of the sender and of the server are right.",
  ),
  alert_unknown: words(
    "The agent has no alert of that name.",
    "Add an alert of that name to the agent, or change the name in the alert's message.",
  ),
  alert_name_invalid: words(
    "That alert name cannot be used.",
    "Use a name without control characters, the same in the agent and in the alert's message.",
  ),
  timestamp_placeholder: words(
    "The timestamp still holds the placeholder {{timenow}}.",
    "Use the text as the message of a TradingView alert: TradingView fills the time in.",
  ),
  timestamp_unreadable: words(
    "The timestamp could not be read.",
    "Write it as 2026-11-28T14:20:05Z, with an offset as 2026-11-28T15:20:05+01:00, or as Unix time in seconds or milliseconds.",
  ),
  dedup_mismatch: words(
    "A different alert with the same name and time was already received.",
    "Let alerts of one name come at different times, with {{timenow}} as their timestamp.",
  ),
  bar_missed: words(
    "The bar closed too long ago: nothing evaluated the condition in time.",
    "Nothing was traded. The next bar is evaluated when it closes.",
  ),
  bars_unlisted: words(
    "Nothing evaluated the agent's conditions for a long time: what would have fired up to this bar is not listed.",
    "Nothing was traded. The next bar is evaluated when it closes; Simulate shows on which bars it would have fired.",
  ),
  rate_limited: words("Too many alerts in a minute.", "Let the alert fire once per bar."),
} as const satisfies Readonly<Record<string, ReasonWords>>;

/** Reasons of sent orders that did not simply fill. */
const ORDER_REASONS = {
  expired: words(
    "The order did not reach the chain in time. Nothing was traded.",
    "The next alert tries anew.",
  ),
  not_filled: words(
    "The order reached the venue but found nobody to trade with at a price that the agent's slippage allows.",
    "Nothing was traded. If it comes again, raise the slippage.",
  ),
  partially_filled: words(
    "Partly filled: nobody traded the rest at an acceptable price, and it was cancelled.",
    "The size is what was traded. If it comes again, raise the slippage or lower the position size.",
  ),
  limit_reduced: words(
    "Smaller than your position size: it is what was left of the trading key's limit today.",
    "The limit starts anew a day after the vault last renewed it. You can raise it under Manage Funds.",
  ),
  resting: words(
    "At the venue, waiting to be filled.",
    "Nothing to do: it fills or is cancelled within minutes.",
  ),
  cancelled: words(
    "Nobody traded with the order at an acceptable price, and it was cancelled.",
    "Nothing was traded. If it comes again, raise the slippage.",
  ),
  fills_unread: words(
    "The order is over, but the log of a transaction that filled it was cut: what it traded, and at which price, is not known.",
    "See the open position: it is read from the chain and is right. The trade log and the figures made from it lack this trade.",
  ),
  outcome_unknown: words(
    "Sent, no answer yet - checking the chain.",
    "Nothing to do: it is settled as soon as the chain answers, and never sent twice.",
  ),
  fee_payer_empty: words(
    "The server's account that pays the network fees of orders is empty, so the order waits.",
    "Tell the operator to send it SOL: the order is sent again for about a minute, and a closing is tried again until it fills.",
  ),
  program_refused: words(
    "A program at the venue refused the order with a code of its own.",
    "Nothing was traded. Most often the order is too small or the price moved; look the code up with the venue if it comes again.",
  ),
} as const satisfies Readonly<Record<string, ReasonWords>>;

/** Every reason the product records, with what happened and what to do. */
export const REASONS = { ...DENIALS, ...ALERT_REASONS, ...ORDER_REASONS };

export type ReasonCode = keyof typeof REASONS;

/** Reasons that only logs of earlier versions hold. */
const FORMER_REASONS: Readonly<Record<string, ReasonWords>> = {
  too_many_orders_of_network: words(
    "All agents of this network together reached their limit of 300 entries a minute, the last 60 of them kept for owners with fewer than 6.",
    "Wait a minute.",
  ),
};

/** Splits a reason into its code and, for `program_refused`, the program's own code after a space. */
const splitCode = (reason: string): readonly [code: string, detail: string | undefined] => {
  const [code = "", detail] = reason.split(" ", 2);
  return code === "program_refused" ? [code, detail] : [reason, undefined];
};

/** Returns the texts of a recorded reason; null for a venue's own message. */
export function reasonWords(reason: string): ReasonWords | null {
  const [code, detail] = splitCode(reason);
  const known: Readonly<Record<string, ReasonWords>> = { ...FORMER_REASONS, ...REASONS };
  const found = Object.hasOwn(known, code) ? known[code] : undefined;
  if (found === undefined) return null;
  return detail === undefined
    ? found
    : { ...found, what: found.what.replace(/\.$/, ` (code ${detail}).`) };
}

/** A closing that did not fill is sent again automatically, whatever the reason. */
const CLOSING_TODO = "Nothing to do: closing is tried again until nothing is left, or you stop it.";

/** Returns what happened; a venue's own message is returned unchanged. */
export const reasonWhat = (reason: string): string => reasonWords(reason)?.what ?? reason;

/** Returns what to do about the reason of an order or an alert; null where nothing is known. */
export function reasonTodo(reason: string, signal = ""): string | null {
  const [code] = splitCode(reason);
  const isSent = reasonWords(reason) === null || Object.hasOwn(ORDER_REASONS, code);
  if (isSent && signal.startsWith("CLOSE_")) return CLOSING_TODO;
  return reasonWords(reason)?.todo ?? null;
}

/** Returns what happened and what to do as one text. */
export function reasonText(reason: string, signal = ""): string {
  return [reasonWhat(reason), reasonTodo(reason, signal)].filter(Boolean).join(" ");
}
