import { describe, expect, it } from "vitest";
import { filterLog, type LogEntry } from "./log-filter.ts";
import { signalText } from "./signal-text.ts";

const buildEntry = (changes: Partial<LogEntry>): LogEntry => ({
  _id: "0".repeat(32),
  market: "SOL-PERP",
  size: "2.5",
  percentage: "100",
  total: "400",
  type: "market",
  side: "long",
  webhookSignal: "OPEN_LONG",
  timestamps: "2026-11-21T07:00:00Z",
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
  const filled = buildEntry({ _id: "1".repeat(32) });
  const waiting = buildEntry({ _id: "2".repeat(32), status: "pending" });
  const unknown = buildEntry({ _id: "3".repeat(32), status: "pending", reason: "unknown" });
  const denied = buildEntry({ _id: "4".repeat(32), status: "failed", reason: "already_long" });
  const shouted = buildEntry({ _id: "5".repeat(32), status: "FAILED" as "failed" });
  const all = [filled, waiting, unknown, denied, shouted];

  it("hides failed entries whatever their case", () =>
    expect(filterLog(all, "trades")).toEqual([filled, waiting, unknown]));

  it("keeps what needs attention", () =>
    expect(filterLog(all, "attention")).toEqual([unknown, denied, shouted]));
});
