import { describe, expect, it } from "vitest";
import { openJupiterFixture } from "../../../test/jupiter-fixture.ts";
import { describeVenueConformance, fundVenueAccount } from "../../../test/venue-conformance.ts";

describeVenueConformance("Jupiter on practice", () => openJupiterFixture(), "spot");

describe("the swap venue's figures", () => {
  it("back a new position with no more than the trading key may still draw today", async () => {
    const fixture = await openJupiterFixture({ quoteUnits: 5_000_000_000n });
    const { venue, account } = fixture;
    await fundVenueAccount(fixture, 3_000_000_000n);
    const state = await venue.accountState(account);
    expect(state.withdrawable).toBe(3_000_000_000n);
    expect(state.freeCollateral).toBe(venue.instance.dailyLimit);
  });

  it("takes dust that strangers send for no position, but hands it back in the end", async () => {
    const fixture = await openJupiterFixture();
    const { venue, account } = fixture;
    await fundVenueAccount(fixture);
    await fixture.giveAsset(account.vault, 1n);
    const state = await venue.accountState(account);
    expect(state.positions).toEqual([]);
    const steps = await venue.planTearDown(account);
    expect(steps.map(({ label }) => label)).toContain("Move SOL to your wallet");
  });
});
