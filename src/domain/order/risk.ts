import { mulDiv } from "../amount.ts";
import { type Denied, type DenialReason, denied } from "../reasons.ts";
import { isReached, type LimitUse } from "../limit-use.ts";
import type { Approved, OrderIntent } from "./order.ts";
import { notionalOf } from "./order-intent.ts";
import type { AccountState } from "../position.ts";
import { MAX_EXIT_PRICE_AGE_MS } from "../exit.ts";
import type { CheckFigures, CheckUnit, RiskCheck, RiskCheckName } from "../risk-check.ts";
import { fallUse, lossesUse, tradesUse } from "../owner-history.ts";
import type { OwnerLimits } from "../owner-limits.ts";
import {
  DAILY_LOSS_LIMIT_BPS,
  failureUse,
  isOfToday,
  lossLimitBps,
  lossUse,
  type RiskLedger,
} from "../risk-ledger.ts";
import type { TradingState } from "../trading-state.ts";

/** Oldest price an entry may be based on, in milliseconds. */
export const MAX_PRICE_AGE_MS = 30_000;

/** Widest confidence interval of a price an order may be based on, in basis points of the price. */
export const MAX_CONFIDENCE_BPS = 200n;

/**
 * Orders an agent may send per minute before its entries are denied. Exits are never denied for the number of orders.
 */
export const MAX_ORDERS_PER_MINUTE = 6;
export const MAX_ORDERS_PER_HOUR = 60;

/** Entries that all agents of one owner may send per minute on one network. */
export const MAX_ENTRIES_PER_MINUTE_OF_OWNER = 60;

/**
 * Fees in lamports that the deployment's fee payer offers per day for all agents of one owner on one network before
 * their entries are denied: 0.1 SOL, about ten thousand orders at the lowest price of a place in a block and 2,500 at
 * the default highest. Exits are never denied for it.
 */
export const MAX_FEES_PER_DAY_OF_OWNER = 100_000_000n;

/**
 * Fees in lamports offered per day for all owners on one network, 5 SOL, beyond which an owner has no more than an equal
 * share of them. Wallets cost nothing, so an owner's own limit alone would not bound the sum.
 */
export const MAX_FEES_PER_DAY = 5_000_000_000n;

/** Fees in lamports that every owner has per day whatever others do: 0.001 SOL, about a hundred orders. */
export const LEAST_FEES_PER_DAY_OF_OWNER = 1_000_000n;

/** A market's price as the venue reported it, quote units with six decimals, or null when it did not answer. */
export interface PriceReading {
  readonly price: bigint;
  readonly confidence: bigint;
  readonly publishedAtMs: number;
  /** False while too few of its sources agree for an entry; absent: it has one source that counts. */
  readonly isConfirmed?: boolean;
}

/** Total value of all agents of a wallet on one network, and the part of it in one asset; quote base units. */
export interface WalletMoney {
  readonly total: bigint;
  readonly inAsset: bigint;
}

/** Inputs of the risk checks beside the order itself. */
export interface RiskContext {
  readonly nowMs: number;
  readonly price: PriceReading | null;
  readonly account: AccountState;
  readonly quoteDecimals: number;
  readonly isVenueAvailable: boolean;
  /** The state set by the deployment and the owner's switch; the agent's own history is in `ledger`. */
  readonly tradingState: TradingState;
  readonly ledger: RiskLedger;
  /** Orders the agent sent within the last minute and hour. */
  readonly ordersLastMinute: number;
  readonly ordersLastHour: number;
  /** Entries that its owner's agents on the agent's network sent within the last minute. */
  readonly entriesLastMinuteOfOwner: number;
  /** Fees offered today (UTC) for the orders of its owner's agents on the agent's network, in lamports. */
  readonly feesTodayOfOwner: bigint;
  /** The same for all owners on the network, and how many they are; zero while its owner is below the least limit. */
  readonly feesTodayOfAll: bigint;
  readonly ownersToday: number;
  /** Limits the owner set for the agent. */
  readonly limits: OwnerLimits;
  /** Present where the owner limits the share of one asset; otherwise null. */
  readonly walletMoney: WalletMoney | null;
  /** Leverage of the agent's entries, 1 to 5. */
  readonly leverage: number;
}

/** Returns whether a price is fresh and certain enough to trade on. A price from the future is not. */
export function isPriceUsable(price: PriceReading | null, nowMs: number): boolean {
  if (price === null || price.price <= 0n) return false;
  const ageMs = nowMs - price.publishedAtMs;
  return (
    Math.abs(ageMs) <= MAX_PRICE_AGE_MS &&
    price.confidence <= mulDiv(price.price, MAX_CONFIDENCE_BPS, 10_000n, "down")
  );
}

