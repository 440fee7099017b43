import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { PendingList } from "./pending-list.tsx";

it("lists pending entries, and how many more there are", () => {
  const agentId = "0".repeat(32);
  const pending = {
    agentId,
    signature: "s",
    kind: "trade",
    asset: "USDC",
    amount: "-310.5",
    base: { asset: "SOL", amount: "2" },
    at: "2026-11-22T08:00:00.000Z",
  } as const;
  const agent = { id: agentId, name: "Momentum" };
  const shown = { network: "practice", agents: [agent], pending: [pending], pendingCount: 3 };
  render(<PendingList shown={shown as unknown as Parameters<typeof PendingList>[0]["shown"]} />);
  expect(screen.getByText(/not final yet/)).not.toBeNull();
  expect(screen.getByRole("listitem").textContent).toMatch(
    /Momentum.*Trade \+2\.000000 SOL, −310\.50 USDC$/,
  );
  expect(screen.getByText("and 2 more")).not.toBeNull();
});

it("shows a network fee with the decimals it needs", () => {
  const fee = {
    signature: "s",
    kind: "network_fee",
    asset: "SOL",
    amount: "-0.000015",
    at: "2026-11-22T08:00:00.000Z",
  };
  const shown = { network: "practice", agents: [], pending: [fee], pendingCount: 1 };
  render(<PendingList shown={shown as unknown as Parameters<typeof PendingList>[0]["shown"]} />);
  expect(screen.getByRole("listitem").textContent).toMatch(/Network fee −0\.000015 SOL$/);
});
