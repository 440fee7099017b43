import { afterEach, beforeEach, expect, it } from "vitest";
import { STORY_AUCTION_SLOTS } from "../../../test/auctions.ts";
import { type BurstWorld, createBurstWorld } from "../../../test/burst-world.ts";

const ORDERS = 6;
const FILLED = Array.from({ length: ORDERS }, () => "filled");
/** An order that takes at once is one transaction; one in an auction is its placing and its fill. */
const TRANSACTIONS = STORY_AUCTION_SLOTS === 0 ? 1 : 2;

let world: BurstWorld;

beforeEach(async () => {
  world = await createBurstWorld(ORDERS, STORY_AUCTION_SLOTS ?? 10);
});

afterEach(async () => {
  await world.close();
  expect(world.problems).toEqual([]);
});

const count = (method: string) => world.node.calls.filter((each) => each === method).length;

it("asks a node for each order of a slot only what is its own", async () => {
  await world.plan();
  await world.trade();
  expect(await world.states()).toEqual(FILLED);

  const transactions = count("sendTransaction");
  expect(transactions).toBe(TRANSACTIONS * ORDERS);
  // The node tries each as it takes it, and the account shows an order that rests
  expect(count("simulateTransaction")).toBe(0);
  expect(count("getTransaction")).toBe(ORDERS);
  // Our own fill was the whole order: nobody else's is searched for
  expect(count("getSignaturesForAddress")).toBe(0);
  // All orders of a slot ask for the same
  expect(count("getLatestBlockhash")).toBe(transactions / ORDERS);
  expect(count("getRecentPrioritizationFees")).toBe(transactions / ORDERS);
  expect(count("getMinimumBalanceForRentExemption")).toBe(0);
});

it("asks a node for each exit the same, and to settle what it gained", async () => {
  await world.plan();
  await world.trade();
  world.node.calls.splice(0);
  await world.plan({ signal: "CLOSE_LONG" });
  await world.trade();
  expect(await world.states()).toEqual([...FILLED, ...FILLED]);
  expect(count("sendTransaction")).toBe((TRANSACTIONS + 1) * ORDERS);
  expect(count("simulateTransaction")).toBe(0);
  expect(count("getTransaction")).toBe(ORDERS);
  expect(count("getSignaturesForAddress")).toBe(0);
});
