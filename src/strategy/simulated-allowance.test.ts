import { expect, it } from "vitest";
import {
  buildSimulatedAgent,
  buildSimulation,
  FIRST_BAR_MS,
  hourlyBars,
  SPOT,
} from "../../test/simulated.ts";
import type { DailyLimits } from "./simulation.ts";
import { simulate } from "./simulate.ts";

const HOUR_MS = 3_600_000;
const USDC = 1_000_000n;
const SOL = 1_000_000_000n;

/** Returns the size of an entry at 100 after fees and reserve: 60 basis points. */
const sized = (quote: bigint): bigint => (((quote * 9_940n) / 10_000n) * SOL) / (100n * USDC);

/** Returns the quote amount such an entry draws. */
const drawn = (quote: bigint): bigint => (sized(quote) * 100n * USDC) / SOL;

function entriesOf(
  dailyLimits: DailyLimits | null,
  longsAt: readonly number[],
  parts: { readonly prices?: readonly number[]; readonly share?: number } = {},
) {
  const { prices = Array.from({ length: 60 }, () => 100), share = 100 } = parts;
  const fired = longsAt.flatMap((at) => [
    [at, "OPEN_LONG"] as const,
    [at + 1, "CLOSE_LONG"] as const,
  ]);
  const agent = buildSimulatedAgent({
    market: SPOT,
    dailyLimits,
    positionSizePercent: share,
    slippageBps: 5_000,
  });
  const bars = hourlyBars(prices);
  const { orders, trades } = simulate(
    buildSimulation(bars, fired, { agent, fromMs: FIRST_BAR_MS }),
  );
  expect(trades.every(({ endedBy }) => endedBy === "signal")).toBe(true);
  return orders
    .filter(({ signal }) => signal === "OPEN_LONG")
    .map(({ decidedAtMs, baseSize, refusal }) => [
      (decidedAtMs - FIRST_BAR_MS) / HOUR_MS,
      refusal ?? baseSize,
    ]);
}

it("buys no more within a day than the trading key may spend, and continues on the next day", () => {
  const limits = { quote: 1_500n * USDC, base: 1_000n * SOL };
  const first = sized(1_000n * USDC);
  // The first entry draws 994 of 1,500
  expect(entriesOf(limits, [0, 2, 4, 23, 25, 27])).toEqual([
    [1, first],
    [3, sized(506n * USDC)],
    // An entry from the remaining 3.036 also keeps 60 basis points back
    [5, sized(3_036_000n)],
    // Exactly one day after the start the first period still applies
    [24, sized(3_036_000n - drawn(3_036_000n))],
    [26, first],
    [28, sized(506n * USDC)],
  ]);
});

it("refuses an entry once nothing is left, and names the limit", () => {
  const limits = { quote: 994n * USDC, base: 1_000n * SOL };
  expect(entriesOf(limits, [0, 2, 25])).toEqual([
    [1, sized(994n * USDC)],
    [3, sized(994n * USDC - drawn(994n * USDC))],
    [26, sized(994n * USDC)],
  ]);
  expect(entriesOf({ quote: 0n, base: 1_000n * SOL }, [0])).toEqual([[1, "limit_used"]]);
});

it("buys no more than the trading key could sell again within the day", () => {
  const limits = { quote: 10_000n * USDC, base: 12n * SOL };
  expect(entriesOf(limits, [0, 2, 25])).toEqual([
    [1, sized(1_000n * USDC)],
    // 9.94 of 12 were sold in the meantime
    [3, sized(206n * USDC)],
    [26, sized(1_000n * USDC)],
  ]);
});

it("takes the wanted share of all money, not of the rest of the limit", () => {
  const limits = { quote: 500n * USDC, base: 1_000n * SOL };
  expect(entriesOf(limits, [0], { share: 40 })).toEqual([[1, sized(400n * USDC)]]);
  expect(entriesOf(limits, [0], { share: 80 })).toEqual([[1, sized(500n * USDC)]]);
});

it("spends nothing of the limit on an entry that does not fill", () => {
  const limits = { quote: 1_000n * USDC, base: 1_000n * SOL };
  const agent = buildSimulatedAgent({ market: SPOT, dailyLimits: limits });
  const bars = hourlyBars([100, 105, 105, 105, 105, 105]);
  const { orders } = simulate(
    buildSimulation(
      bars,
      [
        [0, "OPEN_LONG"],
        [2, "OPEN_LONG"],
      ],
      { agent, fromMs: FIRST_BAR_MS },
    ),
  );
  expect(orders.map(({ refusal }) => refusal)).toEqual(["not_filled", null]);
  expect(orders[1]?.baseSize).toBe((994n * USDC * SOL) / (105n * USDC));
});

it("limits nothing when no limit is known", () => {
  const all = sized(1_000n * USDC);
  expect(entriesOf(null, [0, 2, 4])).toEqual([
    [1, all],
    [3, all],
    [5, all],
  ]);
});
