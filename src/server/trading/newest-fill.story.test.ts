import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { expectBooked } from "../../../test/expect-booked.ts";
import { connectRpc } from "../../../test/connect-rpc.ts";
import { practiceVenues } from "../../../test/practice-venues.ts";
import { type RpcServer, startRpcServer } from "../../../test/rpc-server.ts";
import { useTradingWorld } from "../../../test/trading-world.ts";
import { SLOT_MS } from "../../practice/slots.ts";
import { DRIFT_V2_INSTANCE } from "../../venues/drift/instance.ts";
import { deriveUser } from "../../venues/drift/pdas.ts";
import { createAccountReader } from "../positions/account-reader.ts";
import { readLandedSlots } from "../store/lanes/lanes.ts";

const world = useTradingWorld("drift", { auctionSlots: 0 });

const trade = async (signal: "long" | "close long") => {
  await world.fire(signal);
  await world.run();
};

beforeEach(async () => {
  const { vault } = world.keys.of(world.agentId);
  await world.faulty.setStale([deriveUser(DRIFT_V2_INSTANCE, vault, 0)]);
  world.clock.advance(SLOT_MS);
  await trade("long");
  expect(await world.story()).toEqual(["OPEN_LONG filled"]);
  // Another blockhash: an order like the last would otherwise have the same bytes
  world.clock.advance(SLOT_MS);
});

afterEach(() => expectBooked(world));

describe("with a node that has not seen the agent's newest fill", () => {
  it("nothing is opened a second time", async () => {
    await trade("long");
    expect(await world.story()).toEqual(["OPEN_LONG filled", "OPEN_LONG planned"]);
    await world.faulty.setStale(false);
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG filled", "OPEN_LONG denied already_long"]);
  });

  it("a closing does not end with nothing to close", async () => {
    await trade("close long");
    expect((await world.story()).at(-1)).toMatch(/^CLOSE_LONG planned/);
    await world.faulty.setStale(false);
    world.clock.advance(15_000);
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG filled", "CLOSE_LONG filled"]);
    expect((await world.account()).positions).toEqual([]);
  });

  it("figures are another node's, or none", async () => {
    const { clock, database, deps, prices } = world;
    const runtime = deps.networks.get("practice");
    if (runtime === undefined) throw new Error("No practice network");
    const sidesSeenBy = async (...nodes: RpcServer[]) => {
      const { chain } = await connectRpc(nodes, world.chain, { clock, network: "practice" });
      const venues = practiceVenues(chain, prices, clock);
      const accounts = createAccountReader({
        clock,
        networks: new Map([["practice", { ...runtime, chain, venues }]]),
        landedSlots: (agentIds) => readLandedSlots(database.db, agentIds),
      });
      const [snapshot] = await accounts.read([await world.agent()]);
      return snapshot?.state.positions.map(({ side }) => side);
    };
    const lagging = await startRpcServer(world.faulty);
    const current = await startRpcServer(world.chain);
    expect(await sidesSeenBy(lagging)).toBeUndefined();
    expect(await sidesSeenBy(lagging, current)).toEqual(["long"]);
    await Promise.all([lagging.close(), current.close()]);
  });
});
