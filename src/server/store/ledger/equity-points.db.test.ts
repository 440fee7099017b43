import { beforeEach, expect, it } from "vitest";
import { parseAgentId, parseOwner } from "../../../domain/ids.ts";
import { useDatabase } from "../../../../test/database.ts";
import { timeWeightedReturn } from "../../../domain/measures/growth.ts";
import { moneyWeightedReturn } from "../../../domain/measures/money-weighted.ts";
import { gapsOf, pointsSince, withGaps } from "../../../domain/performance/account-curve.ts";
import {
  type CurveRead,
  type EquityPoint,
  insertEquityPoints,
  listEquityPoints,
  readCurve,
  thinEquityPoints,
} from "./equity-points.ts";
import { insertEntries } from "./ledger-writes.ts";
import { migrations } from "../migrations/migrations.ts";

const HOUR_MS = 3_600_000;
const BEGUN = Date.UTC(2026, 4, 1);
const EVER = { fromMs: 0, toMs: 8e15 };
const agentId = parseAgentId("0".repeat(32));
const owner = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");

const database = useDatabase();

beforeEach(() => database.pool.query("delete from equity_points"));
const point = (hour: number, value: bigint, netFlow: bigint): EquityPoint => ({
  agentId,
  atMs: BEGUN + hour * HOUR_MS,
  slot: 1n,
  cause: "hour",
  value,
  asset: "USDC",
  decimals: 6,
  netFlow,
  market: "SOL-PERP",
  price: null,
  priceAtMs: null,
  entrySeq: 1n,
});

const insert = (points: readonly EquityPoint[]) =>
  insertEquityPoints(database.db, { owner, network: "practice" }, points);

const all = () => listEquityPoints(database.db, { agentId }, EVER, 1_000);

it("keeps every return when it thins days with deposits and withdrawals", async () => {
  // 100 that grow by a tenth, 900 more that grow by a tenth, 500 taken out, and a loss of a tenth
  await insert([
    point(1, 100n, 100n),
    point(3, 110n, 100n),
    point(4, 110n, 100n),
    point(5, 1_010n, 1_000n),
    point(6, 1_060n, 1_000n),
    point(7, 1_111n, 1_000n),
    point(26, 611n, 500n),
    point(27, 600n, 500n),
    point(28, 550n, 500n),
  ]);
  const before = withGaps(await all(), []);
  expect(timeWeightedReturn(before)).toBeCloseTo((1.1 * 1.1 * 550) / 611 - 1, 9);
  while ((await thinEquityPoints(database.db, BEGUN + 48 * HOUR_MS, 2)) > 0);
  const after = withGaps(await all(), []);
  expect(after.map(({ value }) => value)).toEqual([100n, 1_010n, 1_111n, 611n, 550n]);
  expect(timeWeightedReturn(after)).toBeCloseTo(timeWeightedReturn(before) ?? 0, 9);
  expect(moneyWeightedReturn(after)).toBeCloseTo(moneyWeightedReturn(before) ?? 0, 9);
});

it("returns a curve's end, its flows and one point an hour when there are too many", async () => {
  const points = [0, 0.25, 0.5, 1.25, 1.5, 1.75].map((hour, at) => point(hour, BigInt(at), 1n));
  await insert([...points, point(1.6, 9n, 2n)]);
  const read = (most: number) => readCurve(database.db, agentId, EVER, most);
  const drawn = (await all()).map(({ atMs, value, netFlow }) => ({ atMs, value, netFlow }));
  expect(await read(7)).toEqual({ points: drawn, quote: { asset: "USDC", decimals: 6 } });
  expect((await read(6)).points.map(({ value }) => value)).toEqual([0n, 2n, 9n, 5n]);
});

it("returns the same for a range as the whole history does", async () => {
  // Every third point comes after a flow, and every fourth after a gap in which a position was open
  const hours = Array.from({ length: 40 }, (_, at) => at + 10 * Math.floor(at / 4));
  await insert(hours.map((hour, at) => point(hour, BigInt(100 + at), BigInt(Math.floor(at / 3)))));
  const toMs = BEGUN + 200 * HOUR_MS;
  const open = [{ fromMs: BEGUN, toMs }];
  const valuesOf = (points: CurveRead["points"], fromMs: number) =>
    pointsSince(withGaps(points, gapsOf(points, open, toMs)), fromMs);
  const whole = await all();
  for (const hour of hours) {
    for (const fromMs of [-1, 0, 1, HOUR_MS / 2].map((ms) => BEGUN + hour * HOUR_MS + ms)) {
      const { points } = await readCurve(database.db, agentId, { fromMs, toMs }, 1_000);
      expect(valuesOf(points, fromMs)).toEqual(valuesOf(whole, fromMs));
      expect(points.filter(({ atMs }) => atMs < fromMs).length).toBeLessThanOrEqual(1);
    }
  }
});

it("starts the returns of an agent of an earlier version at its deposits", async () => {
  const entry = {
    subAccount: 0,
    market: "",
    asset: "USDC",
    decimals: 6,
    place: "exchange",
    index: 0,
    realised: null,
    realisedFees: null,
    slot: 1n,
  } as const;
  const second = (at: number) => ({ signature: `s${at}`, atMs: BEGUN + at * 1_000 });
  await insertEntries(
    database.db,
    { agentId, owner, network: "practice" },
    [
      { ...entry, ...second(0), kind: "deposit", amount: 1_000n },
      { ...entry, ...second(7), kind: "deposit", amount: 500n },
      { ...entry, ...second(9), kind: "trade", amount: -100n },
      { ...entry, ...second(9), kind: "fee", amount: -2n },
      { ...entry, ...second(20), kind: "deposit", amount: 200n },
    ],
    BEGUN,
  );
  const { rows } = await database.pool.query("select max(seq) as seq from ledger_entries");
  const merged = { ...point(1, 1_668n, 1_700n), entrySeq: BigInt(rows[0].seq) };
  await insert([merged]);
  for (let times = 0; times < 2; times += 1) {
    await migrations["0060-begin-at-the-deposit"]?.up(database.db);
  }
  const points = await all();
  expect(points.map(({ atMs, value, netFlow }) => [atMs - BEGUN, value, netFlow])).toEqual([
    [0, 1_000n, 1_000n],
    [7_000, 1_500n, 1_500n],
    [HOUR_MS, 1_668n, 1_700n],
  ]);
  expect(timeWeightedReturn(withGaps(points, []))).toBeCloseTo(-32 / 1_500, 9);
});
