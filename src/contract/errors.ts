import type { Confirmation } from "./route.ts";

/** Wire form of an error. `code` never changes once released, texts may improve. */
export interface ErrorEntry {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 421 | 422 | 429 | 500 | 503;
  /** Title of the toast. */
  readonly title: string;
  readonly message: string;
}

const entry = (status: ErrorEntry["status"], title: string, message: string): ErrorEntry => ({
  status,
  title,
  message,
});

/** Every error of the product. A code without an entry does not compile. */
export const ERRORS = {
  bad_request: entry(400, "Error", "The request is not valid."),
  unauthenticated: entry(401, "Authentication Required", "Authentication failed"),
  forbidden: entry(403, "Error", "That is not yours to use."),
  confirmation_needed: entry(403, "Confirmation Needed", "Your wallet has to confirm this change."),
  not_found: entry(404, "Error", "Not found."),
  method_not_allowed: entry(405, "Error", "Method not allowed."),
  payload_too_large: entry(413, "Error", "The request is too large."),
  unsupported_media_type: entry(415, "Error", "Send JSON."),
  host_unknown: entry(421, "Error", "This server does not answer for that host name."),
  conflict: entry(409, "Error", "That cannot be done in the present state."),
  validation_failed: entry(422, "Error", "The request is not allowed."),
  stale_signal: entry(422, "Error", "The alert is too old or too far in the future."),
  rate_limited: entry(429, "Error", "Too many requests. Try again later."),
  internal: entry(500, "Error", "Something went wrong"),
  unavailable: entry(503, "Error", "Temporarily unavailable. Try again in a moment."),
  trading_halted: entry(503, "Error", "Trading is halted."),

  alerts_missing: entry(
    422,
    "Configuration Incomplete",
    "Please create at least one alert before saving the agent. Alerts are required for the trading system.",
  ),
  rule_action_missing: entry(
    422,
    "Rule Incomplete",
    "Each rule must have a trade action selected.",
  ),
  agent_incomplete: entry(
    422,
    "Agent Incomplete",
    "Please select an asset pair and enter a name for your agent.",
  ),
  venue_missing: entry(422, "Agent Incomplete", "Please select a trading venue."),
  interval_missing: entry(422, "Agent Incomplete", "Please select a time horizon."),
  interval_out_of_range: entry(
    422,
    "Agent Incomplete",
    "Custom time interval must be between 28 minutes and 1 week.",
  ),
  alert_name_duplicate: entry(
    422,
    "Duplicate Alert Name",
    "Alert names must be unique within an agent. Please rename duplicate alerts.",
  ),
  rule_conflict: entry(
    422,
    "Rule Conflict",
    "Only one RESET_OPEN_LONG and one RESET_OPEN_SHORT rule may exist.",
  ),
  rule_sides_conflict: entry(
    422,
    "Rule Conflict",
    "Conflicting rules: the same alerts cannot both Open Long and Open Short.",
  ),
  short_needs_perpetuals: entry(422, "Rule Conflict", "Short actions need a perpetuals venue."),
  alert_unknown: entry(422, "Error", "The agent has no alert of that name."),
  alert_name_invalid: entry(422, "Error", "That alert name cannot be used."),
  condition_invalid: entry(422, "Error", "That condition cannot be used."),
  plan_invalid: entry(422, "Error", "That plan cannot be used."),
  market_unknown: entry(422, "Agent Incomplete", "The venue does not trade that asset."),
  slippage_out_of_range: entry(422, "Error", "Slippage must be between 0.01% and 5%."),
  venue_locked: entry(409, "Error", "Venue cannot be changed after initial deposit"),
  venue_unavailable: entry(409, "Error", "The venue takes no new entries at the moment."),
  network_disabled: entry(422, "Error", "That network is not enabled here."),
  bot_id_missing: entry(422, "Error", "Bot ID is required to save or update agent"),
  agent_already_exists: entry(
    409,
    "Agent Already Exists",
    "An agent with this name already exists. Please open it from the sidebar or choose a different name.",
  ),
  agent_changed: entry(
    409,
    "Changed Elsewhere",
    "This agent was changed elsewhere since it was opened. Nothing was saved.",
  ),
  chat_has_agent: entry(409, "Error", "This chat already holds an agent."),
  quota_exceeded: entry(409, "Limit Reached", "This wallet keeps no more here."),
  message_conflict: entry(409, "Error", "A different message with that id is already stored."),
  hypothesis_exists: entry(409, "Error", "That trade already has a hypothesis."),
  hypothesis_limit_exceeded: entry(429, "Error", "At most 20 hypotheses a day per agent."),

  code_mismatch: entry(422, "Not Confirmed", "That is not the code."),
  code_expired: entry(409, "Not Confirmed", "This code can no longer be used. Ask for a new one."),

  timestamp_placeholder: entry(
    422,
    "Error",
    "The timestamp still holds the placeholder {{timenow}}: use this text as the message of a TradingView alert.",
  ),
  timestamp_unreadable: entry(
    422,
    "Error",
    "The timestamp could not be read. Right are 2026-11-28T14:20:05Z, the same with an offset as 2026-11-28T15:20:05+01:00, Unix time in seconds or milliseconds and, in a TradingView alert, {{timenow}}.",
  ),
  dedup_mismatch: entry(
    409,
    "Error",
    "A different alert with the same name and timestamp was already received.",
  ),

  no_agent_found: entry(
    409,
    "No Agent Found",
    "Please create an agent first before enabling auto-trading.",
  ),
  auto_trade_disable_failed: entry(
    503,
    "Error",
    "Failed to disable auto-trade. Auto-trade remains on.",
  ),
  multisig_missing: entry(
    409,
    "Custody setup failed",
    "No multisig found for this agent. Please create the agent first through the Agent Configuration dialog.",
  ),
  multisig_mismatch: entry(
    422,
    "Update Failed",
    "The multisig on chain is not the one this agent was set up with.",
  ),
  amount_invalid: entry(
    422,
    "Invalid Amount",
    "Please enter a valid deposit amount greater than zero.",
  ),
  balance_insufficient: entry(422, "Insufficient balance", "Insufficient balance"),
  wallet_balance_too_low: entry(
    422,
    "Insufficient Wallet Balance",
    "Please add at least 0.01 SOL to pay for transaction fees.",
  ),
  set_up_balance_too_low: entry(
    422,
    "Insufficient Wallet Balance",
    "At least 0.2 SOL is required to set up a new agent.",
  ),
  vault_balance_too_low: entry(
    422,
    "Insufficient Vault Balance",
    "The vault needs at least 0.035 SOL. Please fund the vault first.",
  ),
  being_deleted: entry(
    409,
    "Being deleted",
    "This agent is being deleted. Continue deleting it, or set it up again first.",
  ),
  no_route: entry(
    409,
    "Positions not closed",
    "Nobody buys this asset now. You can move it to your wallet instead.",
  ),
  withdraw_while_on: entry(409, "Cannot Withdraw - Agent is Active", "Stop the agent first."),
  withdrawable_exceeded: entry(
    422,
    "Insufficient withdrawable funds",
    "Insufficient withdrawable funds: Maximum withdrawable amount is X USDC (considering margin requirements)",
  ),
  transaction_open: entry(
    409,
    "Error",
    "Another transaction of this agent is still open. It has to settle first.",
  ),
  /** `fields.transaction` is the id of the landed one. */
  transaction_landed: entry(
    409,
    "Error",
    "Your wallet had sent this already, and it has landed. Nothing more was asked of it.",
  ),
  /** Nothing to sign now; prepared again later, it is there. */
  order_waiting: entry(409, "Not Yet", "A closing order waits on the exchange."),
  transaction_changed: entry(
    422,
    "Error",
    "The wallet returned a transaction that is not the one prepared. Nothing was sent.",
  ),
  transaction_too_large: entry(422, "Error", "The transaction does not fit. Nothing was sent."),
  transaction_refused: entry(422, "Error", "The chain refused the transaction. Nothing was sent."),
  funds_remaining: entry(409, "Cannot delete agent", "Please withdraw all funds first."),
  faucet_limit_exceeded: entry(429, "Error", "The faucet has a limit. Try again later."),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;

/** Body of an error response. */
export interface ErrorBody {
  readonly message: string;
  readonly code: ErrorCode;
  readonly requestId: string;
  readonly title?: string;
  readonly fields?: Readonly<Record<string, string>>;
  /** Present only with `confirmation_needed`. */
  readonly confirm?: Confirmation;
}

/** An error with a code from the catalogue; `message` replaces the catalogue's text where it needs figures. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly fields: Readonly<Record<string, string>> | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly confirm: Confirmation | undefined;
  constructor(
    code: ErrorCode,
    details: {
      message?: string;
      fields?: Readonly<Record<string, string>>;
      retryAfterSeconds?: number;
      confirm?: Confirmation;
      cause?: unknown;
    } = {},
  ) {
    super(details.message ?? ERRORS[code].message, { cause: details.cause });
    this.code = code;
    this.fields = details.fields;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.confirm = details.confirm;
  }
}

/** Returns whether the value is an `AppError`, of the given code if there is one. */
export function isAppError(value: unknown, code?: ErrorCode): value is AppError {
  return value instanceof AppError && (code === undefined || value.code === code);
}

/** Returns the value; throws `not_found` where there is none. */
export function found<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new AppError("not_found");
  return value;
}
