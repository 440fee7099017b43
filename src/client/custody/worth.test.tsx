import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, renderHook, screen, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { describe, expect, it } from "vitest";
import { replaceFetch } from "../lib/api.ts";
import { EffectLines } from "./effect-lines.tsx";
import { ApprovalWord, useApprovalGate } from "./worth.tsx";
import type { Effect, WorstPrice } from "../../venues/effect.ts";

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

const newClient = () => new QueryClient({ defaultOptions: { queries: { retry: false } } });

const limitsOf = (solUnits: bigint): readonly Effect[] => [
  limitOf("USDC", 6, 1_000_000_000n),
  limitOf("SOL", 9, solUnits),
];

const limits = limitsOf(1n);

const tradeOf = (side: WorstPrice["side"], price: bigint): readonly Effect[] => [
  { kind: "venue-close", account: KEY, text: "Closes", worst: { asset: "SOL", side, price } },
];

function draw(effects: readonly Effect[]): QueryClient {
  const client = newClient();
  render(
    <QueryClientProvider client={client}>
      <EffectLines
        effects={effects}
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

/** Lets the chart answer with this last price of that age, or not at all. */
function quote(close: number | null, ageS = 0): void {
  const price = close ?? 0;
  const time = Math.floor(Date.now() / 1_000) - ageS;
  const candle = { time, open: price, high: price, low: price, close: price, volume: 1 };
  replaceFetch(() =>
    Promise.resolve(
      close === null
        ? new Response("{}", { status: 503 })
        : Response.json({ source: "test", candles: [candle] }),
    ),
  );
}

const settled = (client: QueryClient) =>
  waitFor(() => {
    expect(client.isFetching()).toBe(0);
  });

/** Shows a limit of 1,000 USDC and one of SOL while the chart knows this price, or none. */
async function show(solUnits: bigint, close: number | null): Promise<void> {
  quote(close);
  await settled(draw(limitsOf(solUnits)));
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
    draw(limitsOf(6_451_612_904n));
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

describe("the worst price of a trade", () => {
  it.each([
    [
      "sell",
      147_259_999n,
      "At worst 147.25 USDC for one SOL: 5.0% below the chart's price of 155.00 USDC.",
    ],
    [
      "buy",
      162_740_001n,
      "At worst 162.75 USDC for one SOL: 5.0% above the chart's price of 155.00 USDC.",
    ],
    [
      "sell",
      1n,
      "At worst 0.0000 USDC for one SOL: 100.0% below the chart's price of 155.00 USDC.",
    ],
  ] as const)("is said when a %s ends more than 2% from the chart's", async (side, price, text) => {
    quote(155);
    await settled(draw(tradeOf(side, price)));
    expect(screen.getByText(text)).toBeDefined();
  });

  it.each([
    ["sell", 151_900_000n],
    ["sell", 200_000_000n],
    ["buy", 158_100_000n],
    ["buy", 100_000_000n],
  ] as const)("is not said of a %s at %s, which is near or better", async (side, price) => {
    quote(155);
    await settled(draw(tradeOf(side, price)));
    expect(screen.queryByText(/At worst/)).toBeNull();
  });

  it.each([
    ["no price", null, 0],
    ["a price of zero", 0, 0],
    ["a price eleven minutes old", 155, 660],
  ])("is said without a comparison when the chart has %s", async (_, close, ageS) => {
    quote(close, ageS);
    await settled(draw(tradeOf("sell", 147_250_000n)));
    expect(
      screen.getByText(
        "At worst 147.25 USDC for one SOL. This page has no recent price of SOL to compare it with.",
      ),
    ).toBeDefined();
  });
});

describe("the approval of a trade", () => {
  async function gateOf(effects: readonly Effect[]) {
    const client = newClient();
    const wrapper = ({ children }: { readonly children: ReactNode }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    );
    const hook = renderHook((shown: readonly Effect[]) => useApprovalGate(shown, "practice"), {
      initialProps: effects,
      wrapper,
    });
    const before = hook.result.current.isRefused;
    await settled(client);
    return { ...hook, before };
  }

  it("waits for the chart's price, and needs no word up to 10% below it", async () => {
    quote(155);
    const { before, result } = await gateOf(tradeOf("sell", 139_500_000n));
    expect(before).toBe(true);
    expect(result.current).toMatchObject({ isRefused: false, doubts: [] });
  });

  it.each([
    ["more than 10% below the chart's price", 155, 139_400_000n],
    ["without a price of the chart", null, 155_000_000n],
  ])(
    "is refused %s until the word is typed, for each transaction again",
    async (_, close, price) => {
      quote(close);
      const { result, rerender } = await gateOf(tradeOf("sell", price));
      for (const [text, isRefused] of [
        ["", true],
        ["anyway", true],
        ["ANYWAY", false],
      ] as const) {
        act(() => result.current.type(text));
        expect(result.current).toMatchObject({ isRefused, typed: text });
      }
      rerender(tradeOf("sell", price));
      expect(result.current).toMatchObject({ isRefused: true, typed: "" });
    },
  );

  it("needs neither price nor word for what does not trade", async () => {
    quote(null);
    const { before, result } = await gateOf(limitsOf(1n));
    expect([before, result.current.doubts]).toEqual([false, []]);
  });

  it("needs the word for an account that nobody vouches for, and says which", async () => {
    const { result } = renderHook(() => useApprovalGate(limits, "practice", ["vault"]), {
      wrapper: ({ children }) => (
        <QueryClientProvider client={newClient()}>{children}</QueryClientProvider>
      ),
    });
    expect(result.current).toMatchObject({ isRefused: true, doubts: ["vault"] });
    act(() => result.current.type("ANYWAY"));
    expect(result.current.isRefused).toBe(false);
    render(<ApprovalWord gate={{ ...result.current, doubts: ["vault", "trading key"] }} />);
    expect(
      screen.getByLabelText("Type ANYWAY to approve this vault and trading key"),
    ).toBeDefined();
    expect(screen.getByText(/This browser did not see this vault being created/)).toBeDefined();
  });
});
