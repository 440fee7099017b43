import { describe, expect, it } from "vitest";
import { createTestClock } from "../../../test/clock.ts";
import { practiceVenues } from "../../../test/practice-venues.ts";
import { createMemoryLedger } from "../../practice/memory-ledger.ts";
import { createPracticeChain } from "../../practice/practice-chain.ts";
import { createPracticeMarket } from "../../practice/practice-market.ts";
import type { VenueId } from "../../domain/venue-id.ts";
import type { Networks } from "../networks.ts";
import { tradingCostHandlers } from "./trading-costs.ts";

const clock = createTestClock();
const prices = createPracticeMarket();
const chain = await createPracticeChain({ ledger: createMemoryLedger(), clock, prices });
const venues = practiceVenues(chain, prices, clock);
const networks: Networks = new Map([
  ["practice", { network: "practice", chain, venues, explorerUrl: null }],
]);
const { getTradingCosts } = tradingCostHandlers({ networks });

const ask = (venue: VenueId, marketId: string) =>
  getTradingCosts({
    query: { network: "practice", venue, marketId },
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
