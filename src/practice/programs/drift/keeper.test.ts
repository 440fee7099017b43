import { beforeEach, expect, it } from "vitest";
import { passAuction } from "../../../../test/auctions.ts";
import { type DriftFixture, openDriftFixture } from "../../../../test/drift-fixture.ts";
import { agentIdOf, orderIdOf } from "../../../../test/ids.ts";
import { fundVenueAccount, land } from "../../../../test/venue-conformance.ts";
import type { Approved, OrderIntent } from "../../../domain/order/order.ts";
import { DRIFT_V2_INSTANCE as instance } from "../../../venues/drift/instance.ts";
import type { PracticeChain } from "../../practice-chain.ts";
import { SLOT_MS } from "../../slots.ts";
import { createKeeper } from "./keeper.ts";

const PRICE = 150_000_000n;
const STOP = 145_500_000n;
const SOL = 1_000_000_000n;
/** Slots of the longest auction of a triggered order. */
const AUCTION_SLOTS = 180;

let fixture: DriftFixture;
let keep: () => Promise<void>;

beforeEach(async () => {
  fixture = await openDriftFixture();
  await fundVenueAccount(fixture, 500_000_000n);
  const { account, market, tradingKey, venue, chain } = fixture;
  const entry = {
    orderId: orderIdOf("0"),
    agentId: agentIdOf("a"),
    market,
    side: "long",
    baseSize: 2n * SOL,
    referencePrice: PRICE,
    slippageBps: 50,
    reduceOnly: false,
    percentage: 100,
  } as unknown as Approved<OrderIntent>;
  const { instructions } = await venue.buildOrder(account, entry);
  expect((await land(fixture, tradingKey, instructions)).error).toBeNull();
  const stop = await venue.buildProtective?.(account, {
    marketId: "SOL-PERP",
    exits: [
      {
        key: "stop",
        reason: "stop",
        side: "short",
        triggerPrice: STOP,
        triggersWhen: "below",
        baseSize: 2n * SOL,
      },
    ],
    limitBps: 200,
  });
  expect((await land(fixture, tradingKey, stop?.instructions ?? [])).error).toBeNull();
  keep = createKeeper(chain as PracticeChain, instance);
});

const held = async () =>
  (await fixture.venue.accountState(fixture.account)).positions.map(({ baseSize }) => baseSize);
const resting = async () =>
  ((await fixture.venue.protectiveOrders?.(fixture.account)) ?? []).map(
    (order) => order.isTriggered,
  );

it("triggers a stop once its price is passed, not before, and fills it after its auction", async () => {
  await fixture.setPrice(STOP);
  await keep();
  expect(await resting()).toEqual([false]);
  await fixture.setPrice(STOP - 100n);
  await keep();
  expect(await resting()).toEqual([true]);
  expect(await held()).toEqual([2n * SOL]);
  await keep();
  expect(await held()).toEqual([2n * SOL]);
  fixture.clock.advance(AUCTION_SLOTS * SLOT_MS);
  await passAuction(fixture);
  await keep();
  expect(await held()).toEqual([]);
  expect(await resting()).toEqual([]);
});

it("fills nothing beyond the order's limit, and goes on once the price is back", async () => {
  await fixture.setPrice(STOP - 100n);
  await keep();
  fixture.clock.advance(AUCTION_SLOTS * SLOT_MS);
  await fixture.setPrice(130_000_000n);
  await keep();
  expect(await resting()).toEqual([true]);
  await fixture.setPrice(STOP);
  await keep();
  expect(await held()).toEqual([]);
});

it("sees nothing in accounts whose orders have no trigger", async () => {
  const { account, tradingKey, venue } = fixture;
  const none = await venue.buildProtective?.(account, {
    marketId: "SOL-PERP",
    exits: [],
    limitBps: 200,
  });
  expect((await land(fixture, tradingKey, none?.instructions ?? [])).error).toBeNull();
  await fixture.setPrice(STOP - 100n);
  await keep();
  expect(await held()).toEqual([2n * SOL]);
});
