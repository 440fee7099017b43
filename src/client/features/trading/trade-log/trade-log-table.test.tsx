import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { chatIdOf } from "../../../../../test/ids.ts";
import { parseOwner } from "../../../../domain/ids.ts";
import { replaceFetch } from "../../../lib/api.ts";
import { closedScrollTop, shiftOf, TradeLogTable } from "./trade-log-table.tsx";
import { AS_RECORDED, type LogArrangement, type LogOrder } from "./arranged-log.ts";
import { AssetHeader } from "./trade-log.tsx";
import type { TradeLogEntry } from "../../../../contract/trade-log.ts";
import { session } from "../../../lib/session.ts";

const OWNER = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");

session.setState({ status: "signed-in", address: OWNER });
const CHAT = chatIdOf("c");

const entryOf = (at: number): TradeLogEntry => ({
  id: `trade ${at}`,
  market: `MARKET-${at}`,
  size: "1",
  percentage: "100",
  total: "1",
  type: "market",
  side: "long",
  signal: "OPEN_LONG",
  status: "success",
  at: "2026-11-21T08:00:00.000Z",
  signature: `signature${at}`,
});

const table = (entries: readonly TradeLogEntry[]) => (
  <TradeLogTable
    chatId={CHAT}
    entries={entries}
    rowCount={entries.length}
    onReach={() => {}}
    older={null}
    explorerUrl={(signature) => `https://explorer.test/${signature}`}
    showReason={false}
    arranged={AS_RECORDED}
    onOrder={() => {}}
    onShowDecision={() => {}}
  />
);

describe("the trade log's rows", () => {
  it("pass the focus to the list when they disappear, not to another trade", () => {
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

it("sorts by a column's head, which keeps the focus and says the direction", async () => {
  const asked: LogOrder[] = [];
  const sorted = (arranged: LogArrangement) => (
    <TradeLogTable
      chatId={CHAT}
      entries={[entryOf(1)]}
      rowCount={1}
      onReach={() => {}}
      older={null}
      explorerUrl={null}
      showReason={false}
      arranged={arranged}
      onOrder={(order) => asked.push(order)}
      onShowDecision={() => {}}
    />
  );
  const { rerender } = render(sorted(AS_RECORDED));
  const head = screen.getByRole("button", { name: "P&L" });
  await userEvent.setup().click(head);
  expect(asked).toEqual([{ column: "P&L", isAscending: false }]);
  rerender(sorted({ ...AS_RECORDED, order: { column: "P&L", isAscending: false } }));
  expect(document.activeElement).toBe(head);
  expect(head.closest("th")?.getAttribute("aria-sort")).toBe("descending");
  await userEvent.setup().click(head);
  expect(asked.at(-1)).toEqual({ column: "P&L", isAscending: true });
});

describe("a row's size", () => {
  it.each([
    ["1234567.89", "1,234,567.89"],
    ["0.000001", "0.000001"],
    // Not filled, or not yet
    ["0", "-"],
    ["", "-"],
  ])("of %s is shown as %s", (size, shown) => {
    render(table([{ ...entryOf(1), size }]));
    const cells = within(screen.getByText("MARKET-1").closest("tr")!).getAllByRole("cell");
    expect(cells[1]?.textContent).toBe(shown);
  });
});

describe("an opened row", () => {
  const DETAILS = {
    marketPrice: "155",
    slippage: "0.12",
    pnl: "-16.028",
    pnlPercent: "-3.23",
    alertAt: "2026-11-21T07:59:58.500Z",
    fillMs: 1500,
  };

  const open = async (entry: TradeLogEntry, details: object) => {
    const asked: string[] = [];
    replaceFetch((input) => {
      asked.push(input as string);
      return Promise.resolve(Response.json(details));
    });
    render(
      <QueryClientProvider client={new QueryClient()}>
        {table([entry, entryOf(2)])}
      </QueryClientProvider>,
    );
    expect(asked).toEqual([]);
    const button = screen.getByRole("button", { name: entry.market });
    await userEvent.setup().click(button);
    expect(button.getAttribute("aria-expanded")).toBe("true");
    return { asked, button };
  };

  /** Returns the text under each term. */
  const shown = () =>
    Object.fromEntries(
      screen
        .getAllByRole("term")
        .map((term) => [term.textContent, term.nextElementSibling?.textContent]),
    );

  const closing: TradeLogEntry = {
    ...entryOf(1),
    side: "sell",
    signal: "CLOSE_LONG",
    price: "154.814",
    total: "480.5",
    fee: "0.4805",
  };

  it("shows price, fee, profit or loss, slippage, time from alert to fill and signature", async () => {
    const { asked, button } = await open(closing, DETAILS);
    await screen.findByText("1.5 s");
    expect(asked).toEqual([`/api/logs/get-details?chatId=${CHAT}&entryId=trade+1`]);
    expect(shown()).toMatchObject({
      Price: "$154.814",
      Total: "$480.5",
      Fee: "$0.4805",
      "P&L": "−$16.03 (−3.23%)",
      Slippage: "0.12% worse",
      "Market price": "$155",
      "Alert to fill": "1.5 s",
      Signature: "signature1",
    });
    await userEvent.setup().click(button);
    expect(screen.queryAllByRole("term")).toEqual([]);
  });

  it("shows a dash, never an empty cell, for unknown figures", async () => {
    await open({ ...closing, price: undefined, fee: undefined }, {});
    expect(shown()).toMatchObject({
      Price: "–",
      Fee: "–",
      "P&L": "–",
      Slippage: "–",
      "Alert to fill": "–",
    });
  });

  it("gives the reason and the remedy", async () => {
    const failed = { ...entryOf(1), status: "failed" as const, reason: "limit_missing" };
    await open(failed, {});
    expect(screen.getByText(/gives the trading key no daily limit/).textContent).toMatch(
      /Update the limits under Manage Funds\.$/,
    );
  });

  it("pushes down the rows below it, which the scroll height includes", () => {
    const opened = { index: 2, detailsPx: 148 };
    expect([1, 2, 3].map((index) => shiftOf(index, opened))).toEqual([0, 0, 148]);
    expect([96, 144, 200, 292, 400].map((top) => closedScrollTop(top, 48, opened))).toEqual([
      96, 144, 144, 144, 252,
    ]);
  });
});

describe("the log's header", () => {
  it.each([
    [undefined, "Solana SOL"],
    ["BTC", "Bitcoin BTC"],
    ["NVDAx", "NVIDIA NVDAx"],
    ["WIF", "WIF"],
  ])("of an agent that trades %s names %s", (asset, heading) => {
    render(<AssetHeader asset={asset} />);
    expect(screen.getByRole("heading").textContent).toBe(heading);
  });
});
