import { mulDiv } from "../amount.ts";
import { exitLimitBps } from "../exit.ts";
import type { AccountState, Side } from "../position.ts";
import { isEntryPriceUsable, type PriceReading } from "./risk.ts";
import { MOVE_ALLOWANCE_BPS, refuseSize } from "./signing-limits.ts";

/**
 * What a signature is for: an order that opens, one that only reduces, orders that rest to protect a position, or what
 * follows an order.
 */
export const SIGNATURE_KINDS = ["entry", "exit", "protective", "upkeep"] as const;

export type SignatureKind = (typeof SIGNATURE_KINDS)[number];

/**
 * Signatures of one agent per minute and UTC day, and fees in lamports per UTC day, by kind. Exits have budgets of their
 * own: neither entries nor protective orders nor follow-ups use them up.
 */
export const SIGNING_BUDGETS = {
  entry: { perMinute: 10, perDay: 1_500, lamports: 100_000_000n },
  exit: { perMinute: 60, perDay: 10_000, lamports: 500_000_000n },
  protective: { perMinute: 30, perDay: 5_000, lamports: 200_000_000n },
  upkeep: { perMinute: 120, perDay: 20_000, lamports: 200_000_000n },
} as const;

/** Fees of a kind that a deployment pays per network and UTC day: the budgets of that many agents. */
export const DEPLOYMENT_AGENTS = 100n;

/**
 * Price cost of an agent's orders within an hour and a UTC day, an entry at its worst among them, in basis points of its
 * worth, whatever its slippage and leverage: an entry's limit is narrowed to what is left of them.
 */
export const HOUR_COST_BPS = 250n;
export const DAY_COST_BPS = 1_000n;

/** Narrowest limit that an entry is asked to have; with less left it waits. */
const LEAST_ENTRY_LIMIT_BPS = 5n;

/** Price cost of exits within an hour up to which an exit may be wide, in basis points of the account's worth. */
export const WIDE_EXIT_COST_BPS = 175n;

/** Distance from the market's price at which an exit is signed whatever exits have cost, divided by the leverage. */
const LEAST_EXIT_BPS = 100n;

/** After this time since its first failed attempt an exit widens whatever it costs, in milliseconds. */
export const WIDE_EXIT_WAIT_MS = 3_600_000;

/** A wider exit that was asked for and refused counts as a failed attempt after this time, in milliseconds. */
export const REFUSED_EXIT_MS = 75_000;

/** Fee of a venue counted with an order's worst price, in basis points of its notional. */
const VENUE_FEE_BPS = 10n;

const BPS = 10_000n;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

