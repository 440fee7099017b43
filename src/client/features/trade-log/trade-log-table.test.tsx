import { render, screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { LogEntry } from "./log-filter.ts";
import { TradeLogTable } from "./trade-log-table.tsx";

const entryOf = (at: number): LogEntry => ({
  _id: `trade ${at}`,
  market: `MARKET-${at}`,
  size: "1",
  percentage: "100",
  total: "1",
  type: "market",
  side: "long",
  webhookSignal: "OPEN_LONG",
  status: "success",
  timestamps: "2026-11-21T08:00:00.000Z",
  signature: `signature${at}`,
});

const table = (entries: readonly LogEntry[]) => (
  <TradeLogTable
    entries={entries}
    explorerUrl={(signature) => `https://explorer.test/${signature}`}
    showReason={false}
  />
);

describe("the trade log's rows", () => {
  it("leave the focus with the list when they go, instead of with another trade", () => {
    const { rerender } = render(table([entryOf(1), entryOf(2)]));
    within(screen.getByText("MARKET-1").closest("tr")!).getByRole("link").focus();
    rerender(table([entryOf(3), entryOf(2)]));
    expect(document.activeElement).toBe(screen.getByRole("group", { name: "Trade log entries" }));
  });

  it("keep the focus while they show the same entry", () => {
    const { rerender } = render(table([entryOf(1), entryOf(2)]));
    const link = within(screen.getByText("MARKET-2").closest("tr")!).getByRole("link");
    link.focus();
    rerender(table([entryOf(3), entryOf(2)]));
    expect(document.activeElement).toBe(link);
  });
});
