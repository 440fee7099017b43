import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { replaceFetch } from "../lib/api.ts";
import { EffectLines } from "./effect-lines.tsx";
import type { Effect } from "../../venues/effect.ts";

const KEY = "11111111111111111111111111111112";

const limitOf = (symbol: string, decimals: number, amount: bigint): Effect => ({
  kind: "spending-limit",
  account: KEY,
  tradingKey: KEY,
  mint: KEY,
  symbol,
  decimals,
  amount,
  text: `Lets the trading key move at most some ${symbol} a day`,
});

function draw(solUnits: bigint): QueryClient {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <EffectLines
        effects={[limitOf("USDC", 6, 1_000_000_000n), limitOf("SOL", 9, solUnits)]}
        network="practice"
        quoteSymbol="USDC"
        quoteDecimals={6}
        wallet="wallet"
        vault={KEY}
        stolenKey="A stolen key can lose it all."
      />
    </QueryClientProvider>,
  );
  return client;
}

/** Shows a limit of 1,000 USDC and one of SOL while the chart knows this price, or none. */
async function show(solUnits: bigint, close: number | null): Promise<void> {
  const price = close ?? 0;
  const candle = { time: 1, open: price, high: price, low: price, close: price, volume: 1 };
  replaceFetch(() =>
    Promise.resolve(
      close === null
        ? new Response("{}", { status: 503 })
        : Response.json({ source: "test", candles: [candle] }),
    ),
  );
  const client = draw(solUnits);
  await waitFor(() => {
    expect(client.isFetching()).toBe(0);
  });
}

describe("the value of an asset's limit", () => {
  it("is shown once beside the limit, at the chart's price", async () => {
    await show(6_451_612_904n, 155.25);
    expect(
      screen.getByText(
        "Worth 1,001.61 USDC at the chart's price of 155.25 USDC. Both limits together: 2,001.61 USDC a day.",
      ),
    ).toBeDefined();
    expect(screen.queryAllByText(/^Worth/)).toHaveLength(1);
  });

  it("causes no warning while the price is loading", () => {
    replaceFetch(() => new Promise(() => {}));
    draw(6_451_612_904n);
    expect(screen.getByText("Reading the price of SOL…")).toBeDefined();
    expect(screen.queryByText(/not checked/)).toBeNull();
  });

  it("causes a warning when it exceeds the USDC limit", async () => {
    await show(64_516_129_040n, 155);
    expect(screen.getByText(/That is more than the USDC limit/)).toBeDefined();
  });

  it.each([[null], [0], [1e-9]])("is reported as unchecked at the price %s", async (close) => {
    await show(6_451_612_904n, close);
    expect(
      screen.getByText(
        "Worth not checked: this page has no price of SOL. Compare the amount yourself.",
      ),
    ).toBeDefined();
  });
});
