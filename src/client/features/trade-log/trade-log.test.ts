import { describe, expect, it } from "vitest";
import { logCsv } from "./log-csv.ts";
import type { TradeLogEntry } from "../../queries/trade-log.ts";
import { filterLog } from "./log-filter.ts";
import { outcomeOf } from "./outcome.ts";
import { rowLayout } from "./row-layout.ts";
import { signalText } from "../../lib/signal-text.ts";
import { visibleRows } from "./visible-rows.ts";

const buildEntry = (changes: Partial<TradeLogEntry>): TradeLogEntry => ({
  id: "0".repeat(32),
  market: "SOL-PERP",
  size: "2.5",
  percentage: "100",
  total: "400",
  type: "market",
  side: "long",
  signal: "OPEN_LONG",
  at: "2026-11-21T07:00:00Z",
  status: "success",
  ...changes,
});

describe("signalText", () => {
  it.each([
    ["OPEN_LONG", "Open long"],
    ["OPEN_SHORT", "Open short"],
    ["CLOSE_LONG", "Close long"],
    ["CLOSE_SHORT", "Close short"],
    ["RESET_OPEN_LONG", "Reset open long"],
    ["RESET_OPEN_SHORT", "Reset open short"],
    ["RESET_CLOSE_LONG", "Reset close long"],
    ["RESET_CLOSE_SHORT", "Reset close short"],
    ["SOMETHING_NEW", "SOMETHING_NEW"],
    ["constructor", "constructor"],
    ["", "-"],
    ["  ", "-"],
    [null, "-"],
    [undefined, "-"],
  ])("reads %s as %s", (signal, text) => expect(signalText(signal)).toBe(text));
});

describe("filterLog", () => {
  const filled = buildEntry({ id: "1".repeat(32) });
  const waiting = buildEntry({ id: "2".repeat(32), status: "pending" });
  const unknown = buildEntry({ id: "3".repeat(32), status: "pending", reason: "outcome_unknown" });
  const denied = buildEntry({ id: "4".repeat(32), status: "failed", reason: "already_long" });
  const partial = buildEntry({ id: "6".repeat(32), reason: "partially_filled" });
  const shouted = buildEntry({ id: "5".repeat(32), status: "FAILED" as "failed" });
  const all = [filled, waiting, unknown, denied, partial, shouted];

  it("hides failed entries whatever their case", () =>
    expect(filterLog(all, "trades")).toEqual([filled, waiting, unknown, partial]));

  it("keeps what needs attention", () =>
    expect(filterLog(all, "attention")).toEqual([unknown, denied, partial, shouted]));
});

describe("outcomeOf", () => {
  it.each([
    ["success", undefined, undefined],
    ["success", "partially_filled", "Partly filled"],
    ["pending", undefined, "Pending"],
    ["pending", "resting", "At the venue"],
    ["pending", "outcome_unknown", "Pending"],
    ["failed", "already_long", "Failed"],
    ["failed", "cancelled", "Cancelled"],
    ["failed", "expired", "Expired"],
    ["FAILED", undefined, "Failed"],
    ["failed", "constructor", "Failed"],
  ])("marks %s for %s as %s", (status, reason, label) => {
    const entry = { status: status as "failed", ...(reason === undefined ? {} : { reason }) };
    expect(outcomeOf(entry)?.label).toBe(label);
  });
});

describe("visibleRows", () => {
  const { rowPx } = rowLayout(1000, false);

  it("draws a screenful of ten thousand, wherever it is scrolled", () => {
    const height = 20 * rowPx;
    for (const scrollTop of [0, rowPx, 5_000 * rowPx, 10_000 * rowPx]) {
      const { start, end } = visibleRows(10_000, rowPx, { scrollTop, height });
      expect(end - start).toBeLessThanOrEqual(45);
      const last = Math.min(10_000, scrollTop / rowPx + 20);
      expect(end).toBeGreaterThanOrEqual(last);
      expect(start).toBeLessThanOrEqual(Math.min(scrollTop / rowPx, 9_980));
    }
  });

  it("draws everything of a short list", () =>
    expect(visibleRows(3, rowPx, { scrollTop: 0, height: 600 })).toEqual({
      start: 0,
      end: 3,
    }));
});

describe("rowLayout", () => {
  it("becomes cards where seven columns would not fit", () => {
    expect(rowLayout(719, false).isCard).toBe(true);
    expect(rowLayout(720, false).isCard).toBe(false);
  });
});

describe("logCsv", () => {
  it("writes one line per entry, quoting what needs it and defusing formulas", () => {
    const [head, line, ...rest] = logCsv([
      buildEntry({ market: 'A,"B"', side: "=1+1", size: "-2.5", reason: "expired" }),
    ])
      .trimEnd()
      .split("\r\n");
    expect(rest).toEqual([]);
    expect(head).toBe(
      "Date,Market,Signal,Side,Type,Size,Percentage,Total,Price,Fee,Status,Reason,Signature",
    );
    expect(line).toBe(
      '2026-11-21T07:00:00Z,"A,""B""",OPEN_LONG,\'=1+1,market,-2.5,100,400,,,success,The order did not reach the chain in time. Nothing was traded.,',
    );
  });
});
