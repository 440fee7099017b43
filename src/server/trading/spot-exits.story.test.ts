import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { expectBooked } from "../../../test/expect-booked.ts";
import { useTradingWorld } from "../../../test/trading-world.ts";
import type { VenueId } from "../../domain/venue-id.ts";
import {
  createPracticeSpotPrices,
  createPracticeSwapRouter,
} from "../../practice/programs/swap/practice-swap-router.ts";
import { JUPITER_PRACTICE_INSTANCE as instance } from "../../venues/jupiter/instance.ts";
import { createJupiterVenue } from "../../venues/jupiter/jupiter-venue.ts";
import type { SpotPrices, SwapRouter } from "../../venues/jupiter/swap-router.ts";
import type { Venue } from "../../venues/ports.ts";

const PRICE = 150_000_000n;

const world = useTradingWorld("jupiter");

beforeEach(async () => {
  world.setPrice(PRICE);
  await world.fire("long");
  await world.run();
  expect(await world.story()).toEqual(["OPEN_LONG filled"]);
});

afterEach(() => expectBooked(world));

/** Lets the server trade with another router or another source of prices; the signer keeps its own. */
function tradeWith(changed: {
  readonly router?: (router: SwapRouter) => SwapRouter;
  readonly prices?: (prices: SpotPrices) => SpotPrices;
}): void {
  const { clock, deps, prices } = world;
  const runtime = deps.networks.get("practice");
  if (runtime === undefined) throw new Error("The world has no practice network");
  const { chain } = runtime;
  const [router, spot] = [createPracticeSwapRouter(chain), createPracticeSpotPrices(prices, clock)];
  const venue = createJupiterVenue({
    chain,
    router: changed.router?.(router) ?? router,
    prices: changed.prices?.(spot) ?? spot,
    instance,
    clock,
  });
  (runtime.venues as Map<VenueId, Venue>).set("jupiter", venue);
}

/** Lets the exit try again as often as told, each time when it is due. */
async function tryAgain(times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    world.clock.advance(20_000);
    await world.run();
  }
}

const exits = () => world.database.db.selectFrom("exits").selectAll().execute();

async function expectSold(): Promise<void> {
  expect((await world.account()).positions).toEqual([]);
  expect((await world.story()).at(-1)).toBe("CLOSE_LONG filled");
  expect(await exits()).toMatchObject([{ state: "done" }]);
}

describe("an exit on the swap venue", () => {
  it("is sent at a price that is a minute old", async () => {
    tradeWith({
      prices: (spot) => ({
        async price(marketId) {
          const { publishedAtMs, ...price } = await spot.price(marketId);
          return { ...price, publishedAtMs: publishedAtMs - 60_000 };
        },
      }),
    });
    await world.fire("close long");
    await world.run();
    expect((await world.account()).positions).toEqual([]);
    expect((await world.story()).at(-1)).toBe("CLOSE_LONG filled");
  });

  it("continues after any number of expired orders", async () => {
    world.faulty.script(() => "drop");
    await world.fire("close long");
    await world.run();
    // The fifth order's limit, eight percent, is wider than any agent's own
    for (let expired = 0; expired < 4; expired += 1) {
      world.clock.advance(100_000);
      await world.run();
      await tryAgain(1);
    }
    world.clock.advance(100_000);
    await world.run();
    expect(await exits()).toMatchObject([{ state: "working", last_reason: "expired" }]);
    world.faulty.script(() => undefined);
    await tryAgain(2);
    await expectSold();
  });

  it("accepts a quote worse than the agent's slippage once quotes remain that bad for an hour", async () => {
    tradeWith({
      router: (router) => ({
        ...router,
        async build(request) {
          world.setPrice((PRICE * 98n) / 100n);
          const build = await router.build(request);
          world.setPrice(PRICE);
          return build;
        },
      }),
    });
    await world.fire("close long");
    await world.run();
    expect(await exits()).toMatchObject([
      { state: "working", last_reason: "price_deviation", attempts: 1, limit_bps: 100 },
    ]);
    // The signer counts an attempt a minute or so, and what a sale of everything costs waits for an hour
    await tryAgain(15);
    expect((await world.story()).at(-1)).toMatch(/^CLOSE_LONG planned/);
    world.clock.advance(3_600_000);
    await tryAgain(1);
    await expectSold();
  });

  it("does not accept a quote beyond an exit's widest limit", async () => {
    tradeWith({
      router: (router) => ({
        ...router,
        async build(request) {
          world.setPrice((PRICE * 88n) / 100n);
          const build = await router.build(request);
          world.setPrice(PRICE);
          return build;
        },
      }),
    });
    await world.fire("close long");
    await world.run();
    await tryAgain(10);
    expect(await exits()).toMatchObject([
      { state: "working", last_reason: "price_deviation", limit_bps: 1_000 },
    ]);
    expect((await world.account()).positions).toMatchObject([{ marketId: "SOL" }]);
  });
});
