import { describe, expect, it } from "vitest";
import { createTestClock } from "../../../test/clock.ts";
import { practiceVenues } from "../../../test/practice-venues.ts";
import { createMemoryLedger } from "../../../test/memory-ledger.ts";
import { createPracticeChain } from "../../practice/practice-chain.ts";
import { createPracticeMarket } from "../../practice/practice-market.ts";
import type { VenueId } from "../../domain/venue-id.ts";
import type { HourlySpreads } from "../market-data/prices/price-board.ts";
import type { Networks } from "../networks.ts";
import { tradingCostHandlers } from "./trading-costs.ts";

const clock = createTestClock();
const prices = createPracticeMarket();
const chain = await createPracticeChain({ ledger: createMemoryLedger(), clock, prices });
const venues = practiceVenues(chain, prices, clock);
const spreads: HourlySpreads = Array.from({ length: 24 }, (_, hour) => [hour * 200 - 7, hour * 10]);
const networks: Networks = new Map([
  [
    "practice",
    {
      network: "practice",
      chain,
      venues,
      explorerUrl: null,
      livePrices: {
        bulletin: () => ({
          prices: {},
          missing: {},
          rough: {},
          sources: [],
          spreads: { SOL: spreads },
        }),
        onNew() {},
      },
    },
  ],
]);
const { getTradingCosts } = tradingCostHandlers({
  networks,
  publishedFunding: (network, asset, { fromMs, toMs }) =>
    Promise.resolve({ source: `${network} ${asset}`, atMs: [fromMs, toMs], ppm: [1, 2] }),
});

const ask = (venue: VenueId, marketId: string, span: { from?: number; to?: number } = {}) =>
  getTradingCosts({
    query: { network: "practice", venue, marketId, ...span },
  } as Parameters<typeof getTradingCosts>[0]);

describe("the call for trading costs", () => {
  it("returns the figures of the exchange's accounts", async () => {
    // The practice exchange: 0.035 % taker fee, 0.025 % half spread, steps of a hundredth, a tenth of margin
    expect(await ask("drift", "SOL-PERP")).toMatchObject({
      feePpm: 350,
      halfSpreadPpm: 250,
      maintenancePpm: 100_000,
      minBaseSize: 10_000_000n,
      baseStep: 10_000_000n,
      quoteSymbol: "USDC",
      quoteDecimals: 6,
    });
  });

  it("has published funding of a perpetual market for a span, and spreads of hours measured often enough", async () => {
    const perpetual = await ask("drift", "SOL-PERP", { from: 10, to: 20 });
    expect(perpetual.publishedFunding).toEqual({
      source: "practice SOL",
      atMs: [10, 20],
      ppm: [1, 2],
    });
    const hours = perpetual.halfSpreadPpmByHour ?? [];
    // 993 millionths over 50 prices and 1,993 over 100; the mean is rounded up
    expect([hours.length, hours[5], hours[9], hours[10], hours[23]]).toEqual([
      24,
      null,
      null,
      20,
      20,
    ]);
    expect((await ask("drift", "SOL-PERP", { from: 10 })).publishedFunding).toBeUndefined();
    expect((await ask("jupiter", "SOL", { from: 10, to: 20 })).publishedFunding).toBeUndefined();
    expect((await ask("drift", "BTC-PERP")).halfSpreadPpmByHour).toBeUndefined();
  });

  it("returns its assumptions when the venue publishes nothing", async () => {
    expect(await ask("jupiter", "SOL")).toMatchObject({
      feePpm: 0,
      halfSpreadPpm: 500,
      fundingPpmPerDay: 0,
      sources: { spread: expect.stringMatching(/^Assumption/) },
    });
  });

  it.each<[VenueId, string]>([
    ["drift", "SOL"],
    ["jupiter", "SOL-PERP"],
  ])("refuses the %s market %s", async (venue, marketId) => {
    await expect(ask(venue, marketId)).rejects.toMatchObject({ code: "market_unknown" });
  });
});
