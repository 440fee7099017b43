import { sql } from "kysely";
import { afterEach, describe, expect, it } from "vitest";
import { expectBooked } from "../../../test/expect-booked.ts";
import { putPracticeAccount } from "../../../test/chain-bench.ts";
import { useTradingWorld } from "../../../test/trading-world.ts";
import { inOrder } from "../../../test/faults.ts";
import { SLOT_MS } from "../../practice/slots.ts";
import { type Chain, ChainUnavailableError } from "../../solana/chain.ts";
import { wrapChain } from "../../../test/wrap-chain.ts";
import { createDriftVenue } from "../../venues/drift/drift-venue.ts";
import { DRIFT_V2_INSTANCE } from "../../venues/drift/instance.ts";
import { claimLane } from "../store/lanes/lanes.ts";
import { runLane } from "./lanes/lane.ts";
import { createPipeline } from "./pipeline.ts";
import type { TradingDeps } from "./orders/order-context.ts";
import { changeExchange } from "../../../test/practice-operator.ts";

const world = useTradingWorld();

afterEach(() => expectBooked(world));

const passSlots = (slots: number) => world.clock.advance(slots * SLOT_MS);

const storedSignature = async () => (await world.orders())[0]?.signature;

/** Ends whatever lease there is, as time does when its holder was paused or killed. */
const endLease = () =>
  world.database.db
    .updateTable("lanes")
    .set({ claimed_until: sql<Date>`clock_timestamp() - interval '1 second'` })
    .execute();

/** The same server with another chain in front of the real one. */
function serverOn(change: Partial<Chain>): TradingDeps {
  const runtime = world.deps.networks.get("practice");
  if (runtime === undefined) throw new Error("No practice network");
  const chain = wrapChain(world.faulty, () => change);
  const venue = createDriftVenue({ chain, instance: DRIFT_V2_INSTANCE, clock: world.clock });
  const venues = new Map([[venue.id, venue]]);
  return { ...world.deps, networks: new Map([["practice", { ...runtime, chain, venues }]]) };
}

describe("a sent order whose answer is lost", () => {
  it("is found on chain and recorded once", async () => {
    world.faulty.script(inOrder("lose-answer"));
    await world.fire("long");
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    expect(await world.landed()).toEqual([await storedSignature()]);
  });

  it.each(["drop", "refuse"] as const)("is sent again byte for byte after a %s", async (fault) => {
    world.faulty.script(inOrder(fault, fault));
    await world.fire("long");
    expect(await world.run()).toBe("waiting");
    const signature = await storedSignature();
    await world.run();
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    expect(await world.landed()).toEqual([signature]);
  });

  it("reports at once that it waits for an empty fee payer, and fills when the payer holds SOL again", async () => {
    const { address } = world.keys.feePayer;
    const account = (await world.ledger.view()).account(address);
    if (account === undefined) throw new Error("The fee payer has no account");
    await putPracticeAccount(world.ledger, address, { ...account, lamports: 0n });
    await world.fire("long");
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG unknown fee_payer_empty"]);
    expect(await world.orders()).toMatchObject([{ status: "pending", reason: "fee_payer_empty" }]);
    expect(world.problems).toMatchObject([{ feePayer: address }]);
    world.clock.advance(31_000);
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG unknown fee_payer_empty"]);
    expect(world.problems).toHaveLength(1);
    await world.chain.fund(address, { lamports: 1_000_000_000n, quoteUnits: 0n });
    await world.run();
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    expect(await world.landed()).toHaveLength(1);
    world.problems.length = 0;
  });

  it("is shown as unknown after 30 s and still gets its true outcome", async () => {
    world.faulty.script(() => "drop");
    await world.fire("long");
    await world.run();
    world.clock.advance(29_999);
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG submitted"]);
    world.clock.advance(1);
    world.faulty.setDown(true);
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG unknown outcome_unknown"]);
    expect(await world.orders()).toMatchObject([{ status: "pending" }]);
    world.faulty.setDown(false);
    world.faulty.script(() => undefined);
    await world.run();
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    expect(await world.landed()).toHaveLength(1);
  });

  it("expires only when finality proves it, and never trades afterwards", async () => {
    world.faulty.script(() => "drop");
    await world.fire("long");
    await world.run();
    passSlots(150 + 32);
    await world.run();
    expect((await world.story())[0]).toContain("unknown");
    passSlots(1);
    expect(await world.run()).toBe("empty");
    expect(await world.story()).toEqual(["OPEN_LONG expired expired"]);
    world.faulty.script(() => undefined);
    await world.run();
    expect(await world.landed()).toEqual([]);
    await world.fire("long");
    await world.run();
    expect((await world.story())[1]).toBe("OPEN_LONG filled");
  });

  it("is found when it landed in the last possible block", async () => {
    await changeExchange(world.chain, { minPerpAuctionDuration: 0 });
    world.faulty.script(inOrder("delay"));
    await world.fire("long");
    await world.run();
    world.faulty.script(() => "drop");
    passSlots(150);
    await world.faulty.release();
    passSlots(100);
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    expect(await world.landed()).toHaveLength(1);
  });

  it("is not abandoned because of a node that fell behind", async () => {
    let [slot, finalizedHeight] = [1_000n, 0n];
    const server = serverOn({
      send: async () => {
        throw new ChainUnavailableError("Away");
      },
      progress: async () => ({ slot: finalizedHeight, blockHeight: finalizedHeight }),
      async signatureStatuses(_signatures, { minSlot = 0n } = {}) {
        if (slot < minSlot) throw new ChainUnavailableError("Behind");
        return { slot, statuses: [null] };
      },
    });
    const look = async () => {
      await runLane(server, world.agentId, "test");
      return (await world.story())[0];
    };
    await world.fire("long");
    expect(await look()).toBe("OPEN_LONG submitted");
    [slot, finalizedHeight] = [800n, 1_000_000n];
    expect(await look()).toBe("OPEN_LONG submitted");
    slot = 1_000_001n;
    expect(await look()).toBe("OPEN_LONG expired expired");
  });

  it("is sent again after a fork removed it", async () => {
    world.faulty.script(inOrder("fork"));
    await world.fire("long");
    expect(await world.run()).toBe("waiting");
    expect(await world.story()).toEqual(["OPEN_LONG submitted"]);
    world.faulty.resolveForks();
    await world.run();
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    expect(await world.landed()).toHaveLength(1);
  });
});

