import { describe, expect, it } from "vitest";
import { openJupiterFixture } from "../../../test/jupiter-fixture.ts";
import { createPracticeSwapRouter } from "../../practice/programs/swap/practice-swap-router.ts";
import { describeVenueConformance, fundVenueAccount } from "../../../test/venue-conformance.ts";
import { createJupiterVenue } from "./jupiter-venue.ts";
import { PriceUnavailableError } from "../../solana/chain.ts";

describeVenueConformance("Jupiter on practice", () => openJupiterFixture(), "spot");

describe("the swap venue's figures", () => {
  it("limit a new position to what the trading key may still draw today", async () => {
    const fixture = await openJupiterFixture({ quoteUnits: 5_000_000_000n });
    const { venue, account } = fixture;
    await fundVenueAccount(fixture, 3_000_000_000n);
    const state = await venue.accountState(account);
    expect(state.withdrawable).toBe(3_000_000_000n);
    expect(state.freeCollateral).toBe(venue.instance.dailyLimit);
  });

  it("treat dust from strangers as no position, but return it in the end", async () => {
    const fixture = await openJupiterFixture();
    const { venue, account } = fixture;
    await fundVenueAccount(fixture);
    await fixture.giveAsset(account.vault, 1n);
    const state = await venue.accountState(account);
    expect(state.positions).toEqual([]);
    const steps = await venue.planTearDown(account);
    expect(steps.map(({ label }) => label)).toContain("Move SOL to your wallet");
  });

  it("can be read although a stranger sent a token without a price", async () => {
    const fixture = await openJupiterFixture();
    const { chain, clock } = fixture;
    await fundVenueAccount(fixture);
    await fixture.giveAsset(fixture.account.vault, 1n);
    const venue = createJupiterVenue({
      chain,
      router: createPracticeSwapRouter(chain),
      prices: {
        isPriced: (marketId) => marketId === "BTC",
        async price(marketId) {
          if (marketId !== "BTC") throw new PriceUnavailableError(`No price of ${marketId}`);
          return { price: 90_000_000_000n, confidence: 1n, publishedAtMs: clock.now() };
        },
      },
      instance: fixture.venue.instance,
      clock,
    });
    const bitcoin = { ...fixture.account, marketId: "BTC" };
    expect(await venue.accountState(bitcoin)).toMatchObject({
      positions: [],
      portfolioValue: 500_000_000n,
    });
    // There is nothing to sell that could be held against a price
    expect(await venue.planClose(bitcoin)).toMatchObject({ before: [], asVault: [], after: [] });
    // The agent's own asset has to have a price
    await expect(venue.accountState(fixture.account)).rejects.toThrow("No price of SOL");
  });

  it("contain no position that the trading key may not sell, whoever sent it", async () => {
    const fixture = await openJupiterFixture();
    const account = { ...fixture.account, marketId: "BTC" };
    await fundVenueAccount({ ...fixture, account });
    await fixture.giveAsset(account.vault, 1_000_000_000n);
    expect(await fixture.venue.accountState(account)).toMatchObject({
      positions: [],
      portfolioValue: 650_000_000n,
    });
    // Where it is the agent's own asset, it is a position whether or not the key may sell it
    const own = await fixture.venue.accountState(fixture.account);
    expect(own.positions).toMatchObject([{ marketId: "SOL", baseSize: 1_000_000_000n }]);
  });
});
