import { describe, expect, it } from "vitest";
import { createRandom } from "../../../test/random.ts";
import {
  bookOf,
  bookStart,
  endOrders,
  isBookOf,
  type SignedBook,
  type SignedRow,
  sumsOf,
  withEnded,
  withSigned,
} from "./signed-book.ts";
import type { AccountReading, SignatureKind } from "./signing-budget.ts";

const MIDNIGHT = Date.UTC(2026, 10, 26);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const isDaytime = (nowMs: number) =>
  nowMs % (24 * HOUR) > 3 * HOUR && nowMs % (24 * HOUR) < 22 * HOUR;
const NOBODY = { newest: { seq: 0, id: "" }, forgotSince: null } as const;

const rowAt = (
  seq: number,
  signedAtMs: number,
  kind: SignatureKind,
  more: Partial<SignedRow> = {},
): SignedRow => ({
  seq,
  id: `signature ${seq}`,
  kind,
  marketId: "SOL-PERP",
  signedAtMs,
  lamports: 5_000n,
  baseSize: 100n,
  notional: 100n,
  cost: 1n,
  lifetime: { lastValidBlockHeight: 1n, blockhashSlot: 1n },
  before: { cash: 1_000n, positions: {} },
  outcome: null,
  ...more,
});

const carriedOn = (rows: readonly SignedRow[]): SignedBook =>
  rows.reduce(withSigned, bookOf([], NOBODY, MIDNIGHT));