/** Returns whether an entry may be based on a price, and an exit's limit be as narrow as the agent's. */
export const isEntryPriceUsable = (price: PriceReading | null, nowMs: number): boolean =>
  isPriceUsable(price, nowMs) && price?.isConfirmed !== false;

/** Returns whether an exit may be based on a price; the exit's limit bounds the cost of an old one. */
export function isExitPriceUsable(price: PriceReading | null, nowMs: number): boolean {
  if (price === null || price.price <= 0n) return false;
  return Math.abs(nowMs - price.publishedAtMs) <= MAX_EXIT_PRICE_AGE_MS;
}

/** Result of an order's checks: all are made, and the first failed one is the reason of the denial. */
export type Approval = (
  | { readonly kind: "approved"; readonly intent: Approved<OrderIntent> }
  | Denied
) & { readonly checks: readonly RiskCheck[] };

/**
 * Checks an order against every limit. Only an order this function approves can reach a venue.
 *
 * A reducing order is denied for the operator's halt and for a missing price, never for the agent's own history.
 */
export function approve(intent: OrderIntent, context: RiskContext): Approval {
  const checks = intent.reduceOnly ? exitChecks(intent, context) : entryChecks(intent, context);
  const failed = checks.find(({ hasPassed }) => !hasPassed);
  return failed === undefined
    ? { kind: "approved", intent: intent as Approved<OrderIntent>, checks }
    : { ...denied(failed.reason), checks };
}

const exitChecks = (intent: OrderIntent, context: RiskContext): RiskCheck[] => [
  haltCheck(context),
  priceAgeCheck(context, MAX_EXIT_PRICE_AGE_MS),
  sizeCheck(intent),
];

const entryChecks = (intent: OrderIntent, context: RiskContext): RiskCheck[] => [
  haltCheck(context),
  check("venue", "venue_unavailable", context.isVenueAvailable),
  check("reducing", "reducing_only", context.tradingState !== "reducing"),
  ...historyChecks(context),
  ...ownerChecks(context),
  priceAgeCheck(context, MAX_PRICE_AGE_MS),
  certaintyCheck(context),
  ...rateChecks(context),
  sizeCheck(intent),
  moneyCheck(intent, context),
  ...assetChecks(intent, context),
];

function check(
  name: RiskCheckName,
  reason: DenialReason,
  hasPassed: boolean,
  figures: CheckFigures | null = null,
): RiskCheck {
  return { name, reason, hasPassed, figures };
}

const figuresOf = ({ used, most }: LimitUse, unit: CheckUnit): CheckFigures => ({
  unit,
  figure: used,
  limit: most,
});

const haltCheck = ({ tradingState }: RiskContext): RiskCheck =>
  check("trading_halted", "trading_halted", tradingState !== "halted");

function historyChecks({ ledger, account, limits, nowMs }: RiskContext): RiskCheck[] {
  const failures = failureUse(ledger);
  const loss = lossUse(ledger, account, limits);
  const isOwn = lossLimitBps(limits) < DAILY_LOSS_LIMIT_BPS;
  const isLost = ledger.lossSinceMs !== null && isOfToday(ledger, nowMs);
  const lossReason = isOwn ? "own_loss_limit" : "loss_limit";
  return [
    check("failures", "failures", !isReached(failures), figuresOf(failures, "orders")),
    check("daily_loss", lossReason, !isLost, figuresOf(loss, "quote")),
  ];
}

/** Only limits the owner has set are checked. */
function ownerChecks({ ledger: { own }, account, limits }: RiskContext): RiskCheck[] {
  const fall = fallUse(own, account, limits);
  const losses = lossesUse(own, limits);
  const trades = tradesUse(own, limits);
  const checked = (
    name: RiskCheckName,
    reason: DenialReason,
    use: LimitUse | null,
    unit: CheckUnit,
  ) => (use === null ? [] : [check(name, reason, !isReached(use), figuresOf(use, unit))]);
  return [
    ...checked("fall", "own_fall_limit", fall, "quote"),
    ...checked("losses_in_a_row", "own_losses_limit", losses, "trades"),
    ...checked("trades_a_day", "own_trades_limit", trades, "trades"),
  ];
}

function priceAgeCheck({ price, nowMs }: RiskContext, mostMs: number): RiskCheck {
  const ageMs = price === null || price.price <= 0n ? null : Math.abs(nowMs - price.publishedAtMs);
  return check("price_age", "stale_price", ageMs !== null && ageMs <= mostMs, {
    unit: "milliseconds",
    figure: ageMs === null ? null : BigInt(Math.ceil(ageMs)),
    limit: BigInt(mostMs),
  });
}

