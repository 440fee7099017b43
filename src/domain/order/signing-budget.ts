import { mulDiv } from "../amount.ts";
import { exitLimitBps } from "../exit.ts";
import type { AccountState, Side } from "../position.ts";
import { isPriceUsable, type PriceReading } from "./risk.ts";
import { MOVE_ALLOWANCE_BPS } from "./signing-limits.ts";

/** What a signature is for: an order that opens, one that only reduces, or what follows an order. */
export const SIGNATURE_KINDS = ["entry", "exit", "upkeep"] as const;

export type SignatureKind = (typeof SIGNATURE_KINDS)[number];

/**
 * Signatures of one agent per minute and UTC day, and fees in lamports per UTC day, by kind. Exits have budgets of their
 * own: neither entries nor follow-ups use them up.
 */
export const SIGNING_BUDGETS = {
  entry: { perMinute: 10, perDay: 1_500, lamports: 100_000_000n },
  exit: { perMinute: 60, perDay: 10_000, lamports: 500_000_000n },
  upkeep: { perMinute: 120, perDay: 20_000, lamports: 200_000_000n },
} as const;

/** Fees of a kind that a deployment pays per network and UTC day: the budgets of that many agents. */
export const DEPLOYMENT_AGENTS = 100n;

/** Price cost of an agent's orders within an hour and a UTC day from which entries wait, in basis points of its worth. */
export const HOUR_COST_BPS = 250n;
export const DAY_COST_BPS = 1_000n;

/** An entry's own worst cost counts up to this against those limits, so that wide slippage still trades. */
const OWN_COST_BPS = 150n;

/** Price cost of exits within an hour up to which an exit may be widened, in basis points of the account's worth. */
export const WIDE_EXIT_COST_BPS = 175n;

/** After this time since its first failed attempt an exit widens whatever it costs, in milliseconds. */
export const WIDE_EXIT_WAIT_MS = 3_600_000;

/** A wider exit that was asked for and refused counts as a failed attempt after this time, in milliseconds. */
export const REFUSED_EXIT_MS = 75_000;

/** Fee of a venue counted with an order's worst price, in basis points of its notional. */
const VENUE_FEE_BPS = 10n;

const BPS = 10_000n;

/** An account as the signer read it before a signature; amounts in quote base units. */
export interface AccountReading {
  readonly slot: bigint;
  readonly worth: bigint;
  /** Collateral available for an entry. */
  readonly free: bigint;
  /** Quote tokens less what open positions cost and less net deposits where the venue tells these. */
  readonly cash: bigint;
  /** Position in base units by market, negative for a short; no entry for a flat market. */
  readonly positions: Readonly<Record<string, bigint>>;
  /** Whether an order of the account can still trade. */
  readonly hasOpenOrders: boolean;
}