describe("two holders of one lane", () => {
  it("never work simultaneously", async () => {
    await changeExchange(world.chain, { minPerpAuctionDuration: 0 });
    await world.fire("long");
    const ends: string[] = [];
    world.beforeSigning(async () => void ends.push(await world.run("second")));
    ends.push(await world.run("first"));
    expect(ends).toEqual(["taken", "empty"]);
    expect(await world.landed()).toHaveLength(1);
  });

  it("cause one effect when the first is paused before storing what it signed", async () => {
    await world.fire("long");
    let isFirst = true;
    world.beforeSigning(async () => {
      if (!isFirst) return;
      isFirst = false;
      await endLease();
      expect(await world.run("second")).toBe("empty");
    });
    expect(await world.run("first")).toBe("taken");
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    expect(await world.landed()).toEqual([await storedSignature()]);
    // The account is in use by then and the signer refuses; to be overtaken is no fault
    expect(world.problems).toEqual([]);
  });

  it("execute only the second's order when the first signed too late", async () => {
    await world.fire("long");
    let isFirst = true;
    world.beforeSigning(async () => {
      if (!isFirst) return;
      isFirst = false;
      await endLease();
      expect(
        await claimLane(world.database.pool, world.agentId, "second", {
          leaseMs: 60_000,
          nowMs: world.clock.now(),
        }),
      ).not.toBeNull();
    });
    expect(await world.run("first")).toBe("taken");
    expect(await world.story()).toEqual(["OPEN_LONG planned"]);
    expect(await world.run("first")).toBe("taken");
    await endLease();
    // The signer signs no second entry while the first one's signature can still land
    expect(await world.run("second")).toBe("waiting");
    passSlots(200);
    await world.run("second");
    expect(await world.landed()).toEqual([await storedSignature()]);
  });

  it("cause one effect when the first is paused between storing and sending", async () => {
    await world.fire("long");
    let isFirst = true;
    const first = serverOn({
      async send(bytes) {
        if (isFirst) {
          isFirst = false;
          await endLease();
          expect(await world.run("second")).toBe("waiting");
          expect(await world.run("second")).toBe("empty");
        }
        return world.faulty.send(bytes);
      },
    });
    await runLane(first, world.agentId, "first");
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    expect(await world.landed()).toEqual([await storedSignature()]);
  });
});