describe("what an agent's signatures add up to", () => {
  it("counts minute, hour and UTC day, open orders in full and failed exits since the market was flat", () => {
    const now = MIDNIGHT + 30 * MINUTE;
    const rows = [
      // Of yesterday and of this hour
      rowAt(1, MIDNIGHT - 10 * MINUTE, "entry", { outcome: "done", cost: 7n }),
      rowAt(2, MIDNIGHT + MINUTE, "exit", { outcome: "failed", cost: 0n }),
      rowAt(3, MIDNIGHT + 2 * MINUTE, "exit", { outcome: "done", cost: 20n }),
      rowAt(4, MIDNIGHT + 3 * MINUTE, "exit", { outcome: "part", cost: 30n }),
      rowAt(5, MIDNIGHT + 4 * MINUTE, "exit", { lifetime: null, outcome: "failed", cost: 0n }),
      rowAt(6, now - 30_000, "upkeep", { cost: 0n }),
      rowAt(7, now - 20_000, "entry", {
        cost: 400n,
        notional: 900n,
        before: { cash: 1_000n, positions: { "SOL-PERP": 100n } },
      }),
      rowAt(8, now - 10_000, "exit", { cost: 5_000n }),
      // It costs nothing until it closed something
      rowAt(9, now - 5_000, "protective", { cost: 600n }),
      rowAt(10, MIDNIGHT + 5 * MINUTE, "protective", { cost: 3n, outcome: "part" }),
    ];
    expect(sumsOf(bookOf(rows, NOBODY, now), now)).toEqual({
      counts: {
        entry: { minute: 1, day: 1, lamports: 5_000n },
        exit: { minute: 1, day: 4, lamports: 20_000n },
        protective: { minute: 1, day: 2, lamports: 10_000n },
        upkeep: { minute: 1, day: 1, lamports: 5_000n },
      },
      costs: { hour: 5_460n, exitsOfHour: 5_050n, day: 5_453n },
      hourly: [
        { cost: 7n, untilMs: MIDNIGHT + 50 * MINUTE },
        { cost: 0n, untilMs: MIDNIGHT + HOUR + MINUTE },
        { cost: 20n, untilMs: MIDNIGHT + HOUR + 2 * MINUTE },
        { cost: 30n, untilMs: MIDNIGHT + HOUR + 3 * MINUTE },
        { cost: 0n, untilMs: MIDNIGHT + HOUR + 4 * MINUTE },
        { cost: 3n, untilMs: MIDNIGHT + HOUR + 5 * MINUTE },
        // Of orders that can still trade nobody knows when they will count no more
        { cost: 0n, untilMs: now + HOUR - 30_000 },
        { cost: 400n, untilMs: now + HOUR },
        { cost: 5_000n, untilMs: now + HOUR },
      ],
      failedExits: { "SOL-PERP": { count: 2, firstMs: MIDNIGHT + 3 * MINUTE } },
      open: [rows[6], rows[7], rows[8]],
    });
  });

  it("takes no failed exit of an earlier position for one of a position opened since", () => {
    const before = { cash: 1_000n, positions: { "SOL-PERP": 100n } };
    const exits = [
      rowAt(1, MIDNIGHT, "exit", { outcome: "failed", before }),
      // It closed the position, which is not known while another order can still land
      rowAt(2, MIDNIGHT + MINUTE, "exit", { before }),
    ];
    const failedAfter = (rows: readonly SignedRow[]) =>
      [bookOf(rows, NOBODY, MIDNIGHT + HOUR), carriedOn(rows)].map(
        (book) => sumsOf(book, MIDNIGHT + HOUR).failedExits,
      );
    const entry = rowAt(3, MIDNIGHT + 2 * MINUTE, "entry");
    expect(failedAfter([...exits, entry])).toEqual([{}, {}]);
    const one = { "SOL-PERP": { count: 1, firstMs: MIDNIGHT } };
    expect(failedAfter([...exits, { ...entry, before }])).toEqual([one, one]);
  });

  it("is the same whether the book is carried on or read anew, whatever the clock does", () => {
    for (let seed = 1; seed <= 12; seed += 1) {
      const random = createRandom(seed);
      let nowMs = MIDNIGHT - 3 * HOUR;
      let rows: readonly SignedRow[] = [];
      const readAnew = (): SignedBook => {
        const kept = rows.filter(({ signedAtMs }) => signedAtMs >= bookStart(nowMs));
        return bookOf(kept, { newest: rows.at(-1) ?? NOBODY.newest, forgotSince: null }, nowMs);
      };
      let book = readAnew();
      for (let step = 0; step < 150; step += 1) {
        nowMs += random.weighted([
          [20, random.int(0, 10 * MINUTE)],
          [3, random.int(0, 2 * HOUR)],
          // Not around midnight: of the day before only an hour is read
          [isDaytime(nowMs) ? 2 : 0, -random.int(0, 90 * MINUTE)],
        ]);
        if (!isBookOf(book, nowMs)) book = readAnew();
        expect(sumsOf(book, nowMs)).toEqual(sumsOf(readAnew(), nowMs));
        const open = sumsOf(book, nowMs).open as readonly SignedRow[];
        const ended = open
          .filter(() => random.chance(40))
          .map(({ seq }) => ({
            seq,
            outcome: random.pick(["failed", "part", "done"] as const),
            cost: BigInt(random.int(0, 50)),
          }));
        const row = rowAt(
          rows.length + 1,
          nowMs,
          random.pick(["entry", "exit", "protective", "upkeep"] as const),
          {
            marketId: random.pick(["SOL-PERP", "BTC-PERP"]),
            cost: BigInt(random.int(0, 100)),
            ...(random.chance(10) && { kind: "exit", lifetime: null }),
          },
        );
        const found = new Map(ended.map((each) => [each.seq, each]));
        rows = [...rows.map((each) => ({ ...each, ...found.get(each.seq) })), row];
        book = withSigned(withEnded(book, ended), row);
        expect(book.newest).toBe(row);
      }
      expect(book.rows.length).toBeLessThan(rows.length);
    }
  });
});

