import { describe, expect, it } from "vitest";
import { openDriftFixture } from "../../../test/drift-fixture.ts";
import { fundVenueAccount } from "../../../test/venue-conformance.ts";
import type { AccountState } from "../../domain/position.ts";
import type { Approved, OrderIntent } from "../../domain/order/order.ts";
import { createDriftVenue } from "./drift-venue.ts";
import { DRIFT_V2_INSTANCE as instance } from "./instance.ts";

/** An entry on a funded account, at a venue whose reads are counted. */
async function openCounted() {
  const fixture = await openDriftFixture();
  await fundVenueAccount(fixture);
  const { chain, clock, account, market } = fixture;
  const reads: number[] = [];
  const counting: typeof chain = {
    ...chain,
    accounts(addresses, options) {
      reads.push(addresses.length);
      return chain.accounts(addresses, options);
    },
  };
  const venue = createDriftVenue({ chain: counting, instance, clock });
  const order = {
    orderId: "order",
    agentId: "agent",
    signal: "OPEN_LONG",
    market,
    side: "long",
    reduceOnly: false,
    baseSize: 1_000_000_000n,
    referencePrice: 150_000_000n,
    slippageBps: 100,
    percentage: 100,
  } as unknown as Approved<OrderIntent>;
  const state = await venue.accountState(account);
  /** Number of reads that building the order takes. */
  const readsOf = async (seen?: AccountState, of = account) => {
    reads.length = 0;
    await venue.buildOrder(of, order, seen);
    return reads.length;
  };
  return { venue, clock, account, order, state, readsOf };
}

describe("an order", () => {
  it("is built from its decision's readings, without reading again", async () => {
    const { venue, account, order, state, readsOf } = await openCounted();
    expect(await readsOf(state)).toBe(0);
    expect(await venue.buildOrder(account, order, state)).toEqual(
      await venue.buildOrder(account, order),
    );
  });

  it("causes a new read when the decision's is older than a second", async () => {
    const { clock, state, readsOf } = await openCounted();
    clock.advance(1_000);
    expect(await readsOf(state)).toBe(0);
    clock.advance(1);
    expect(await readsOf(state)).toBe(1);
  });

  it("causes a new read when the state belongs to another account or not to the venue", async () => {
    const { account, state, readsOf } = await openCounted();
    expect(await readsOf({ ...state })).toBe(1);
    const other = { ...account, subAccountId: account.subAccountId + 1 };
    expect(await readsOf(state, other)).toBe(1);
  });
});
