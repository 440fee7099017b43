import { afterEach, describe, expect, it } from "vitest";
import { expectBooked } from "../../../test/expect-booked.ts";
import { savePlan } from "../../../test/save-plan.ts";
import { STOP } from "../../../test/stopped-world.ts";
import { useTradingWorld } from "../../../test/trading-world.ts";
import { cutLogs } from "../../../test/cut-logs.ts";
import { touchOften } from "../../../test/touch-often.ts";
import { inOrder } from "../../../test/faults.ts";
import { SLOT_MS } from "../../practice/slots.ts";
import { DRIFT_V2_INSTANCE } from "../../venues/drift/instance.ts";
import { TransactionRefusedError, UnreadableTransactionError } from "../../solana/chain.ts";
import { wrapChain } from "../../../test/wrap-chain.ts";
import { deriveUser } from "../../venues/drift/pdas.ts";
import type { Networks } from "../networks.ts";
import { lockLane } from "../store/agents/agents.ts";
import { sumTradedBase } from "../store/custody/custody-notices.ts";
import { storeResumed } from "../store/lanes/owner-limits.ts";
import { runLane } from "./lanes/lane.ts";
import type { TradingDeps } from "./orders/order-context.ts";
import { changeExchange } from "../../../test/practice-operator.ts";

const AUCTION_SLOTS = 10;

const world = useTradingWorld("drift", {
  auctionSlots: AUCTION_SLOTS,
  passesAuctions: false,
});

afterEach(() => expectBooked(world));

const followUps = () =>
  world.database.db.selectFrom("order_transactions").select(["purpose", "ended"]).execute();

const logSignatures = async () =>
  (await world.database.db.selectFrom("trade_log").select("signature").execute()).map(
    ({ signature }) => signature,
  );

const fills = () => world.database.db.selectFrom("order_fills").selectAll().execute();

async function runFor(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    world.clock.advance(1_000);
    await world.run();
  }
}

