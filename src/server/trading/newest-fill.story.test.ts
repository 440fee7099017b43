import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { expectBooked } from "../../../test/expect-booked.ts";
import { connectRpc } from "../../../test/connect-rpc.ts";
import { practiceVenues } from "../../../test/practice-venues.ts";
import { type RpcServer, startRpcServer } from "../../../test/rpc-server.ts";
import { useTradingWorld } from "../../../test/trading-world.ts";
import { SLOT_MS } from "../../practice/slots.ts";
import { DRIFT_V2_INSTANCE } from "../../venues/drift/instance.ts";
import { deriveUser } from "../../venues/drift/pdas.ts";
import { formatDecimal } from "../../domain/amount.ts";
import type { CustodyIntent } from "../../domain/custody-intent.ts";
import { createCustodyKeys } from "../custody/account/custody-keys.ts";
import { createCustody } from "../custody/custody.ts";
import { withCallClasses } from "../main/open-networks.ts";
import { createAccountReader } from "../positions/account-reader.ts";
import { readLandedSlots } from "../store/agents/agents.ts";

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

  describe("its owner", () => {
    let nodes: readonly RpcServer[] = [];

    beforeEach(async () => {
      nodes = [await startRpcServer(world.faulty), await startRpcServer(world.chain)];
    });

    afterEach(async () => void (await Promise.all(nodes.map((node) => node.close()))));

    /** The owner's calls on the lagging node alone, or with one behind it that is not. */
    async function custodyOn(count: 1 | 2) {
      const { chain, clock, database, prices, secret } = world;
      const pool = await connectRpc(nodes.slice(0, count), chain, { clock, network: "practice" });
      const runtime = withCallClasses({ network: "practice", explorerUrl: null }, pool, (view) => [
        ...practiceVenues(view, prices, clock).values(),
      ]);
      return createCustody({
        db: database.as("web").db,
        networks: new Map([["practice", runtime]]),
        keys: createCustodyKeys(secret),
        clock,
        random: (length) => randomBytes(length),
        publisher: { publish: () => undefined },
      });
    }

    const prepareOn = async (count: 1 | 2, intent: CustodyIntent, amount?: string) =>
      (await custodyOn(count)).prepare({ agentId: world.agentId, intent, amount });

    it("is asked to sign the closing of what is open, or nothing is said", async () => {
      await expect(prepareOn(1, "close-positions")).rejects.toMatchObject({ code: "unavailable" });
      expect(await prepareOn(2, "close-positions")).toMatchObject({ label: "Close positions" });
    });

    it("withdraws no more than there is, and no less", async () => {
      await world.database.pool.query("update agents set auto_trade = 'off'");
      const { withdrawable } = await world.account();
      await expect(prepareOn(1, "withdraw", "500")).rejects.toMatchObject({ code: "unavailable" });
      await expect(prepareOn(2, "withdraw", "500")).rejects.toThrow(
        `Maximum withdrawable amount is ${formatDecimal(withdrawable, 6)} USDC`,
      );
    });

    it("reads what the account is worth, and what is to be withdrawn before it is deleted", async () => {
      const worth = formatDecimal((await world.account()).portfolioValue, 6);
      const { agentId } = world;
      const [one, both] = [await custodyOn(1), await custodyOn(2)];
      expect((await one.summariseAccess(agentId))?.venueQuote).toBeNull();
      await expect(one.summariseDeletion(agentId)).rejects.toMatchObject({ code: "unavailable" });
      expect((await both.summariseAccess(agentId))?.venueQuote).toBe(worth);
      expect((await both.summariseDeletion(agentId)).refusal).toContain(worth);
    });
  });
});
