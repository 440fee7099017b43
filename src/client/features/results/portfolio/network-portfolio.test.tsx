import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { NetworkPortfolio } from "./network-portfolio.tsx";

type Shown = Parameters<typeof NetworkPortfolio>[0]["shown"];

const lost = { amount: "-20", share: -0.02 };

const EMPTY = {
  network: "practice",
  quote: { symbol: "USDC", decimals: 6 },
  total: "1000",
  unread: 0,
  unbooked: 0,
  made: { today: null, week: null, month: null, all: null },
  curve: [],
  agents: [],
  deleted: [],
  exposure: [],
  wallet: null,
  pending: [],
  pendingCount: 0,
  flows: [],
} as const;

const show = (changes: object) =>
  render(
    <NetworkPortfolio shown={{ ...EMPTY, ...changes } as unknown as Shown} onOpen={() => {}} />,
  );

it("keeps a deleted agent in the table, marked, with its result", () => {
  show({
    made: { ...EMPTY.made, all: lost },
    deleted: [
      {
        id: "0".repeat(32),
        name: "Momentum",
        marketId: "SOL-PERP",
        deletedAt: "2026-11-22T08:00:00.000Z",
        all: lost,
        today: lost,
        drawdown: 0.02,
        spark: [0, -0.02],
      },
    ],
  });
  const row = screen.getByRole("row", { name: /Momentum/ });
  expect(row.textContent).toMatch(/made −20\.00 until .*22.*Deleted/);
  expect(within(row).queryByRole("button")).toBeNull();
});

it("says that money is on its way instead of that there is none", () => {
  show({ unbooked: 1 });
  expect(screen.getByText(/^Money is on its way\./)).not.toBeNull();
  expect(screen.getByRole("status").textContent).toMatch(/^Money of 1 agent is on its way/);
  expect(screen.queryByText(/Nothing came in/)).toBeNull();
  // Nothing is told of what was made: no 0.00 under a total
  const made = screen.getAllByText("Today")[0]?.closest("div");
  expect(made?.textContent).toContain("–");
  expect(made?.textContent).not.toContain("0.00");
});

it("says that there were no deposits where there were none", () => {
  show({ total: "0" });
  expect(screen.getByText("Nothing came in or went out yet.")).not.toBeNull();
  expect(screen.queryByRole("status")).toBeNull();
});

it("sorts the agents by the column that is clicked, unknown figures last", async () => {
  const agent = (name: string, value: string | null, today: string | null) => ({
    id: name.padEnd(32, "0"),
    chatId: name.padEnd(32, "0"),
    name,
    marketId: "SOL-PERP",
    state: "on",
    value,
    share: null,
    today: today === null ? null : { amount: today, share: null },
    drawdown: null,
    spark: [],
    attention: [],
  });
  show({ agents: [agent("b", "20", "-3"), agent("a", "100", null), agent("c", "9", "4")] });
  const order = () => screen.getAllByRole("rowheader").map((row) => row.textContent?.charAt(0));
  const head = (name: string) => screen.getByRole("columnheader", { name: new RegExp(name) });
  expect(order()).toEqual(["a", "b", "c"]);
  expect(head("Value").getAttribute("aria-sort")).toBe("descending");
  await userEvent.click(screen.getByRole("button", { name: "Today" }));
  expect(order()).toEqual(["c", "b", "a"]);
  await userEvent.click(screen.getByRole("button", { name: "Today" }));
  expect(order()).toEqual(["b", "c", "a"]);
  expect(head("Today").getAttribute("aria-sort")).toBe("ascending");
});
