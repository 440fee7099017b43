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
  it("go on to show other entries, and leave the focus with the list instead of another trade", () => {
    const { rerender } = render(table([entryOf(1), entryOf(2)]));
    const rowOf = (market: string) => screen.getByText(market).closest("tr");
    const row = rowOf("MARKET-1");
    const link = within(row!).getByRole("link");
    link.focus();
    rerender(table([entryOf(3), entryOf(2)]));
    expect(rowOf("MARKET-3")).toBe(row);
    expect(within(row!).getByRole("link").getAttribute("href")).toMatch(/signature3$/);
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
