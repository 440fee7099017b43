import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import type { Deployment } from "../../queries/deployment.ts";
import { replaceFetch } from "../../lib/api.ts";
import { favourites } from "../../lib/favourites.ts";
import { TooltipProvider } from "../../ui/tooltip-provider.tsx";
import { dayOf, MarketsPage } from "./markets-page.tsx";

const HOUR_S = 3_600;

const candle = (hour: number, close: number) => ({
  time: hour * HOUR_S,
  open: close,
  high: close,
  low: close,
  close,
  volume: 10,
});

/** Hourly candles of a day that began at 100. */
const dayTo = (close: number) => [
  candle(0, 100),
  ...Array.from({ length: 23 }, (_, at) => candle(at + 1, 100)),
  candle(24, close),
];

const CLOSES: Readonly<Record<string, number>> = { SOLUSDT: 110, BTCUSDT: 95, ETHUSDT: 130 };

const deployment = {
  networks: [
    {
      network: "practice",
      explorerUrl: null,
      nodes: [],
      venues: [
        { venue: "drift", status: "available", quoteSymbol: "USDC", quoteDecimals: 6 },
        {
          venue: "jupiter",
          status: "paused",
          reason: "The router does not answer.",
          quoteSymbol: "USDC",
          quoteDecimals: 6,
        },
      ],
    },
  ],
  aiOrigins: [],
} as unknown as Deployment;

beforeEach(() => {
  localStorage.clear();
  favourites.setState([], true);
  replaceFetch((input) => {
    const { pathname, searchParams } = new URL(input as string, "http://page.test");
    if (pathname === "/api/deployment") return Promise.resolve(Response.json(deployment));
    const close = CLOSES[searchParams.get("symbol") ?? ""];
    return close === undefined
      ? Promise.resolve(Response.json({ code: "not_found", message: "No." }, { status: 404 }))
      : Promise.resolve(Response.json({ source: "test", candles: dayTo(close) }));
  });
});

function open() {
  const onBegin = vi.fn();
  render(
    <QueryClientProvider
      client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}
    >
      <TooltipProvider>
        <MarketsPage network="practice" onBegin={onBegin} />
      </TooltipProvider>
    </QueryClientProvider>,
  );
  return { onBegin, user: userEvent.setup() };
}

const assets = () =>
  screen.getAllByRole("rowheader").map((head) => head.textContent?.split(" ")[0]);

it("counts the last 24 hours of hourly candles, and says nothing of a change it does not know", () => {
  expect(dayOf(dayTo(110))).toEqual({ price: 110, change: 110 / 100 - 1, volume: 24_100 });
  expect(dayOf(dayTo(110).slice(1))?.change).toBeNull();
  expect(dayOf([])).toBeNull();
});

it("shows each asset's day, sorts by it, and keeps favourites first", async () => {
  const { user } = open();
  await waitFor(() => expect(screen.getByText("+10.00%")).toBeDefined());
  const sol = screen.getByRole("row", { name: /SOL Solana/ });
  expect(
    within(sol)
      .getAllByRole("cell")
      .map(({ textContent }) => textContent)
      .slice(1, 4),
  ).toEqual(["110.00", "+10.00%", "$24.1K"]);
  await waitFor(() => expect(screen.getByText("−5.00%")).toBeDefined());
  await user.click(screen.getByRole("button", { name: "24 h" }));
  expect(assets().slice(0, 3)).toEqual(["ETH", "SOL", "BTC"]);
  await user.click(within(sol).getByRole("button", { name: "Favourite SOL" }));
  expect(assets().slice(0, 3)).toEqual(["SOL", "ETH", "BTC"]);
  expect(localStorage.getItem("favourite-assets")).toContain("SOL");
  await user.type(screen.getByRole("searchbox", { name: "Search markets" }), "nvidia");
  expect(assets()).toEqual(["NVDAx"]);
});

it("says what cannot be traded and why, and begins an agent where something can", async () => {
  const { user, onBegin } = open();
  const stock = await screen.findByRole("row", { name: /NVDAx/ });
  await waitFor(() =>
    expect(stock.textContent).toContain(
      "No prices of NVDAx here.Drift supports crypto only.Jupiter takes no new entries: The router does not answer.",
    ),
  );
  expect(within(stock).queryByRole("button", { name: /New agent/ })).toBeNull();
  await user.click(screen.getByRole("button", { name: "New agent on Drift's SOL-PERP" }));
  expect(onBegin).toHaveBeenCalledWith(expect.objectContaining({ marketId: "SOL-PERP" }));
});
