import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { act, render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { PositionSummary } from "../../../contract/trade.ts";
import { live } from "../../lib/live.ts";
import { type Deployment, deploymentQuery } from "../../queries/deployment.ts";
import PositionDetails from "./position-details.tsx";

type ShownPlan = NonNullable<PositionSummary["plan"]>;

const PLAN: ShownPlan = {
  kept: "resting",
  stop: { price: "131.2", by: "stop" },
  targets: [{ target: 1, price: "160" }],
};

const client = new QueryClient();
const wrapper = ({ children }: { readonly children: ReactNode }) => (
  <QueryClientProvider client={client}>{children}</QueryClientProvider>
);

const show = (plan: ShownPlan) =>
  render(
    <PositionDetails
      position={{
        position: "1",
        portfolioValue: "100",
        positionValue: "150",
        side: "long",
        available: true,
        plan,
      }}
      network="mainnet"
      asset="SOL"
      isStale={false}
    />,
    { wrapper },
  ).container;

const RESTS = "Rests at the exchange. Holds while this server is off.";
const WATCHED = "Watched by this server. Does not hold while it is off.";

it("shows a stop that rests at the exchange as such, and the target beside it as watched", () => {
  expect(show(PLAN).textContent).toContain("Stop: $131.20 · resting");
  expect(screen.getByTitle(RESTS).textContent).toBe("Stop: ");
  expect(screen.getByTitle(WATCHED).textContent).toBe("Target 1: ");
});

it("says since when a stop that should rest does not", () => {
  const shown = show({ ...PLAN, kept: "watched", notRestingSince: "2026-11-26T07:00:00.000Z" });
  expect(shown.textContent).toContain("Stop: $131.20 · watched");
  expect(shown.textContent).toMatch(/stop not at the exchange since .*, watched here/);
});

it("shows the live price as it is pushed, and as it was read while nothing is pushed", () => {
  const assets = (price: string) => [
    {
      asset: "SOL",
      price,
      at: "2026-11-26T07:00:00.000Z",
      sources: 3,
      isConfirmed: true,
      missing: null,
    },
  ];
  const prices = { assets: assets("129.5"), sources: [] };
  const read: Deployment = {
    networks: [{ network: "paper", explorerUrl: null, nodes: [], venues: [], prices }],
    aiOrigins: [],
  };
  client.setQueryData(deploymentQuery.queryKey, read);
  const shown = render(
    <PositionDetails
      position={{ position: "0", portfolioValue: "100", positionValue: "0", available: true }}
      network="paper"
      asset="SOL"
      isStale={false}
    />,
    { wrapper },
  ).container;
  const texts = [shown.textContent];
  for (const pushed of ["131.25", "131.5", null]) {
    const event = pushed === null ? null : { network: "paper" as const, assets: assets(pushed) };
    act(() => live.setState({ prices: event }));
    texts.push(shown.textContent);
  }
  expect(texts).toEqual(["Price: $129.50", "Price: $131.25", "Price: $131.50", "Price: $129.50"]);
  expect(
    screen.getByTitle(/^Live price of SOL: the median of 3 sources at \d\d:\d\d:\d\d$/),
  ).toBeDefined();
});