describe("a killed server", () => {
  const startAnother = () => {
    const pipeline = createPipeline({
      ...world.deps,
      alertDatabase: world.database,
      hints: { notify() {}, subscribe: () => () => {} },
      worker: "another",
    });
    pipeline.start();
    return pipeline;
  };

  it("that stored an order without sending it leaves one trade to its successor", async () => {
    await world.fire("long");
    const killed = new Promise<never>(() => {});
    void runLane(serverOn({ send: () => killed }), world.agentId, "killed");
    await expect.poll(() => world.story()).toEqual(["OPEN_LONG submitted"]);
    await endLease();
    const another = startAnother();
    await expect.poll(world.laterStory).toEqual(["OPEN_LONG filled"]);
    await another.stop();
    expect(await world.landed()).toEqual([await storedSignature()]);
  });

  it("that only planned an order leaves it to its successor", async () => {
    await world.fire("long");
    const another = startAnother();
    await expect.poll(world.laterStory).toEqual(["OPEN_LONG filled"]);
    await another.stop();
    expect(await world.landed()).toHaveLength(1);
  });

  it("in the middle of a reversal leaves the second half to its successor", async () => {
    await world.fire("short");
    await world.run();
    passSlots(1);
    await world.fire("long");
    world.faulty.script(inOrder("lose-answer"));
    const killed = new Promise<never>(() => {});
    void runLane(serverOn({ signatureStatuses: () => killed }), world.agentId, "killed");
    await expect.poll(() => world.landed()).toHaveLength(2);
    await endLease();
    await world.run();
    expect((await world.orders()).map(({ side, state }) => `${side} ${state}`)).toEqual([
      "short filled",
      "buy filled",
      "long filled",
    ]);
  });
});

describe("a reversal whose closing fails", () => {
  it("opens the other side only once the first is closed", async () => {
    await world.fire("short");
    await world.run();
    passSlots(1);
    world.faulty.script(() => "drop");
    await world.fire("long");
    await world.run();
    passSlots(200);
    // Whatever the account may look like: while the closing is in work nothing is opened
    const withoutReads = serverOn({
      accounts: async () => {
        throw new ChainUnavailableError("Away");
      },
    });
    await runLane(withoutReads, world.agentId, "test");
    const failed = ["OPEN_SHORT filled", "OPEN_LONG expired expired", "OPEN_LONG planned"];
    expect(await world.story()).toEqual(failed);
    expect((await world.account()).positions).toMatchObject([{ side: "short" }]);
    world.faulty.script(() => undefined);
    world.clock.advance(1_000);
    await world.run();
    expect((await world.story()).toSorted()).toEqual([
      "CLOSE_SHORT filled",
      "OPEN_LONG expired expired",
      "OPEN_LONG filled",
      "OPEN_SHORT filled",
    ]);
    expect((await world.account()).positions).toMatchObject([{ side: "long" }]);
  });

  it("opens nothing when the closing took longer than the alert's maximum age", async () => {
    await world.fire("short");
    await world.run();
    passSlots(1);
    world.faulty.script(() => "drop");
    await world.fire("long");
    await world.run();
    world.clock.advance(301_000);
    await world.run();
    world.faulty.script(() => undefined);
    world.clock.advance(1_000);
    await world.run();
    expect(await world.story()).toEqual([
      "OPEN_SHORT filled",
      "OPEN_LONG expired expired",
      "OPEN_LONG denied signal_expired",
      "CLOSE_SHORT filled",
    ]);
    expect((await world.account()).positions).toEqual([]);
  });
});

describe("five failures in a row", () => {
  const failFive = async () => {
    world.faulty.script(() => "drop");
    for (let failure = 0; failure < 5; failure += 1) {
      await world.fire("long");
      await world.run();
      passSlots(200);
      await world.run();
    }
    world.faulty.script(() => undefined);
  };

  it("allow the agent only to reduce until its owner turns it off and on", async () => {
    await failFive();
    await world.fire("long");
    await world.run();
    expect((await world.story()).slice(4)).toEqual([
      "OPEN_LONG expired expired",
      "OPEN_LONG denied failures",
    ]);
    await world.turn("off");
    await world.turn("on");
    await world.fire("long");
    await world.run();
    expect((await world.story()).at(-1)).toBe("OPEN_LONG filled");
  });

  it("never prevent closing a position", async () => {
    await world.fire("long");
    await world.run();
    passSlots(1);
    world.faulty.script(() => "drop");
    await world.fire("close long");
    for (let failure = 0; failure < 6; failure += 1) {
      await world.run();
      passSlots(200);
      await world.run();
      world.clock.advance(15_000);
    }
    expect(
      (await world.story()).filter((line) => line === "CLOSE_LONG expired expired"),
    ).toHaveLength(6);
    world.faulty.script(() => undefined);
    await world.run();
    expect((await world.story()).at(-1)).toBe("CLOSE_LONG filled");
    expect((await world.account()).positions).toEqual([]);
  });
});