const nextDayMs = (nowMs: number): number => (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;

/** An account as the signer read it before a signature; amounts in quote base units. */
export interface AccountReading {
  readonly slot: bigint;
  readonly worth: bigint;
  /** Collateral available for an entry. */
  readonly free: bigint;
  /** Worth of all positions, long plus short. */
  readonly held: bigint;
  /** Quote tokens less what open positions cost and less net deposits where the venue tells these. */
  readonly cash: bigint;
  /** Position in base units by market, negative for a short; no entry for a flat market. */
  readonly positions: Readonly<Record<string, bigint>>;
  /** Whether an order of the account can still trade. */
  readonly hasOpenOrders: boolean;
}

/**
 * An order to be signed; amounts in quote base units at the price the signer read, those of a protective order at its
 * trigger.
 */
export interface OrderToSign {
  readonly kind: Exclude<SignatureKind, "upkeep">;
  readonly marketId: string;
  readonly baseSize: bigint;
  readonly notional: bigint;
  /** Distance of its worst price from the market's, or from its trigger, in basis points, 0 when better. */
  readonly beyondBps: bigint;
  /** Cost against the market's price at its worst, fees of the venue included. */
  readonly cost: bigint;
  /** How far the market's price is uncertain while its sources disagree, in basis points: that far is no cost. */
  readonly uncertainBps?: bigint;
  /** Whether the price is recent and certain enough for an entry. */
  readonly isPriceUsable: boolean;
  readonly account: AccountReading;
}

/** Returns what the budgets need of an account's state; `cash` as for `AccountReading`. */
export const toReading = (
  { slot, portfolioValue, freeCollateral, positions, openOrderCount }: AccountState,
  cash: bigint,
): AccountReading => ({
  slot,
  worth: portfolioValue,
  free: freeCollateral,
  held: positions.reduce(
    (sum, { positionValue }) => sum + (positionValue < 0n ? -positionValue : positionValue),
    0n,
  ),
  cash,
  positions: Object.fromEntries(
    positions.map(({ marketId, side, baseSize }) => [
      marketId,
      side === "long" ? baseSize : -baseSize,
    ]),
  ),
  hasOpenOrders: openOrderCount > 0,
});

const lower = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Returns the later of two readings with the smaller of what each says there is, and the larger of what is held. */
export const smallerOf = (first: AccountReading, second: AccountReading): AccountReading => ({
  ...(second.slot < first.slot ? first : second),
  worth: lower(first.worth, second.worth),
  free: lower(first.free, second.free),
  held: first.held > second.held ? first.held : second.held,
  hasOpenOrders: first.hasOpenOrders || second.hasOpenOrders,
});

/** Returns an order with its distance from the market's price and what it costs at its worst. */
export function toOrder(
  order: Pick<OrderToSign, "marketId" | "baseSize" | "notional" | "account"> & {
    readonly side: Side;
    readonly price: bigint;
    readonly reduceOnly: boolean;
  },
  market: PriceReading,
  nowMs: number,
): OrderToSign {
  const { marketId, baseSize, notional, account, side, price, reduceOnly } = order;
  const uncertain = market.isConfirmed === false ? market.confidence : 0n;
  const beyond = (side === "long" ? price - market.price : market.price - price) - uncertain;
  const beyondBps = beyond <= 0n ? 0n : mulDiv(beyond, BPS, market.price, "up");
  return {
    kind: reduceOnly ? "exit" : "entry",
    marketId,
    baseSize,
    notional,
    beyondBps,
    cost: mulDiv(notional, beyondBps + VENUE_FEE_BPS, BPS, "up"),
    uncertainBps: mulDiv(uncertain, BPS, market.price, "down"),
    isPriceUsable: isEntryPriceUsable(market, nowMs),
    account,
  };
}

/** Returns a protective order with what it costs against its trigger's price at its worst. */
export const toProtectiveOrder = (
  order: Pick<OrderToSign, "marketId" | "baseSize" | "notional" | "beyondBps" | "account">,
): OrderToSign => ({
  ...order,
  kind: "protective",
  cost: mulDiv(order.notional, order.beyondBps + VENUE_FEE_BPS, BPS, "up"),
  isPriceUsable: true,
});

/** Returns the most an entry of the whole account costs at this leverage, in quote base units. */
export const worstEntryCost = (
  worth: bigint,
  { slippageBps, leverage }: Pick<OrderTerms, "slippageBps" | "leverage">,
): bigint =>
  mulDiv(
    worth * BigInt(leverage),
    BigInt(slippageBps) + MOVE_ALLOWANCE_BPS + VENUE_FEE_BPS,
    BPS,
    "up",
  );

/** Failed attempts of the present exit of a market. */
export interface FailedAttempts {
  readonly count: number;
  readonly firstMs: number;
}

/** What one agent's signatures add up to; costs in quote base units. */
export interface SignedSums {
  readonly counts: Readonly<
    Record<
      SignatureKind,
      { readonly minute: number; readonly day: number; readonly lamports: bigint }
    >
  >;
  readonly costs: { readonly hour: bigint; readonly exitsOfHour: bigint; readonly day: bigint };
  /** What the hour is made of, oldest first, and when each leaves it. */
  readonly hourly: readonly { readonly cost: bigint; readonly untilMs: number }[];
  readonly failedExits: Readonly<Record<string, FailedAttempts>>;
  /** Orders that are not decided yet; their worst is part of the costs. */
  readonly open: readonly { readonly kind: SignatureKind; readonly notional: bigint }[];
}

/** Why something is not signed by the ledger; `limitBps` is the widest slippage the order may have now. */
export interface BudgetRefusal {
  readonly text: string;
  readonly limitBps?: number;
  /** When entries go on, in milliseconds. */
  readonly untilMs?: number;
  /** An earlier order is not decided yet: ask again. */
  readonly isUndecided?: true;
}

/** Returns why one more signature is beyond an agent's numbers and fees, or null. */
export function refuseNumber(
  kind: SignatureKind,
  lamports: bigint,
  { counts }: SignedSums,
): BudgetRefusal | null {
  const [used, budget] = [counts[kind], SIGNING_BUDGETS[kind]];
  if (used.minute >= budget.perMinute) return { text: "too many signatures within a minute" };
  if (used.day >= budget.perDay) return { text: "too many signatures today" };
  return used.lamports + lamports > budget.lamports ? { text: "too many fees today" } : null;
}

/** Returns why a deployment does not sign for these fees of a network, kind and UTC day, or null. */
export const refuseDeployment = (kind: SignatureKind, lamports: bigint): BudgetRefusal | null =>
  lamports > SIGNING_BUDGETS[kind].lamports * DEPLOYMENT_AGENTS
    ? { text: "too many fees of the deployment today" }
    : null;

/** What an order is judged by beside its sums; `leverage` is 1 to 5. */
interface OrderTerms {
  readonly slippageBps: number;
  readonly leverage: number;
  readonly nowMs: number;
}

/** Returns why an order is not signed for what it may cost or open, or null. */
export function refuseOrder(
  order: OrderToSign,
  sums: SignedSums,
  terms: OrderTerms,
): BudgetRefusal | null {
  switch (order.kind) {
    case "entry":
      return refuseEntry(order, sums, terms);
    case "exit":
      return refuseExit(order, sums, terms);
    case "protective":
      // What it costs is counted once it has closed something
      return null;
  }
}

function refuseEntry(
  { notional, cost, account }: OrderToSign,
  sums: SignedSums,
  { leverage, nowMs }: OrderTerms,
): BudgetRefusal | null {
  const { worth } = account;
  const { costs, open } = sums;
  const growing = open.reduce(
    (sum, each) => (each.kind === "entry" ? sum + each.notional : sum),
    0n,
  );
  if (growing > 0n && refuseSize(notional + growing, account, leverage) !== null) {
    return { text: "an earlier entry can still trade", isUndecided: true };
  }
  const share = (bps: bigint) => mulDiv(worth, bps, BPS, "down");
  const left = lower(share(HOUR_COST_BPS) - costs.hour, share(DAY_COST_BPS) - costs.day);
  if (cost <= left) return null;
  const others = VENUE_FEE_BPS + moveAllowance(leverage);
  const limit = notional <= 0n ? 0n : (left * BPS) / notional - others;
  if (limit >= LEAST_ENTRY_LIMIT_BPS) {
    return { text: "the entry is wider than the costs of this hour allow", limitBps: toBps(limit) };
  }
  const needed = mulDiv(notional, LEAST_ENTRY_LIMIT_BPS + others, BPS, "up");
  return costs.day + needed > share(DAY_COST_BPS)
    ? { text: "orders of today cost too much", untilMs: nextDayMs(nowMs) }
    : {
        text: "orders of this hour cost too much",
        untilMs: hourUntil(sums, share(HOUR_COST_BPS) - needed, nowMs),
      };
}

/** Returns when what counts in the hour is no more than this, if nothing is added. */
function hourUntil({ costs, hourly }: SignedSums, most: bigint, nowMs: number): number {
  let left = costs.hour;
  for (const { cost, untilMs } of hourly) {
    left -= cost;
    if (left <= most) return untilMs;
  }
  return nowMs + HOUR_MS;
}

function refuseExit(
  { marketId, notional, beyondBps, uncertainBps = 0n, isPriceUsable, account }: OrderToSign,
  { costs, failedExits }: SignedSums,
  { slippageBps, leverage, nowMs }: OrderTerms,
): BudgetRefusal | null {
  const failed = failedExits[marketId];
  const tried = exitLimitBps(slippageBps, isPriceUsable ? (failed?.count ?? 0) : Infinity);
  const widest = BigInt(tried) + MOVE_ALLOWANCE_BPS;
  const isLong = failed !== undefined && nowMs - failed.firstMs >= WIDE_EXIT_WAIT_MS;
  const left = mulDiv(account.worth, WIDE_EXIT_COST_BPS, BPS, "down") - costs.exitsOfHour;
  const affordable = notional <= 0n || left <= 0n ? 0n : (left * BPS) / notional;
  const least = lower(BigInt(slippageBps) + MOVE_ALLOWANCE_BPS, LEAST_EXIT_BPS / BigInt(leverage));
  const wide = lower(widest, affordable);
  const most = isLong ? widest : wide > least ? wide : least;
  if (beyondBps <= most) return null;
  return {
    text: "the exit is wider than its failed attempts allow",
    limitBps: toBps(most - moveAllowance(leverage) + uncertainBps),
  };
}

/** What of an order's distance from the market is left to a market that moves until it is signed. */
const moveAllowance = (leverage: number): bigint => MOVE_ALLOWANCE_BPS / BigInt(leverage);

/** A count of basis points, at least 0; more than any limit has is all the same. */
const toBps = (bps: bigint): number =>
  // oxlint-disable-next-line house/no-float-money -- a share, not money
  bps <= 0n ? 0 : bps >= BPS ? 10_000 : Number(bps);
