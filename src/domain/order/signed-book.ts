import { utcDay } from "../risk-ledger.ts";
import {
  type AccountReading,
  type FailedAttempts,
  type OrderToSign,
  SIGNATURE_KINDS,
  type SignatureKind,
  type SignedSums,
} from "./signing-budget.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** A decided row stays in a book this long, in milliseconds: so far the clock may go back before it is read anew. */
const KEPT_MS = 2 * HOUR_MS;

/** A signature as the ledger has it, amounts in quote base units. */
export interface SignedRow extends Pick<
  OrderToSign,
  "marketId" | "baseSize" | "notional" | "cost"
> {
  /** Place among the agent's rows. */
  readonly seq: number;
  readonly id: string;
  readonly kind: SignatureKind;
  readonly signedAtMs: number;
  readonly lamports: bigint;
  /** When it can land; null for an exit that was refused as too wide: it counts as an attempt later. */
  readonly lifetime: {
    readonly lastValidBlockHeight: bigint;
    readonly blockhashSlot: bigint | null;
  } | null;
  readonly before: Pick<AccountReading, "cash" | "positions">;
  /**
   * What became of an order, null while that is not known; `part`: the order of an exit ended, and its position is still
   * open.
   */
  readonly outcome: "failed" | "part" | "done" | null;
}

/** What the chain says of a signed order; `landed` without error in that slot. */
export type SignedEnd =
  | { readonly kind: "failed" | "pending" }
  | { readonly kind: "landed"; readonly slot: bigint };

export interface EndedSignature extends Pick<SignedRow, "seq" | "cost"> {
  readonly outcome: NonNullable<SignedRow["outcome"]>;
}

/** One agent's signatures since its hour or UTC day began, as they are written down. */
export interface SignedBook {
  /** The agent's newest row of all. */
  readonly newest: Pick<SignedRow, "seq" | "id">;
  /** Slot of the last signature before a backup that was restored and lost what was signed since; otherwise null. */
  readonly forgotSince: bigint | null;
  /** UTC day of the sums. */
  readonly day: string;
  readonly today: Readonly<
    Record<SignatureKind, { readonly count: number; readonly lamports: bigint }>
  >;
  readonly costToday: bigint;
  /** All rows after this time are here, and of earlier ones those that are open or failed since the market was flat. */
  readonly sinceMs: number;
  readonly rows: readonly SignedRow[];
  /** The newest row by market that left or found no position: exits before it were of an earlier one. */
  readonly flatSeqs: Readonly<Record<string, number>>;
}

/** Returns the time from which a book's rows are needed. */
export const bookStart = (nowMs: number): number =>
  Math.min(nowMs - HOUR_MS, Date.parse(utcDay(nowMs)));

const isOpen = ({ kind, outcome }: SignedRow): boolean => kind !== "upkeep" && outcome === null;

/** Whether a row's cost counts: one of protective orders costs nothing until they closed something. */
const isCounted = ({ kind, outcome }: SignedRow): boolean =>
  kind !== "protective" || outcome !== null;

/** Whether a row is a failed attempt of the present exit of its market. */
const isTry = (
  { kind, outcome, marketId, seq }: SignedRow,
  flatSeqs: SignedBook["flatSeqs"],
): boolean =>
  kind === "exit" &&
  (outcome === "failed" || outcome === "part") &&
  seq > (flatSeqs[marketId] ?? 0);

/** An entry into a flat market says so before the exit that closed the last position is decided. */
const isFlat = ({ kind, outcome, marketId, before }: SignedRow): boolean =>
  outcome === "done" || (kind === "entry" && before.positions[marketId] === undefined);

const flatSeqsOf = (rows: readonly SignedRow[], known: SignedBook["flatSeqs"]) =>
  rows.reduce(
    (found, row) =>
      isFlat(row) && row.seq > (found[row.marketId] ?? 0)
        ? { ...found, [row.marketId]: row.seq }
        : found,
    known,
  );

const byKind = <V>(valueOf: (kind: SignatureKind) => V) =>
  Object.fromEntries(SIGNATURE_KINDS.map((kind) => [kind, valueOf(kind)])) as Record<
    SignatureKind,
    V
  >;

/** Returns the book of an agent with these rows since `bookStart`, oldest first. */
export function bookOf(
  rows: readonly SignedRow[],
  head: Pick<SignedBook, "newest" | "forgotSince">,
  nowMs: number,
): SignedBook {
  const day = utcDay(nowMs);
  const ofDay = rows.filter(({ signedAtMs }) => signedAtMs >= Date.parse(day));
  return {
    ...head,
    day,
    today: byKind((kind) => {
      const signed = ofDay.filter((row) => row.kind === kind && row.lifetime !== null);
      const lamports = signed.reduce((sum, row) => sum + row.lamports, 0n);
      return { count: signed.length, lamports };
    }),
    costToday: ofDay.reduce((sum, row) => (row.outcome === null ? sum : sum + row.cost), 0n),
    sinceMs: bookStart(nowMs),
    rows,
    flatSeqs: flatSeqsOf(rows, {}),
  };
}

/** Returns whether a book tells the sums at this time: of its day, and of an hour that it has all rows of. */
export const isBookOf = ({ day, sinceMs }: SignedBook, nowMs: number): boolean =>
  utcDay(nowMs) === day && nowMs - HOUR_MS >= sinceMs;

/** Returns a book with orders that ended. */
export function withEnded(book: SignedBook, ended: readonly EndedSignature[]): SignedBook {
  if (ended.length === 0) return book;
  const found = new Map(ended.map((each) => [each.seq, each]));
  const rows = book.rows.map((row) => {
    const end = found.get(row.seq);
    return end === undefined ? row : { ...row, ...end };
  });
  const changed = rows.filter(({ seq }) => found.has(seq));
  const dayMs = Date.parse(book.day);
  return {
    ...book,
    rows,
    costToday: changed.reduce(
      (sum, { signedAtMs, cost }) => (signedAtMs >= dayMs ? sum + cost : sum),
      book.costToday,
    ),
    flatSeqs: flatSeqsOf(changed, book.flatSeqs),
  };
}

