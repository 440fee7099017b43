import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { agentIdOf } from "../../../../../test/ids.ts";
import type { TradeLogEntry } from "../../../../contract/trade-log.ts";
import { parseOwner } from "../../../../domain/ids.ts";
import { replaceFetch } from "../../../lib/api.ts";
import { session } from "../../../lib/session.ts";
import { AS_RECORDED, type LogArrangement } from "./arranged-log.ts";
import { LogFoot, LogTools } from "./trade-log.tsx";

const OWNER = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");
const RULE = "b".repeat(32);

const entry = (changes: Partial<TradeLogEntry> = {}): TradeLogEntry => ({
  id: "1",
  market: "SOL-PERP",
  size: "1",
  percentage: "100",
  total: "100.5",
  type: "market",
  side: "long",
  signal: "OPEN_LONG",
  at: "2026-11-21T08:00:00.000Z",
  status: "success",
  ...changes,
});

beforeEach(() => {
  session.setState({ status: "signed-in", address: OWNER });
  const rule = {
    _id: RULE,
    agentId: agentIdOf("a"),
    conditions: [{ alertName: "trend up", requiredCount: 1, count: 0 }],
    action: "OPEN_LONG",
  };
  replaceFetch(() => Promise.resolve(Response.json([rule])));
});

function show(arranged: LogArrangement = AS_RECORDED) {
  const changes: Partial<LogArrangement>[] = [];
  render(
    <QueryClientProvider client={new QueryClient()}>
      <LogTools
        agentId={agentIdOf("a")}
        entries={[entry({ ruleId: RULE }), entry({ side: "sell", ruleId: "gone" }), entry()]}
        arranged={arranged}
        onArrange={(change) => changes.push(change)}
      />
    </QueryClientProvider>,
  );
  return { changes, user: userEvent.setup() };
}

const options = async () =>
  within(await screen.findByRole("listbox"))
    .getAllByRole("option")
    .map(({ textContent }) => textContent);

describe("the log's filters", () => {
  it("name rules by what they do, also those that are gone", async () => {
    const { user, changes } = show();
    await user.click(screen.getByRole("combobox", { name: "Rule" }));
    await screen.findByRole("option", { name: "Open long: trend up" });
    expect(await options()).toEqual([
      "All rules",
      "Open long: trend up",
      "A deleted rule",
      "Not by a rule",
    ]);
    await user.click(screen.getByRole("option", { name: "Open long: trend up" }));
    expect(changes).toEqual([{ rule: RULE }]);
  });

  it("offer the sides that the log has, and any day", async () => {
    const { user, changes } = show();
    await user.click(screen.getByRole("combobox", { name: "Side" }));
    expect(await options()).toEqual(["All sides", "Long", "Sell"]);
    await user.keyboard("{Escape}");
    fireEvent.change(screen.getByLabelText("Day"), { target: { value: "2026-11-21" } });
    expect(changes).toEqual([{ day: "2026-11-21" }]);
  });

  it("are all reset at once, which is offered only where one is set", async () => {
    show();
    expect(screen.queryByRole("button", { name: "Show all" })).toBeNull();
    const { user, changes } = show({ ...AS_RECORDED, side: "sell" });
    await user.click(screen.getByRole("button", { name: "Show all" }));
    expect(changes).toEqual([AS_RECORDED]);
  });
});

describe("the log's foot", () => {
  const foot = (entries: readonly TradeLogEntry[], isPart: boolean) => {
    render(
      <LogFoot entries={entries} isPart={isPart} loadedCount={entries.length} wholeCount={5_000} />,
    );
    return screen.getByRole("group", { name: "Sums" }).textContent;
  };

  it("sums what is shown", () =>
    expect(foot([entry({ fee: "0.1" }), entry({ pnl: "-16.028", fee: "0.2047" })], false)).toBe(
      "2 trades, sums of the exact figuresVolume$201.00Fees−$0.30P&L−$16.03",
    ));

  it("says of which part of the log it is the sum, and knows no result without a closing", () =>
    expect(foot([entry()], true)).toBe(
      "1 trade, of the newest 1 of 5000Volume$100.50Fees$0.00P&L–",
    ));
});
