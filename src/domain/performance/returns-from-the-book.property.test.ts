import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BookedEntry, LedgerMovement } from "../ledger/entry.ts";
import { type EquityStep, equitySteps } from "../ledger/equity-steps.ts";
import { recordMovements } from "../ledger/record-movements.ts";
import { withBookedFlows, withGaps } from "./account-curve.ts";
import { growthOf, timeWeightedReturn } from "../measures/growth.ts";
import { moneyWeightedReturn } from "../measures/money-weighted.ts";
import { sumEntries } from "../../../test/sum-entries.ts";

const USDC = 1_000_000n;
const SECOND_MS = 1_000;
const LOOK_MS = 40_000;
const FINAL_AFTER_MS = 13_200;
const BEGUN_MS = 1_795_248_000_000;
const MARKET = "SOL-PERP";
const QUOTE = { symbol: "USDC", decimals: 6 };

const at = { subAccount: 0, asset: "USDC", decimals: 6 } as const;

interface Event {
  readonly kind: "flow" | "trade";
  /** Whole seconds after the event before. */
  readonly wait: number;
  /** Of a flow: share of what is there, in percent. Of a trade: whole tenths of an asset, signed. */
  readonly size: number;
}

const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({
    kind: fc.constant("flow" as const),
    wait: fc.nat(90),
    size: fc.integer({ min: -40, max: 300 }).filter((size) => size !== 0),
  }),
  fc.record({
    kind: fc.constant("trade" as const),
    wait: fc.nat(90),
    size: fc.integer({ min: -9, max: 9 }).filter((size) => size !== 0),
  }),
);

const history = fc.record({
  deposit: fc.integer({ min: 500, max: 5_000 }),
  firstTrade: fc.record({
    kind: fc.constant("trade" as const),
    wait: fc.nat(60),
    size: fc.constantFrom(-9, -5, -1, 1, 5, 9),
  }),
  events: fc.array(event, { maxLength: 12 }),
  /** Milliseconds from the deposit to the first look at the book. */
  phase: fc.nat(LOOK_MS),
  /** Price of one asset in each interval between two looks, in cents. */
  cents: fc.array(fc.integer({ min: 9_000, max: 11_000 }), { minLength: 60, maxLength: 60 }),
});
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

/** Number of the look, from 0, at which a time is valued. */
const lookOf = (atMs: number, phase: number): number =>
  Math.max(0, Math.ceil((atMs + FINAL_AFTER_MS - BEGUN_MS - phase) / LOOK_MS));

const priceAt = ({ cents, phase }: History, atMs: number): bigint =>
  BigInt(cents[lookOf(atMs, phase)] ?? 10_000) * 10_000n;

/** Cash and assets of the account followed by hand, in doubles; a fill costs a tenth of a percent. */
interface Followed {
  cash: number;
  base: number;
}

const worthOf = ({ cash, base }: Followed, price: bigint) => cash + base * (Number(price) / 1e6);

/**
 * Writes the book of a history, and follows the account with plain numbers: growth between flows from the first deposit's
 * amount, and every flow with its second.
 */
function live(given: History) {
  const entries: BookedEntry[] = [];
  const flows: { readonly atMs: number; readonly amount: number }[] = [];
  const account: Followed = { cash: given.deposit, base: 0 };
  let atMs = BEGUN_MS;
  let [growth, begun] = [1, given.deposit];
  let held: Parameters<typeof recordMovements>[0] = new Map();
  const book = (movements: readonly LedgerMovement[]) => {
    const booked = recordMovements(held, movements);
    held = booked.held;
    const n = entries.length;
    entries.push(
      ...booked.entries.map((entry) => ({ ...entry, signature: `s${n}`, slot: BigInt(n), atMs })),
    );
  };
  const cashOf = (amount: bigint, kind: LedgerMovement["kind"]): LedgerMovement => ({
    ...at,
    kind,
    place: kind === "deposit" || kind === "withdrawal" ? "exchange" : "position",
    market: kind === "fee" ? MARKET : "",
    amount,
  });
  book([cashOf(BigInt(given.deposit) * USDC, "deposit")]);
  flows.push({ atMs, amount: given.deposit });
  for (const { kind, wait, size } of [given.firstTrade, ...given.events]) {
    atMs += wait * SECOND_MS;
    const price = priceAt(given, atMs);
    if (kind === "flow") {
      const before = worthOf(account, price);
      const amount = Math.floor((before * size) / 100);
      if (before <= 0 || amount === 0) continue;
      growth *= before / begun;
      begun = before + amount;
      account.cash += amount;
      flows.push({ atMs, amount });
      book([cashOf(BigInt(amount) * USDC, amount > 0 ? "deposit" : "withdrawal")]);
    } else {
      const base = BigInt(size) * 100_000_000n;
      const paid = (-base * price) / 1_000_000_000n;
      const fee = -(paid < 0n ? -paid : paid) / 1_000n;
      account.base += size / 10;
      account.cash += Number(paid + fee) / 1e6;
      book([
        {
          ...at,
          kind: "trade",
          place: "position",
          market: MARKET,
          amount: paid,
          base: { marketId: MARKET, decimals: 9, amount: base },
        },
        cashOf(fee, "fee"),
      ]);
    }
  }
  const endMs = BEGUN_MS + given.phase + (lookOf(atMs, given.phase) + 1) * LOOK_MS;
  const end = worthOf(account, priceAt(given, endMs - LOOK_MS));
  const booked = flows.map((flow) => ({ ...flow, amount: BigInt(flow.amount) * USDC }));
  return { entries, flows, booked, end, endMs, timeWeighted: (growth * end) / begun - 1 };
}

