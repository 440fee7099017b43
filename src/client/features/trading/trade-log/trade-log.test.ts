import { describe, expect, it } from "vitest";
import type { TradeLogEntry } from "../../../../contract/trade-log.ts";
import { joinLog } from "../../../queries/trade-log.ts";
import { outcomeOf } from "./trade-row.tsx";
import { rowLayout } from "./row-layout.ts";
import { signalText } from "../../../lib/signal-text.ts";
import { visibleRows } from "./trade-log-table.tsx";

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

describe("joinLog", () => {
  const numbered = (ids: readonly number[], pending: readonly number[] = []) =>
    ids.map((at) =>
      buildEntry({ id: `${at}`, status: pending.includes(at) ? "pending" : "success" }),
    );
  const idsOf = ({ entries, isWhole }: ReturnType<typeof joinLog>) =>
    [entries.map(({ id }) => id).join(" "), isWhole] as const;
  const newest = { entries: numbered([9, 8, 7]), isWhole: false };

  it("keeps the pages loaded before the newest one", () => {
    const loaded = { entries: numbered([8, 7, 6, 5]), isWhole: true };
    expect(idsOf(joinLog(newest, loaded, "trades"))).toEqual(["9 8 7 6 5", true]);
  });

  it("leaves no gap when more than one page of entries arrived", () => {
    const loaded = { entries: numbered([5, 4, 3]), isWhole: true };
    expect(idsOf(joinLog(newest, loaded, "trades"))).toEqual(["9 8 7", false]);
  });

  it("drops entries after an old pending one, because they may have changed", () => {
    const loaded = { entries: numbered([8, 7, 6, 5, 4], [5]), isWhole: true };
    expect(idsOf(joinLog(newest, loaded, "trades"))).toEqual(["9 8 7 6", false]);
  });

  it("drops the entries that need attention, because any older entry may join them", () => {
    const loaded = { entries: numbered([8, 7, 6]), isWhole: true };
    expect(idsOf(joinLog(newest, loaded, "attention"))).toEqual(["9 8 7", false]);
  });

  it("is the newest page when there is no other", () => {
    const all = { ...newest, isWhole: true };
    const loaded = { entries: numbered([7, 6]), isWhole: true };
    expect(idsOf(joinLog(all, loaded, "trades"))).toEqual(["9 8 7", true]);
  });
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
    ["failed", "fills_unread", "Not known"],
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

  it("draws one screenful of ten thousand rows at any scroll position", () => {
    const height = 20 * rowPx;
    for (const scrollTop of [0, rowPx, 5_000 * rowPx, 10_000 * rowPx]) {
      const { start, end } = visibleRows(10_000, rowPx, { scrollTop, height });
      expect(end - start).toBeLessThanOrEqual(45);
      const last = Math.min(10_000, scrollTop / rowPx + 20);
      expect(end).toBeGreaterThanOrEqual(last);
      expect(start).toBeLessThanOrEqual(Math.min(scrollTop / rowPx, 9_980));
    }
  });

  it("draws all rows of a short list", () =>
    expect(visibleRows(3, rowPx, { scrollTop: 0, height: 600 })).toEqual({
      start: 0,
      end: 3,
    }));
});

describe("rowLayout", () => {
  it("becomes cards where nine columns do not fit", () => {
    expect(rowLayout(799, false).isCard).toBe(true);
    expect(rowLayout(800, false).isCard).toBe(false);
  });
});
