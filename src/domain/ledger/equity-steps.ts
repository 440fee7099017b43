import { mulDiv } from "../amount.ts";
import { PRICE_DECIMALS } from "../market.ts";
import { changesOf, type LedgerBalance } from "./balance.ts";
import { accountKey, type BookedEntry, type LedgerKind, type LedgerPlace } from "./entry.ts";

/** Kinds of entries that move money into or out of an agent's funds. */
export const FLOW_KINDS: readonly LedgerKind[] = ["opening", "deposit", "withdrawal", "external"];

/** Places of SOL for rent and network fees, which is not part of the traded capital. */
const NOT_AT_WORK: readonly LedgerPlace[] = ["vault_sol", "wallet", "platform"];

/**
 * Age up to which a price values an earlier moment, in milliseconds: a transaction is booked within a minute of landing.
 */
const PRICE_AGE_MS = 120_000;

type Entry = BookedEntry & { readonly seq: bigint };
type Amount = Pick<LedgerBalance, "asset" | "amount" | "decimals">;

/** Equity of an account right after a transaction. Amounts in quote base units. */
export interface EquityStep {
  readonly cause: "fill" | "flow";
  readonly atMs: number;
  readonly slot: bigint;
  readonly value: bigint;
  /** Cumulative inflows less outflows since the account began. */
  readonly netFlow: bigint;
  readonly entrySeq: bigint;
}

/** State of the ledger at its last entry; `value` is null when the price of a held asset is unknown. */
export interface EquityEnd extends Omit<EquityStep, "cause" | "atMs" | "value"> {
  readonly value: bigint | null;
  /** Cause of the last step when its own moment could not be valued; null when every moment has its step. */
  readonly missed: EquityStep["cause"] | null;
}

interface EquitySoFar {
  /** Balances before the entries. */
  readonly balances: readonly LedgerBalance[];
  readonly netFlow: bigint;
  /** Time of the last known equity; steps are later. */
  readonly atMs: number;
  readonly slot: bigint;
  readonly entrySeq: bigint;
}

/** Returns whether an entry changes equity at a moment of its own: a trade, or money that came in or went out. */
export function causeOf({ kind, place }: Pick<BookedEntry, "kind" | "place">) {
  if (kind === "trade") return "fill";
  return FLOW_KINDS.includes(kind) && !NOT_AT_WORK.includes(place) ? "flow" : null;
}

/**
 * Returns the equity after every transaction that traded or moved money, each dated at its own block, and the state at the
 * end; null when an asset that moved has no price.
 *
 * An account without assets needs no price. One that holds assets is valued at the prices of the block's own second where
 * these are known, and else at the given ones where they are at most two minutes younger than the block; otherwise the
 * transaction has no step of its own and the next step includes it.
 * What is unpaid now is in the end, and in recent steps after the last settlement. An opening balance comes before all
 * other entries: it was there before them, though it is booked after them.
 */
export function equitySteps(
  before: EquitySoFar,
  entries: readonly Entry[],
  priced: {
    readonly quote: { readonly symbol: string; readonly decimals: number };
    /** Quote units per whole asset, six decimals. */
    readonly prices: ReadonlyMap<string, bigint>;
    /** Returns the price of a market at a moment of the past; absent where no past price is known. */
    readonly priceAt?: ((market: string, atMs: number) => bigint | undefined) | undefined;
    /** What open positions owe or are owed now and no entry has, in quote base units. */
    readonly unpaidFunding: bigint;
    readonly nowMs: number;
  },
): { readonly steps: readonly EquityStep[]; readonly end: EquityEnd } | null {
  const { quote, prices, priceAt, unpaidFunding, nowMs } = priced;
  const balances = new Map(before.balances.map((balance) => [accountKey(balance), balance]));
  const present = (market: string) => prices.get(market);
  const valueOf = valuedIn(quote);
  const groups = byTransaction(entries);
  const settledAt = groups.findLastIndex((group) => group.some(isSettling));
  const atWork = () => [...balances.values()].filter(({ place }) => !NOT_AT_WORK.includes(place));
  const steps: EquityStep[] = [];
  let { netFlow, atMs: lastMs, slot, entrySeq } = before;
  let missed: EquityEnd["missed"] = null;
  for (const [at, group] of groups.entries()) {
    for (const change of group.flatMap(changesOf)) {
      const key = accountKey(change);
      const amount = (balances.get(key)?.amount ?? 0n) + change.amount;
      balances.set(key, { ...change, amount });
    }
    const moved = group.filter((entry) => causeOf(entry) === "flow");
    const last = group.at(-1);
    if (last === undefined) return null;
    const then = (market: string) => priceAt?.(market, last.atMs);
    const flow = valueOf(moved, (market) => then(market) ?? present(market));
    if (flow === null) return null;
    netFlow += flow;
    slot = last.slot;
    for (const { seq } of group) entrySeq = seq > entrySeq ? seq : entrySeq;
    const cause = group.some(({ kind }) => kind === "trade") ? "fill" : "flow";
    if (cause === "flow" && moved.length === 0) continue;
    const funds = atWork();
    const atMs = Math.max(last.atMs, lastMs + 1);
    const isRecent = nowMs - atMs <= PRICE_AGE_MS;
    const near = (market: string) => then(market) ?? (isRecent ? present(market) : undefined);
    const booked = valueOf(moved, near) === null ? null : valueOf(funds, near);
    const value = booked !== null && isRecent && at > settledAt ? booked + unpaidFunding : booked;
    missed = value === null ? cause : null;
    if (value === null) continue;
    steps.push({ cause, atMs, slot, value, netFlow, entrySeq });
    lastMs = atMs;
  }
  const booked = valueOf(atWork(), present);
  const value = booked === null ? null : booked + unpaidFunding;
  return { steps, end: { slot, value, netFlow, entrySeq, missed } };
}

type PriceOf = (market: string) => bigint | undefined;

/** Returns what sums amounts up in quote base units; null where an asset has no price. */
const valuedIn =
  (quote: { readonly symbol: string; readonly decimals: number }) =>
  (amounts: readonly Amount[], priceOf: PriceOf): bigint | null => {
    let sum = 0n;
    for (const each of amounts) {
      const isAsset = each.asset !== quote.symbol && each.amount !== 0n;
      const price = isAsset ? priceOf(each.asset) : undefined;
      if (isAsset && price === undefined) return null;
      sum += isAsset ? worthOf(each, price ?? 0n, quote.decimals) : each.amount;
    }
    return sum;
  };

/** Returns whether an entry's transaction paid the funding until then: every trade does. */
const isSettling = ({ kind }: Entry): boolean => kind === "trade" || kind === "funding";

/** Returns the entries of each transaction together, in the order they were booked, after the opening balances. */
function byTransaction(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const [opening, groups]: [Entry[], Entry[][]] = [[], []];
  for (const entry of entries) {
    const group = groups.at(-1);
    // An opening has the signature of the first transaction
    if (entry.kind === "opening") opening.push(entry);
    else if (group?.[0]?.signature === entry.signature) group.push(entry);
    else groups.push([entry]);
  }
  return opening.length === 0 ? groups : [opening, ...groups];
}

function worthOf({ amount, decimals }: Amount, price: bigint, quoteDecimals: number): bigint {
  const perAsset = 10n ** BigInt(decimals + PRICE_DECIMALS);
  // A debt is rounded away from zero: equity is never rounded in the owner's favour
  return mulDiv(
    amount * price,
    10n ** BigInt(quoteDecimals),
    perAsset,
    amount < 0n ? "up" : "down",
  );
}