/** An order to be signed; amounts in quote base units at the price the signer read. */
export interface OrderToSign {
  readonly kind: "entry" | "exit";
  readonly marketId: string;
  readonly baseSize: bigint;
  readonly notional: bigint;
  /** Distance of its worst price from the market's in basis points, 0 when better. */
  readonly beyondBps: bigint;
  /** Cost against the market's price at its worst, fees of the venue included. */
  readonly cost: bigint;
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

/** Returns the later of two readings with the smaller of what each says there is. */
export const smallerOf = (first: AccountReading, second: AccountReading): AccountReading => ({
  ...(second.slot < first.slot ? first : second),
  worth: lower(first.worth, second.worth),
  free: lower(first.free, second.free),
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
  const beyond = side === "long" ? price - market.price : market.price - price;
  const beyondBps = beyond <= 0n ? 0n : mulDiv(beyond, BPS, market.price, "up");
  return {
    kind: reduceOnly ? "exit" : "entry",
    marketId,
    baseSize,
    notional,
    beyondBps,
    cost: mulDiv(notional, beyondBps + VENUE_FEE_BPS, BPS, "up"),
    isPriceUsable: isPriceUsable(market, nowMs),
    account,
  };
}

/** Returns the most an entry of the whole account costs, in quote base units. */
export const worstEntryCost = (worth: bigint, slippageBps: number): bigint =>
  mulDiv(worth, BigInt(slippageBps) + MOVE_ALLOWANCE_BPS + VENUE_FEE_BPS, BPS, "up");

/** A signed order of which the ledger does not know yet what it did. */
export interface OpenSignature extends Pick<
  OrderToSign,
  "kind" | "marketId" | "baseSize" | "notional" | "cost"
> {
  readonly id: string;
  /** False for an exit that was refused as too wide: it counts as an attempt later. */
  readonly isSigned: boolean;
  readonly signedAtMs: number;
  readonly before: Pick<AccountReading, "cash" | "positions">;
}

/** What the chain says of a signed order; `landed` without error in that slot. */
export type SignedEnd =
  | { readonly kind: "failed" | "pending" }
  | { readonly kind: "landed"; readonly slot: bigint };

/** `part`: the order of an exit ended, and its position is still open. */
export interface EndedSignature {
  readonly id: string;
  readonly outcome: "failed" | "part" | "done";
  readonly cost: bigint;
}

/** Failed attempts of the present exit of a market. */
export interface FailedAttempts {
  readonly count: number;
  readonly firstMs: number;
}

/** What one agent's signatures add up to; `costs` of ended orders only, in quote base units. */
export interface SignedSums {
  readonly counts: Readonly<
    Record<
      SignatureKind,
      { readonly minute: number; readonly day: number; readonly lamports: bigint }
    >
  >;
  /** Fees of the deployment today, by kind. */
  readonly deployment: Readonly<Record<SignatureKind, bigint>>;
  readonly costs: { readonly hour: bigint; readonly exitsOfHour: bigint; readonly day: bigint };
  readonly failedExits: Readonly<Record<string, FailedAttempts>>;
  readonly open: readonly OpenSignature[];
  /** Slot of the last signature before a backup that was restored and lost what was signed since; otherwise null. */
  readonly forgotSince: bigint | null;
}

/** Why something is not signed by the ledger; `exitLimitBps` is the widest slippage the exit may have now. */
export interface BudgetRefusal {
  readonly text: string;
  readonly exitLimitBps?: number;
  /** An earlier order is not decided yet: ask again. */
  readonly isUndecided?: true;
}

/** Returns why one more signature is beyond an agent's or the deployment's numbers and fees, or null. */
export function refuseNumber(
  kind: SignatureKind,
  lamports: bigint,
  { counts, deployment }: SignedSums,
): BudgetRefusal | null {
  const [used, budget] = [counts[kind], SIGNING_BUDGETS[kind]];
  if (used.minute >= budget.perMinute) return { text: "too many signatures within a minute" };
  if (used.day >= budget.perDay) return { text: "too many signatures today" };
  if (used.lamports + lamports > budget.lamports) return { text: "too many fees today" };
  return deployment[kind] + lamports > budget.lamports * DEPLOYMENT_AGENTS
    ? { text: "too many fees of the deployment today" }
    : null;
}

/**
 * Returns which open orders ended, and what they cost. Orders that landed end together, once none of them can still
 * trade and the account shows them: their cost is what the account lost beside its positions' worth at signing.
 */
export function endOrders(
  open: readonly OpenSignature[],
  ends: ReadonlyMap<string, SignedEnd>,
  account: AccountReading,
): readonly EndedSignature[] {
  const endOf = ({ id }: OpenSignature): SignedEnd => ends.get(id) ?? { kind: "pending" };
  const failed = open.filter((order) => endOf(order).kind === "failed");
  const rest = open.filter((order) => order.isSigned && endOf(order).kind !== "failed");
  const isOver = (end: SignedEnd) =>
    end.kind === "landed" && end.slot <= account.slot && !account.hasOpenOrders;
  const landed = rest.every((order) => isOver(endOf(order))) ? rest : [];
  const cost = costOf(landed, account);
  return [
    ...failed.map(({ id }) => ({ id, outcome: "failed" as const, cost: 0n })),
    ...landed.map(({ id, kind, marketId }, at) => ({
      id,
      outcome:
        kind === "exit" && account.positions[marketId] !== undefined
          ? ("part" as const)
          : ("done" as const),
      cost: at === landed.length - 1 ? cost : 0n,
    })),
  ];
}

/** Between nothing and the orders' worst: deposits and gains elsewhere do not lower what others cost. */
function costOf(orders: readonly OpenSignature[], { cash, positions }: AccountReading): bigint {
  const [first] = orders;
  if (first === undefined) return 0n;
  const byMarket = new Map(orders.map((order) => [order.marketId, order]));
  const gained = [...byMarket.values()].reduce((sum, { marketId, baseSize, notional }) => {
    const change = (positions[marketId] ?? 0n) - (first.before.positions[marketId] ?? 0n);
    return baseSize === 0n ? sum : sum + (change * notional) / baseSize;
  }, 0n);
  const lost = first.before.cash - cash - gained;
  const worst = orders.reduce((sum, order) => sum + order.cost, 0n);
  return lost <= 0n ? 0n : lost < worst ? lost : worst;
}

/** Returns the sums with ended orders counted as such, and open ones in full. */
export function withEnded(sums: SignedSums, ended: readonly EndedSignature[]): SignedSums {
  const found = new Map(ended.map((each) => [each.id, each]));
  const failedExits = new Map(Object.entries(sums.failedExits));
  let { hour, exitsOfHour, day } = sums.costs;
  for (const { id, kind, marketId, cost: worst, signedAtMs } of sums.open) {
    const end = found.get(id);
    const cost = end?.cost ?? worst;
    [hour, day] = [hour + cost, day + cost];
    if (kind === "exit") exitsOfHour += cost;
    if (end?.outcome === "done") failedExits.delete(marketId);
    else if (end !== undefined && kind === "exit") {
      const { count, firstMs } = failedExits.get(marketId) ?? { count: 0, firstMs: signedAtMs };
      failedExits.set(marketId, { count: count + 1, firstMs });
    }
  }
  return {
    ...sums,
    costs: { hour, exitsOfHour, day },
    failedExits: Object.fromEntries(failedExits),
    open: sums.open.filter(({ id }) => !found.has(id)),
  };
}

/** Returns why an order is not signed for what it may cost or open, or null. `sums` count open orders in full. */
export function refuseOrder(
  order: OrderToSign,
  sums: SignedSums,
  { slippageBps, nowMs }: { readonly slippageBps: number; readonly nowMs: number },
): BudgetRefusal | null {
  return order.kind === "exit"
    ? refuseExit(order, sums, { slippageBps, nowMs })
    : refuseEntry(order, sums);
}

function refuseEntry(
  { notional, cost, account: { worth, free } }: OrderToSign,
  { costs, open }: SignedSums,
): BudgetRefusal | null {
  const growing = open.reduce(
    (sum, each) => (each.kind === "entry" ? sum + each.notional : sum),
    0n,
  );
  if (growing > 0n && notional + growing > mulDiv(free, BPS + MOVE_ALLOWANCE_BPS, BPS, "down")) {
    return { text: "an earlier entry can still trade", isUndecided: true };
  }
  const share = (bps: bigint) => mulDiv(worth, bps, BPS, "down");
  const own = cost < share(OWN_COST_BPS) ? cost : share(OWN_COST_BPS);
  if (costs.hour + own > share(HOUR_COST_BPS)) return { text: "orders of this hour cost too much" };
  return costs.day + own > share(DAY_COST_BPS) ? { text: "orders of today cost too much" } : null;
}

function refuseExit(
  { marketId, notional, beyondBps, isPriceUsable, account: { worth } }: OrderToSign,
  { costs, failedExits }: SignedSums,
  { slippageBps, nowMs }: { readonly slippageBps: number; readonly nowMs: number },
): BudgetRefusal | null {
  const failed = failedExits[marketId];
  const widest = exitLimitBps(slippageBps, isPriceUsable ? (failed?.count ?? 0) : Infinity);
  const isLong = failed !== undefined && nowMs - failed.firstMs >= WIDE_EXIT_WAIT_MS;
  const left = mulDiv(worth, WIDE_EXIT_COST_BPS, BPS, "down") - costs.exitsOfHour;
  // Venue fees are part of the cost, so the share of the price is smaller
  const affordable =
    notional <= 0n || left <= 0n ? 0n : (left * BPS) / notional - MOVE_ALLOWANCE_BPS;
  const limitBps = isLong ? widest : Math.max(slippageBps, Math.min(widest, toBps(affordable)));
  if (beyondBps <= BigInt(limitBps) + MOVE_ALLOWANCE_BPS) return null;
  return { text: "the exit is wider than its failed attempts allow", exitLimitBps: limitBps };
}

/** A count of basis points, at least 0; more than any limit has is all the same. */
const toBps = (bps: bigint): number =>
  // oxlint-disable-next-line house/no-float-money -- a share, not money
  bps <= 0n ? 0 : bps >= BPS ? 10_000 : Number(bps);