/** Reads the book at every look as the server does and returns the recorded points. */
function recorded(given: History, entries: readonly BookedEntry[], endMs: number) {
  const stored = entries.map((entry, seq) => ({ ...entry, seq: BigInt(seq + 1) }));
  const points: EquityStep[] = [];
  for (let nowMs = BEGUN_MS + given.phase; nowMs <= endMs; nowMs += LOOK_MS) {
    const last = points.at(-1);
    const seq = last?.entrySeq ?? 0n;
    const final = stored.filter((entry) => entry.atMs + FINAL_AFTER_MS <= nowMs);
    const price = priceAt(given, nowMs - FINAL_AFTER_MS);
    const found = equitySteps(
      {
        balances: sumEntries(final.filter((entry) => entry.seq <= seq)),
        atMs: last?.atMs ?? 0,
        netFlow: last?.netFlow ?? 0n,
        slot: 0n,
        entrySeq: seq,
      },
      final.filter((entry) => entry.seq > seq),
      { quote: QUOTE, prices: new Map([[MARKET, price]]), unpaidFunding: 0n, nowMs },
    );
    points.push(...(found?.steps ?? []));
  }
  return points;
}

describe("returns of any young agent, with the book read every 40 s from any second on", () => {
  it("equal a direct computation from its flows and fills, from the first deposit on", () => {
    let told = 0;
    fc.assert(
      fc.property(history, (given) => {
        const lived = live(given);
        // Nothing more is known of an account that lost everything
        fc.pre(lived.end > 1 && lived.timeWeighted > -0.99);
        const points = recorded(given, lived.entries, lived.endMs);
        expect(points.map(({ atMs }) => Math.floor(atMs / SECOND_MS))).toEqual(
          [...new Set(lived.entries.map(({ signature }) => signature))].map((signature) =>
            Math.floor(
              (lived.entries.find((each) => each.signature === signature)?.atMs ?? 0) / SECOND_MS,
            ),
          ),
        );
        const [first] = points;
        expect([first?.atMs, first?.value]).toEqual([BEGUN_MS, BigInt(given.deposit) * USDC]);
        const netFlow = points.at(-1)?.netFlow ?? 0n;
        const ended = { atMs: lived.endMs, value: BigInt(Math.round(lived.end * 1e6)), netFlow };
        const values = withGaps([...points, ended], []);
        expect(growthOf(values)[0]?.growth).toBe(1);
        const timeWeighted = timeWeightedReturn(values);
        expect(timeWeighted).toBeCloseTo(lived.timeWeighted, 6);
        // The rate at which every flow, from its own second on, grows to what is there
        const rate = moneyWeightedReturn(withBookedFlows(values, lived.booked));
        if (rate === null) return;
        told += 1;
        const spanMs = lived.endMs - BEGUN_MS;
        const grown = lived.flows.reduce(
          (sum, { atMs, amount }) => sum + amount * (1 + rate) ** ((lived.endMs - atMs) / spanMs),
          0,
        );
        expect(grown / lived.end).toBeCloseTo(1, 5);
      }),
      { numRuns: 500 },
    );
    // Money that went out and in may leave more than one rate, or none
    expect(told).toBeGreaterThan(250);
  });
});