function certaintyCheck({ price }: RiskContext): RiskCheck {
  if (price === null || price.price <= 0n) {
    return check("price_certainty", "stale_price", false, {
      unit: "price",
      figure: null,
      limit: null,
    });
  }
  const limit = mulDiv(price.price, MAX_CONFIDENCE_BPS, 10_000n, "down");
  const figures = { unit: "price", figure: price.confidence, limit } as const;
  const isConfirmed = price.isConfirmed !== false;
  const reason = isConfirmed ? "stale_price" : "price_unconfirmed";
  return check("price_certainty", reason, isConfirmed && price.confidence <= limit, figures);
}

/** Returns the usage of the agent's order limits. */
export function orderUses({
  ordersLastMinute,
  ordersLastHour,
}: Pick<RiskContext, "ordersLastMinute" | "ordersLastHour">) {
  return [
    {
      limit: "orders_a_minute",
      used: BigInt(ordersLastMinute),
      most: BigInt(MAX_ORDERS_PER_MINUTE),
    },
    { limit: "orders_an_hour", used: BigInt(ordersLastHour), most: BigInt(MAX_ORDERS_PER_HOUR) },
  ] as const satisfies readonly LimitUse[];
}

/** Returns the fees its owner may have offered today: no owner is denied before his own share is used. */
function feeLimitOf({ feesTodayOfAll, ownersToday }: RiskContext): bigint {
  if (feesTodayOfAll < MAX_FEES_PER_DAY) return MAX_FEES_PER_DAY_OF_OWNER;
  const share = MAX_FEES_PER_DAY / BigInt(Math.max(1, ownersToday));
  const atLeast = share > LEAST_FEES_PER_DAY_OF_OWNER ? share : LEAST_FEES_PER_DAY_OF_OWNER;
  return atLeast < MAX_FEES_PER_DAY_OF_OWNER ? atLeast : MAX_FEES_PER_DAY_OF_OWNER;
}

function rateChecks(context: RiskContext): RiskCheck[] {
  const ofOwner = context.entriesLastMinuteOfOwner;
  const fees = context.feesTodayOfOwner;
  const mostFees = feeLimitOf(context);
  return [
    ...orderUses(context).map((use) =>
      check(use.limit, "too_many_orders", !isReached(use), figuresOf(use, "orders")),
    ),
    check(
      "entries_of_owner",
      "too_many_orders_of_owner",
      ofOwner < MAX_ENTRIES_PER_MINUTE_OF_OWNER,
      counted(ofOwner, MAX_ENTRIES_PER_MINUTE_OF_OWNER),
    ),
    check("fees_of_owner", "fee_budget_used", fees < mostFees, {
      unit: "lamports",
      figure: fees,
      limit: mostFees,
    }),
  ];
}

const counted = (figure: number, limit: number): CheckFigures => ({
  unit: "orders",
  figure: BigInt(figure),
  limit: BigInt(limit),
});

const sizeCheck = ({ baseSize }: OrderIntent): RiskCheck =>
  check("size", "size_too_small", baseSize > 0n, { unit: "base", figure: baseSize, limit: null });

function moneyCheck(
  intent: OrderIntent,
  { account, quoteDecimals, leverage }: RiskContext,
): RiskCheck {
  const { referencePrice, market, baseSize } = intent;
  const figure = baseSize <= 0n ? 0n : notionalOf(baseSize, referencePrice, market, quoteDecimals);
  const limit = account.freeCollateral * BigInt(leverage);
  return check("free_money", "notional_exceeds_collateral", figure <= limit, {
    unit: "quote",
    figure,
    limit,
  });
}

/** The order's own notional counts towards the share of the asset. */
function assetChecks(
  { referencePrice, market, baseSize }: OrderIntent,
  { walletMoney, quoteDecimals, limits: { assetShareBps } }: RiskContext,
): RiskCheck[] {
  if (assetShareBps === null) return [];
  const worth = baseSize <= 0n ? 0n : notionalOf(baseSize, referencePrice, market, quoteDecimals);
  const figure = walletMoney === null ? null : walletMoney.inAsset + worth;
  const limit = mulDiv(walletMoney?.total ?? 0n, BigInt(assetShareBps), 10_000n, "down");
  const hasPassed = figure !== null && figure <= limit;
  return [check("asset_share", "own_asset_limit", hasPassed, { unit: "quote", figure, limit })];
}
