import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCustodyWorld, type CustodyWorld } from "../../../test/custody-world.ts";
import { createTestDatabase } from "../../../test/database.ts";
import { VENUE_IDS } from "../../domain/venue-id.ts";
import { createCustodyGuard, type CustodyGuard } from "./custody-guard.ts";

let world: CustodyWorld;
let guard: CustodyGuard;

const access = async () => {
  const found = await world.custody.summariseAccess(world.agentId);
  return { state: found?.tradingKeyState, notices: found?.notices };
};

const approve = async (...request: Parameters<CustodyWorld["prepare"]>) =>
  world.approve(await world.prepare(...request));

describe.each(VENUE_IDS)("a set-up on %s that paused between its two transactions", (venue) => {
  beforeEach(async () => {
    world = await createCustodyWorld(await createTestDatabase(), { venue });
    const { database, networks, clock, keys } = world;
    const publisher = { publish: () => undefined };
    guard = createCustodyGuard({ db: database.db, networks, clock, keys, publisher });
    await approve("set-up");
  });
  afterEach(() => world.database.drop());

  it("is unfinished without a report of external activity, and trades nothing", async () => {
    expect(await guard(world.agentId, "now")).toBe("The set-up is not finished.");
    expect(await access()).toEqual({ state: "pending", notices: [] });
  });

  it("is complete once it is continued", async () => {
    await guard(world.agentId, "now");
    await approve("set-up");
    expect(await guard(world.agentId, "now")).toBeNull();
    expect(await access()).toEqual({ state: "ours", notices: [] });
  });

  it("trades nothing after its owner's revocation, which is not reported as external", async () => {
    await approve("set-up");
    await approve("deposit", "100");
    await approve("revoke");
    expect(await guard(world.agentId, "now")).not.toBeNull();
    expect((await access()).notices).toEqual([]);
    await approve("set-up");
    // Whoever looks sees the chain, whether or not the guard has looked again
    expect(await access()).toEqual({ state: "ours", notices: [] });
  });
});