describe("orders that ended", () => {
  const account: AccountReading = {
    slot: 10n,
    worth: 1_000n,
    held: 120n,
    free: 1_000n,
    cash: 880n,
    positions: { "SOL-PERP": 100n },
    hasOpenOrders: false,
  };
  const entry = rowAt(1, MIDNIGHT, "entry", { cost: 50n });
  const landed = new Map([[1, { kind: "landed", slot: 10n } as const]]);

  it("cost what the account lost beside its position, at most their worst", () => {
    expect(endOrders([entry], landed, account)).toEqual([{ seq: 1, outcome: "done", cost: 20n }]);
    const poorer = { ...account, cash: 700n };
    expect(endOrders([entry], landed, poorer)).toEqual([{ seq: 1, outcome: "done", cost: 50n }]);
    const richer = { ...account, cash: 5_000n };
    expect(endOrders([entry], landed, richer)).toEqual([{ seq: 1, outcome: "done", cost: 0n }]);
  });

  it("are not over while the account is older than they are, or one of them can still trade", () => {
    expect(endOrders([entry], landed, { ...account, slot: 9n })).toEqual([]);
    expect(endOrders([entry], landed, { ...account, hasOpenOrders: true })).toEqual([]);
    expect(endOrders([entry, rowAt(2, MIDNIGHT, "exit")], landed, account)).toEqual([]);
  });

  it("failed for nothing, and an exit beside a position that is still there closed a part", () => {
    const failed = new Map([[1, { kind: "failed" } as const]]);
    expect(endOrders([entry], failed, account)).toEqual([{ seq: 1, outcome: "failed", cost: 0n }]);
    const exit = { ...entry, kind: "exit" as const };
    expect(endOrders([exit], landed, account)).toMatchObject([{ outcome: "part" }]);
    expect(endOrders([exit], landed, { ...account, positions: {} })).toMatchObject([
      { outcome: "done" },
    ]);
  });
});

describe("protective orders", () => {
  const held = { "SOL-PERP": 100n };
  const account: AccountReading = {
    slot: 10n,
    worth: 1_000n,
    held: 120n,
    free: 0n,
    cash: 880n,
    positions: held,
    hasOpenOrders: false,
  };
  // A stop at 0.97 for each of 100 units
  const stopAt = (seq: number, size = 100n) =>
    rowAt(seq, MIDNIGHT, "protective", {
      notional: 97n,
      cost: 9n,
      before: { cash: 880n, positions: { "SOL-PERP": size } },
    });
  const landed = new Map([1, 2].map((seq) => [seq, { kind: "landed", slot: 9n } as const]));

  it("stay open while what they protect is held, and hold up no order", () => {
    expect(endOrders([stopAt(1)], landed, account)).toEqual([]);
    const entry = rowAt(2, MIDNIGHT, "entry", { before: { cash: 880n, positions: held } });
    expect(endOrders([stopAt(1), entry], landed, account)).toMatchObject([{ seq: 2 }]);
    const grown = { ...account, positions: { "SOL-PERP": 140n } };
    expect(endOrders([stopAt(1)], landed, grown)).toEqual([]);
  });

  it("cost what the account lost beside their trigger's price once they closed something", () => {
    const closed = { ...account, positions: {}, cash: 972n };
    expect(endOrders([stopAt(1)], landed, closed)).toEqual([{ seq: 1, outcome: "done", cost: 5n }]);
    const worse = { ...closed, cash: 900n };
    expect(endOrders([stopAt(1)], landed, worse)).toMatchObject([{ cost: 9n }]);
    const half = { ...account, positions: { "SOL-PERP": 50n }, cash: 927n };
    expect(endOrders([stopAt(1)], landed, half)).toEqual([{ seq: 1, outcome: "part", cost: 1n }]);
  });

  it("end for nothing where newer ones stand in their place, and where they failed", () => {
    const moved = [stopAt(1), stopAt(2)];
    expect(endOrders(moved, landed, account)).toEqual([{ seq: 1, outcome: "part", cost: 0n }]);
    const failed = new Map([[1, { kind: "failed" } as const]]);
    expect(endOrders([stopAt(1)], failed, account)).toEqual([
      { seq: 1, outcome: "failed", cost: 0n },
    ]);
  });

  it("that closed something before newer ones were signed cost what was lost until then", () => {
    const later = { ...stopAt(2, 50n), before: { cash: 920n, positions: { "SOL-PERP": 50n } } };
    expect(
      endOrders([stopAt(1), later], landed, { ...account, positions: later.before.positions }),
    ).toEqual([{ seq: 1, outcome: "part", cost: 8n }]);
  });
});