/** Returns a book with one more row, signed now, without old rows that count no more. */
export function withSigned(book: SignedBook, row: SignedRow): SignedBook {
  const { kind, lamports, lifetime, signedAtMs } = row;
  const keptMs = signedAtMs - KEPT_MS;
  const used = book.today[kind];
  const counted = { count: used.count + 1, lamports: used.lamports + lamports };
  const flatSeqs = flatSeqsOf([row], book.flatSeqs);
  return {
    ...book,
    newest: row,
    flatSeqs,
    today: lifetime === null ? book.today : { ...book.today, [kind]: counted },
    sinceMs: Math.max(book.sinceMs, keptMs),
    rows: [
      ...book.rows.filter(
        (each) => each.signedAtMs > keptMs || isOpen(each) || isTry(each, flatSeqs),
      ),
      row,
    ],
  };
}

/** Returns the orders of a book that are not decided yet. */
export const openOf = ({ rows }: SignedBook, nowMs: number): readonly SignedRow[] =>
  rows.filter((row) => isOpen(row) && row.signedAtMs >= bookStart(nowMs));

/** Returns what a book adds up to at a time; orders that are not decided count in full, whenever they were signed. */
export function sumsOf(book: SignedBook, nowMs: number): SignedSums {
  const minute = byKind(() => 0);
  const failedExits: Record<string, FailedAttempts> = {};
  const hourly: { cost: bigint; untilMs: number }[] = [];
  let [hour, exitsOfHour, day] = [0n, 0n, book.costToday];
  const startMs = bookStart(nowMs);
  for (const row of book.rows) {
    const { kind, lifetime, signedAtMs, marketId, cost } = row;
    if (signedAtMs < startMs) continue;
    if (lifetime !== null && signedAtMs > nowMs - MINUTE_MS) minute[kind] += 1;
    if (!isCounted(row)) continue;
    const isUndecided = isOpen(row);
    if (isUndecided) day += cost;
    if (isUndecided || signedAtMs > nowMs - HOUR_MS) {
      hour += cost;
      hourly.push({ cost, untilMs: Math.max(signedAtMs, isUndecided ? nowMs : 0) + HOUR_MS });
      if (kind === "exit") exitsOfHour += cost;
    }
    if (!isTry(row, book.flatSeqs)) continue;
    const { count, firstMs } = failedExits[marketId] ?? { count: 0, firstMs: Infinity };
    failedExits[marketId] = { count: count + 1, firstMs: Math.min(firstMs, signedAtMs) };
  }
  return {
    counts: byKind((kind) => {
      const { count, lamports } = book.today[kind];
      return { minute: minute[kind], day: count, lamports };
    }),
    costs: { hour, exitsOfHour, day },
    hourly: hourly.toSorted((a, b) => a.untilMs - b.untilMs),
    failedExits,
    open: openOf(book, nowMs),
  };
}

/**
 * Returns which open orders ended, and what they cost. Orders that landed end together, once none of them can still
 * trade and the account shows them: their cost is what the account lost beside its positions' worth at signing.
 * Protective orders end once the position they were signed for is smaller, or once newer ones stand in their place.
 */
export function endOrders(
  open: readonly SignedRow[],
  ends: ReadonlyMap<number, SignedEnd>,
  account: AccountReading,
): readonly EndedSignature[] {
  const endOf = ({ seq }: SignedRow): SignedEnd => ends.get(seq) ?? { kind: "pending" };
  const failed = open.filter((order) => endOf(order).kind === "failed");
  const rest = open.filter(
    (order) =>
      order.kind !== "protective" && order.lifetime !== null && endOf(order).kind !== "failed",
  );
  const isOver = (end: SignedEnd) =>
    end.kind === "landed" && end.slot <= account.slot && !account.hasOpenOrders;
  const landed = rest.every((order) => isOver(endOf(order))) ? rest : [];
  const cost = costOf(landed, account);
  return [
    ...failed.map(({ seq }) => ({ seq, outcome: "failed" as const, cost: 0n })),
    ...landed.map(({ seq, kind, marketId }, at) => ({
      seq,
      outcome:
        kind === "exit" && account.positions[marketId] !== undefined
          ? ("part" as const)
          : ("done" as const),
      cost: at === landed.length - 1 ? cost : 0n,
    })),
    ...endProtective(
      open.filter((order) => order.kind === "protective" && endOf(order).kind === "landed"),
      account,
    ),
  ];
}

/** Each row of protective orders is held against the account at the next one of its market, the last against it as it is now. */
function endProtective(
  landed: readonly SignedRow[],
  account: AccountReading,
): readonly EndedSignature[] {
  return landed.flatMap((order, at) => {
    const { seq, marketId, before } = order;
    const next = landed.slice(at + 1).find((each) => each.marketId === marketId);
    const after = next?.before ?? account;
    const held = before.positions[marketId] ?? 0n;
    const left = after.positions[marketId] ?? 0n;
    const isSmaller = held < 0n ? left > held : left < held;
    if (!isSmaller && next === undefined) return [];
    const cost = isSmaller ? costOf([order], { ...account, ...after }) : 0n;
    return { seq, outcome: left === 0n ? ("done" as const) : ("part" as const), cost };
  });
}

/** Between nothing and the orders' worst: deposits and gains elsewhere do not lower what others cost. */
function costOf(orders: readonly SignedRow[], { cash, positions }: AccountReading): bigint {
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
