import { render, screen, within } from "@testing-library/react";
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