describe("an order that has to wait for its auction", () => {
  it("rests at the venue, is filled by us once the auction is over, and is recorded to the unit", async () => {
    await world.fire("long");
    expect(await world.run()).toBe("waiting");
    expect(await world.story()).toEqual(["OPEN_LONG resting resting"]);
    expect(await world.orders()).toMatchObject([{ status: "pending" }]);
    await runFor(10);
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    const [order] = await world.orders();
    const [position] = (await world.account()).positions;
    expect(order).toMatchObject({ status: "success", baseSize: position?.baseSize });
    expect(await followUps()).toEqual([{ purpose: "fill", ended: "landed" }]);
    expect((await fills()).map((fill) => BigInt(fill.base_size))).toEqual([position?.baseSize]);
    expect((await fills()).map((fill) => fill.signature)).not.toEqual([order?.signature]);
    // The log leads to the transaction that traded
    expect(await logSignatures()).toEqual((await fills()).map((fill) => fill.signature));
  });

  it("keeps what its owner changed meanwhile, although its lane remembers what it read before", async () => {
    await world.fire("long");
    let end = await runLane(world.deps, world.agentId, "test");
    expect(await world.story()).toEqual(["OPEN_LONG resting resting"]);
    world.clock.advance(SLOT_MS);
    const changedAtMs = world.clock.now();
    await world.database.db.transaction().execute(async (transaction) => {
      await lockLane(transaction, world.agentId);
      await storeResumed(transaction, world.agentId, changedAtMs);
    });
    while (typeof end === "object") {
      world.clock.advance(1_000);
      if (await end.look()) end = await end.goOn();
    }
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    const { rows } = await world.database.pool.query<{ seen: string }>(
      "select risk -> 'own' ->> 'peakSeenMs' as seen from lanes",
    );
    expect(rows).toEqual([{ seen: String(changedAtMs) }]);
  });

  it("is filled once though its node drops the fill, which is tried before it is sent again", async () => {
    await world.fire("long");
    await world.run();
    const runtime = world.deps.networks.get("practice");
    if (runtime === undefined) throw new Error("The world has no practice network");
    const done: string[] = [];
    const chain = wrapChain(runtime.chain, (inner) => ({
      simulate(...input) {
        done.push("tried");
        return inner.simulate(...input);
      },
      async send(transaction) {
        done.push("sent");
        if (done.length > 1) return inner.send(transaction);
        throw new TransactionRefusedError({ kind: "instruction", name: "Custom", code: 6_000 }, []);
      },
    }));
    const networks: Networks = new Map([["practice", { ...runtime, chain }]]);
    for (let second = 0; second < 10; second += 1) {
      world.clock.advance(1_000);
      await runLane({ ...world.deps, networks }, world.agentId, "test");
    }
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    expect(done).toEqual(["sent", "tried", "sent"]);
    expect((await followUps()).map(({ ended }) => ended)).toEqual(["refused", "landed"]);
  });

  it.each([
    ["is filled", 0],
    ["expires", 60_000],
  ])("%s although strangers' transactions name the account hundreds of times", async (_how, ms) => {
    await world.fire("long");
    await world.run();
    const user = deriveUser(DRIFT_V2_INSTANCE, world.keys.of(world.agentId).vault, 0);
    await touchOften(world.chain, user, 1_005);
    world.clock.advance(ms);
    await runFor(10);
    const story = await world.story();
    expect(story).toEqual([ms === 0 ? "OPEN_LONG filled" : "OPEN_LONG cancelled cancelled"]);
  });

  it("is filled although a stranger's transaction of a later version names the account", async () => {
    await world.fire("long");
    await world.run();
    const user = deriveUser(DRIFT_V2_INSTANCE, world.keys.of(world.agentId).vault, 0);
    const [later] = await touchOften(world.chain, user, 1);
    const runtime = world.deps.networks.get("practice");
    if (runtime === undefined) throw new Error("The world has no practice network");
    const chain = wrapChain(runtime.chain, (inner) => ({
      async transaction(signature) {
        if (signature === later) throw new UnreadableTransactionError("Version 7");
        return inner.transaction(signature);
      },
    }));
    const networks: Networks = new Map([["practice", { ...runtime, chain }]]);
    const deps: TradingDeps = { ...world.deps, networks };
    for (let second = 0; second < 10; second += 1) {
      world.clock.advance(1_000);
      await runLane(deps, world.agentId, "test");
    }
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
  });

  it.each([
    ["is not said to have traded nothing when the log of its fill is cut", 0, "fills_unread"],
    ["is cancelled where only the logs of strangers are cut", 60_000, "cancelled"],
  ])("%s", async (_how, ms, reason) => {
    await world.fire("long");
    await world.run();
    const user = deriveUser(DRIFT_V2_INSTANCE, world.keys.of(world.agentId).vault, 0);
    await touchOften(world.chain, user, 2);
    const networks = cutLogs(world.deps.networks, await world.landed());
    world.clock.advance(ms);
    for (let second = 0; second < 10; second += 1) {
      world.clock.advance(1_000);
      await runLane({ ...world.deps, networks }, world.agentId, "test");
    }
    expect((await world.account()).positions).toHaveLength(ms === 0 ? 1 : 0);
    expect(await world.story()).toEqual([`OPEN_LONG cancelled ${reason}`]);
    // The next one is decided on what the chain shows
    await world.fire("long");
    await runFor(12);
    const next = ms === 0 ? "OPEN_LONG denied already_long" : "OPEN_LONG filled";
    expect(await world.story()).toEqual([`OPEN_LONG cancelled ${reason}`, next]);
  });

  it("is taken over by another server, and one lost answer fills it once", async () => {
    await world.fire("long");
    await world.run();
    world.clock.advance((AUCTION_SLOTS + 1) * SLOT_MS);
    world.faulty.script(inOrder("lose-answer"));
    await world.run("another");
    await runFor(3);
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    expect(await followUps()).toHaveLength(1);
    const [position] = (await world.account()).positions;
    expect((await world.orders())[0]?.baseSize).toBe(position?.baseSize);
  });

  it("is neither lost nor doubled by a server whose node fell behind", async () => {
    const user = deriveUser(DRIFT_V2_INSTANCE, world.keys.of(world.agentId).vault, 0);
    await world.faulty.setStale([user]);
    world.clock.advance(SLOT_MS);
    await world.fire("long");
    await world.run();
    await world.fire("long");
    await runFor(5);
    expect(await world.story()).toEqual(["OPEN_LONG resting resting", "OPEN_LONG planned"]);
    await world.faulty.setStale(false);
    await runFor(10);
    expect(await world.story()).toEqual(["OPEN_LONG filled", "OPEN_LONG denied already_long"]);
    expect(await world.landed()).toHaveLength(1);
  });

  it("is placed once when a paused server wakes after another placed it", async () => {
    const { deps, database, agentId } = world;
    const paused: TradingDeps = {
      ...deps,
      async custodyCheck() {
        await database.pool.query("update lanes set claimed_until = '2000-01-01'");
        expect(await world.run("another")).toBe("waiting");
        return null;
      },
    };
    await world.fire("long");
    expect(await runLane(paused, agentId, "paused")).toBe("taken");
    // To be overtaken is no fault
    expect(world.problems).toEqual([]);
    expect(await world.story()).toEqual(["OPEN_LONG resting resting"]);
    expect(await world.orders()).toMatchObject([{ status: "pending" }]);
    await runFor(10);
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    expect(await world.landed()).toHaveLength(1);
  });

  it.each([true, false])(
    "is told once where its owner's wallet fills it (seen by the lane first: %s)",
    async (isLaneFirst) => {
      await world.fire("long");
      await runFor(12);
      await world.fire("close long");
      await world.run();
      world.clock.advance((AUCTION_SLOTS + 2) * SLOT_MS);
      const prepared = await world.prepare("close-positions");
      expect(prepared.label).toBe("Fill the closing orders");
      if (isLaneFirst) {
        await world.chain.send(world.sign(prepared));
        await world.run();
      }
      await world.approve(prepared);
      await runFor(2);
      expect(await world.story()).toEqual(["OPEN_LONG filled", "CLOSE_LONG filled"]);
      expect(await logSignatures()).toEqual((await fills()).map((fill) => fill.signature));
      const traded = await sumTradedBase(world.database.db, world.agentId);
      expect([...traded.values()]).toEqual([0n]);
    },
  );

  it("leaves the stop where its owner's wallet closes, until that has filled", async () => {
    await savePlan(world, STOP);
    await world.fire("long");
    await runFor(14);
    const stops = async () =>
      world.networks.get("practice")?.venues.get("drift")?.protectiveOrders?.(world.venueAccount);
    expect(await stops()).toHaveLength(1);
    const placing = await world.prepare("close-positions");
    expect(placing).toMatchObject({ label: "Place the closing orders" });
    await world.approve(placing);
    expect(await stops()).toHaveLength(1);
    world.clock.advance((AUCTION_SLOTS + 2) * SLOT_MS);
    const filling = await world.prepare("close-positions");
    expect(filling).toMatchObject({ label: "Fill the closing orders" });
    await world.approve(filling);
    expect((await world.account()).positions).toEqual([]);
    expect(await world.prepare("close-positions")).toMatchObject({ label: "Settle PnL" });
    await runFor(5);
    expect(await stops()).toEqual([]);
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
  });

  it("is cancelled when it expires unfilled, and nothing is traded", async () => {
    await world.fire("long");
    await world.run();
    world.faulty.script(() => "drop");
    world.clock.advance(60_000);
    await world.run();
    world.faulty.script(() => undefined);
    await runFor(120);
    expect(await world.story()).toEqual(["OPEN_LONG cancelled cancelled"]);
    expect(await world.orders()).toMatchObject([{ status: "failed" }]);
    expect((await world.account()).positions).toEqual([]);
    expect((await world.account()).openOrderCount).toBe(0);
  });

  it("is placed again until flat when it closes and expired, as part of an exit", async () => {
    await changeExchange(world.chain, { minPerpAuctionDuration: 0 });
    await world.fire("long");
    await world.run();
    world.clock.advance(1_000);
    await changeExchange(world.chain, { minPerpAuctionDuration: AUCTION_SLOTS });
    await world.fire("close long");
    await world.run();
    expect((await world.story()).at(-1)).toBe("CLOSE_LONG resting resting");
    world.clock.advance(60_000);
    await runFor(40);
    expect((await world.story()).slice(1)).toEqual([
      "CLOSE_LONG cancelled cancelled",
      "CLOSE_LONG filled",
    ]);
    expect((await world.account()).positions).toEqual([]);
  });

  it.each(["refuse", "drop", "lose-answer", "fork", "delay"] as const)(
    "gets the chain's outcome whatever is placed or filled with a %s",
    async (fault) => {
      for (const sends of [[fault], [undefined, fault], [fault, fault, fault]]) {
        world.faulty.script(inOrder(...sends));
        await world.fire("long");
        await runFor(15);
        world.faulty.script(() => undefined);
        await world.faulty.release().catch(() => {});
        world.faulty.resolveForks();
        await runFor(160);
        const [position] = (await world.account()).positions;
        const last = (await world.orders()).at(-1);
        expect(["filled", "cancelled", "expired"]).toContain(last?.state);
        expect(last?.baseSize).toBe(position?.baseSize ?? 0n);
        expect((await world.account()).openOrderCount).toBe(0);
        await world.fire("close long");
        await runFor(60);
        expect((await world.account()).positions).toEqual([]);
      }
      world.problems.splice(0);
    },
  );
});
