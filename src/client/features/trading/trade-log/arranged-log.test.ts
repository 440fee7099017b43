import { describe, expect, it } from "vitest";
import type { TradeLogEntry } from "../../../../contract/trade-log.ts";
import {
  ANY,
  arrangeLog,
  AS_RECORDED,
  type LogArrangement,
  LOG_COLUMNS,
  NO_RULE,
  sumLog,
} from "./arranged-log.ts";

const entry = (id: string, changes: Partial<TradeLogEntry> = {}): TradeLogEntry => ({
  id,
  market: "SOL-PERP",
  size: "1",
  percentage: "100",
  total: "100",
  type: "market",
  side: "long",
  signal: "OPEN_LONG",
  at: "2026-11-21T08:00:00.000Z",
  status: "success",
  ...changes,
});

const LOG = [
  entry("d", {
    at: "2026-11-22T23:30:00.000Z",
    side: "sell",
    pnl: "-9.5",
    ruleId: "r2",
    size: "10",
  }),
  entry("c", { at: "2026-11-22T09:00:00.000Z", size: "9", ruleId: "r1" }),
  entry("b", { at: "2026-11-21T09:00:00.000Z", side: "sell", pnl: "10.25", ruleId: "r2" }),
  entry("a", { at: "2026-11-21T08:00:00.000Z", ruleId: "r1", size: "0.5" }),
  entry("o", { at: "2026-11-20T08:00:00.000Z", side: "sell" }),
];

const utcDay = (at: string) => at.slice(0, 10);
const idsOf = (changes: Partial<LogArrangement>, dayOf = utcDay) =>
  arrangeLog(LOG, { ...AS_RECORDED, ...changes }, dayOf)
    .map(({ id }) => id)
    .join("");

describe("an arranged log", () => {
  it("is the log as it is recorded where nothing is asked", () =>
    expect(arrangeLog(LOG, AS_RECORDED, utcDay)).toBe(LOG));

  it.each([
    ["Size", true, "abocd"],
    ["Size", false, "dcboa"],
    ["Date", true, "oabcd"],
    // Figures that are missing come last in both directions
    ["P&L", true, "dbcao"],
    ["P&L", false, "bdcao"],
  ] as const)("by %s, ascending %s, compares figures as numbers", (column, isAscending, ids) => {
    const shown = idsOf({ order: { column, isAscending } });
    expect(shown).toBe(ids);
  });

  it("filters by side, rule and day, all of them together", () => {
    expect(idsOf({ side: "sell" })).toBe("dbo");
    expect(idsOf({ rule: "r1" })).toBe("ca");
    expect(idsOf({ rule: NO_RULE })).toBe("o");
    expect(idsOf({ day: "2026-11-22" })).toBe("dc");
    expect(idsOf({ side: "sell", rule: "r2", day: "2026-11-21" })).toBe("b");
    expect(idsOf({ side: ANY, rule: "gone" })).toBe("");
  });

  it("takes the day of the shown time zone", () => {
    const berlin = (at: string) => utcDay(new Date(Date.parse(at) + 3_600_000).toISOString());
    expect(idsOf({ day: "2026-11-23" }, berlin)).toBe("d");
  });

  it("sorts 5,000 entries by every column, fast enough for a click", () => {
    const many = Array.from({ length: 5_000 }, (_, at) =>
      entry(`${at}`, { size: `${(at * 7_919) % 5_000}`, pnl: `${at % 13}.5` }),
    );
    for (const column of LOG_COLUMNS) {
      const order = { column, isAscending: true };
      expect(arrangeLog(many, { ...AS_RECORDED, order }, utcDay)).toHaveLength(5_000);
    }
  });
});

describe("the sums of a log", () => {
  it("are exact, and leave out what failed or waits", () => {
    const sums = sumLog([
      entry("a", { total: "0.1", fee: "0.000001" }),
      entry("b", { total: "0.2", fee: "0.000002", pnl: "-0.3" }),
      entry("c", { total: "1000000000.000001", pnl: "0.1" }),
      entry("d", { status: "failed", total: "5", fee: "5" }),
      entry("e", { status: "pending", total: "5", fee: "5" }),
    ]);
    expect(sums).toEqual({
      total: "1000000000.300001",
      fees: "-0.000003",
      pnl: "-0.2",
      closings: 2,
    });
  });

  it("of nothing are zero", () =>
    expect(sumLog([])).toEqual({ total: "0", fees: "0", pnl: "0", closings: 0 }));
});
