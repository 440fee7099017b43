import { afterEach, beforeEach, expect, it } from "vitest";
import { STORY_AUCTION_SLOTS } from "../../../test/auctions.ts";
import { type BurstWorld, createBurstWorld } from "../../../test/burst-world.ts";
import type { TradingDeps } from "./orders/order-context.ts";

const ORDERS = 6;
const FILLED = Array.from({ length: ORDERS }, () => "filled");
/** An order that takes at once is one transaction; one in an auction is its placing and its fill. */
const TRANSACTIONS = STORY_AUCTION_SLOTS === 0 ? 1 : 2;

let world: BurstWorld;

const createWorld = (requestsPerSecond?: number) =>
  createBurstWorld(
    ORDERS,
    STORY_AUCTION_SLOTS ?? 10,
    requestsPerSecond === undefined ? {} : { requestsPerSecond },
  );

beforeEach(async () => {
  world = await createWorld();
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

  expect(count("sendTransaction")).toBe(TRANSACTIONS * ORDERS);
  // The node tries each as it takes it, and the account shows an order that rests
  expect(count("simulateTransaction")).toBe(0);
  expect(count("getTransaction")).toBe(ORDERS);
  // Our own fill was the whole order: nobody else's is searched for
  expect(count("getSignaturesForAddress")).toBe(0);
  // All orders of five seconds ask for the same
  expect(count("getLatestBlockhash")).toBe(1);
  expect(count("getRecentPrioritizationFees")).toBe(1);
  expect(count("getMinimumBalanceForRentExemption")).toBe(0);
});

it("asks a node for each exit the same, before entries, and to settle what it gained", async () => {
  const checkedAsExits: boolean[] = [];
  const custodyCheck: TradingDeps["custodyCheck"] = async (_, isExit) => {
    checkedAsExits.push(isExit);
    return null;
  };
  Object.assign(world.deps, { custodyCheck });
  await world.plan();
  await world.trade();
  expect(checkedAsExits.splice(0)).toEqual(FILLED.map(() => false));
  world.node.calls.splice(0);
  await world.plan({ signal: "CLOSE_LONG" });
  await world.trade();
  expect(await world.states()).toEqual([...FILLED, ...FILLED]);
  expect(checkedAsExits).toEqual(FILLED.map(() => true));
  expect(count("sendTransaction")).toBe((TRANSACTIONS + 1) * ORDERS);
  expect(count("simulateTransaction")).toBe(0);
  expect(count("getTransaction")).toBe(ORDERS);
  expect(count("getSignaturesForAddress")).toBe(0);
});

it("asks for no outcome in the turn that sends behind a node, and keeps the lane for the look that does", async () => {
  await world.close();
  world = await createWorld(50);
  await world.plan();
  const kept = await world.turn();
  expect(count("sendTransaction")).toBe(ORDERS);
  expect(count("getSignatureStatuses")).toBe(0);
  expect(await world.states()).toEqual(FILLED.map(() => "submitted"));
  for (const end of kept) {
    if (typeof end !== "object") throw new Error(`The lane was given back: ${end}`);
    expect(await end.look()).toBe(true);
  }
  expect(count("getSignatureStatuses")).toBeGreaterThan(0);
});
