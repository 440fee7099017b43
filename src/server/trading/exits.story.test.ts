import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { expectBooked } from "../../../test/expect-booked.ts";
import { useTradingWorld } from "../../../test/trading-world.ts";
import { newTestId } from "../../../test/world.ts";
import { wrapChain } from "../../../test/wrap-chain.ts";
import { TransactionRefusedError } from "../../solana/chain.ts";
import { endExitsForOwner } from "./intake.ts";
import type { Venue } from "../../venues/ports.ts";
import { runLane } from "./lanes/lane.ts";
import { createPipeline } from "./pipeline.ts";
import { commit } from "./orders/commit.ts";
import { factsOf, startTrace } from "./orders/decision-trace.ts";
import { continueExit, putOff, waitForExit } from "./orders/exits.ts";
import { findLateFills } from "./orders/find-late-fills.ts";
import { findTradingAgent, type TradingAgent } from "./orders/order-context.ts";
import type { Change } from "../store/orders/change.ts";
import type { Committed } from "../store/orders/commit-change.ts";
import { readDecisionCause } from "../store/orders/decision-cause.ts";
import type { ExitRecord } from "../store/orders/exits.ts";
import { readLaneWork } from "../store/lanes/lanes.ts";
import type { Db } from "../store/postgres/db.ts";
import { changeExchange, setExchangePaused } from "../../../test/practice-operator.ts";

const world = useTradingWorld();

beforeEach(async () => {
  await world.fire("long");
  await world.run();
  world.clock.advance(1_000);
});

afterEach(() => expectBooked(world));

const exits = () => world.database.db.selectFrom("exits").selectAll().orderBy("asked_at").execute();

const lastLine = async () => (await world.story()).at(-1);

/** Runs the agent's lane every second for that long, as the schedule would. */
async function runFor(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    world.clock.advance(1_000);
    await world.run();
  }
}

const expectFlat = async () => {
  expect((await world.account()).positions).toEqual([]);
  expect((await exits()).filter((exit) => exit.state === "working")).toEqual([]);
};

/** Orders somebody sent just now, as far as a limit counts them. */
async function pretendSent(count: number, agentId: string): Promise<void> {
  const at = new Date(world.clock.now());
  await world.database.db
    .insertInto("orders")
    .values(
      Array.from({ length: count }, () => ({
        id: newTestId(),
        agent_id: agentId,
        event_id: null,
        signal: "OPEN_LONG",
        state: "rejected" as const,
        reason: "not_filled",
        intent: JSON.stringify({ reduceOnly: false }),
        resting: null,
        exit_id: null,
        transaction: null,
        signature: null,
        last_valid_block_height: null,
        planned_at: at,
        submitted_at: at,
        settled_at: at,
      })),
    )
    .execute();
}

describe("an exit caused by an alert", () => {
  it("is not limited by the number of orders of the agent or of all agents", async () => {
    await pretendSent(301, world.agentId);
    await world.fire("close long");
    await world.run();
    expect(await lastLine()).toBe("CLOSE_LONG filled");
    await world.fire("long");
    await world.run();
    expect(await lastLine()).toBe("OPEN_LONG denied too_many_orders");
  });

  it("survives an outage longer than the maximum age of an alert", async () => {
    world.faulty.setDown(true);
    await world.fire("close long");
    expect(await world.run()).toBe("waiting");
    await runFor(20);
    expect(await exits()).toMatchObject([
      { state: "working", asked_by: "alert", last_reason: "node_unavailable", attempts: 0 },
    ]);
    expect(await lastLine()).toBe("CLOSE_LONG planned");
    world.clock.advance(600_000);
    world.faulty.setDown(false);
    await world.run();
    expect(await lastLine()).toBe("CLOSE_LONG filled");
    await expectFlat();
  });

  it("plans one order although it comes due just after its work was read", async () => {
    world.faulty.setDown(true);
    await world.fire("close long");
    expect(await world.run()).toBe("waiting");
    world.faulty.setDown(false);
    let isLate = false;
    const now = () => {
      const at = world.clock.now();
      if (!isLate) world.clock.advance(60_000);
      isLate = true;
      return at;
    };
    await runLane({ ...world.deps, clock: { ...world.clock, now } }, world.agentId, "test");
    expect(isLate).toBe(true);
    await runFor(20);
    expect((await world.story()).slice(1)).toEqual(["CLOSE_LONG filled"]);
    await expectFlat();
  });

  it("waits until the operator's halt, the only refusal, is lifted", async () => {
    world.limitTo("halted");
    await world.fire("close long");
    await world.run();
    world.clock.advance(400_000);
    await world.run();
    expect(await exits()).toMatchObject([{ state: "working", last_reason: "trading_halted" }]);
    world.limitTo("active");
    await runFor(15);
    expect(await lastLine()).toBe("CLOSE_LONG filled");
    await expectFlat();
  });

  it("continues after a pause of the venue", async () => {
    await setExchangePaused(world.chain, true);
    await world.fire("close long");
    await world.run();
    await runFor(10);
    expect((await world.account()).positions).toHaveLength(1);
    expect((await exits())[0]).toMatchObject({ state: "working" });
    await setExchangePaused(world.chain, false);
    await runFor(16);
    expect(await lastLine()).toBe("CLOSE_LONG filled");
    await expectFlat();
  });

  it("is sent again with a wider limit and a higher fee after it expired", async () => {
    world.faulty.script(() => "drop");
    await world.fire("close long");
    await world.run();
    world.clock.advance(100_000);
    await world.run();
    expect(await exits()).toMatchObject([
      { state: "working", attempts: 1, last_reason: "expired", limit_bps: 100 },
    ]);
    world.faulty.script(() => undefined);
    await runFor(1);
    expect((await world.story()).slice(1)).toEqual([
      "CLOSE_LONG expired expired",
      "CLOSE_LONG filled",
    ]);
    const intents = await world.database.db
      .selectFrom("orders")
      .select("intent")
      .orderBy("seq")
      .execute();
    const limits = intents.map(({ intent }) => (intent as { slippageBps: number }).slippageBps);
    expect(limits).toEqual([50, 50, 100]);
    await expectFlat();
  });

  it("absorbs a later exit, but not across an entry between them", async () => {
    world.faulty.setDown(true);
    for (const alert of ["close long", "close long", "long", "close long"] as const) {
      await world.fire(alert);
    }
    await world.run();
    await runFor(2);
    expect(await world.story()).toEqual([
      "OPEN_LONG filled",
      "CLOSE_LONG planned",
      "CLOSE_LONG denied joined_exit",
      "OPEN_LONG planned",
      "CLOSE_LONG planned",
    ]);
    world.faulty.setDown(false);
    await runFor(16);
    expect((await world.story()).slice(1)).toEqual([
      "CLOSE_LONG filled",
      "CLOSE_LONG denied joined_exit",
      "OPEN_LONG filled",
      "CLOSE_LONG filled",
    ]);
    await expectFlat();
  });

  it("continues after a partial fill, which is booked as such", async () => {
    await changeExchange(world.chain, { minPerpAuctionDuration: 0 });
    const runtime = world.deps.networks.get("practice");
    const venue = runtime?.venues.get("drift");
    if (runtime === undefined || venue === undefined) throw new Error("No exchange");
    const halving: Venue = {
      ...venue,
      reportOrder(account, outcome) {
        const report = venue.reportOrder(account, outcome);
        if (report.kind !== "filled") return report;
        const fills = report.fills.map((fill) => ({ ...fill, baseSize: fill.baseSize / 2n }));
        return { kind: "filled", fills };
      },
    };
    const venues = new Map([[venue.id, halving]]);
    const networks = new Map([["practice", { ...runtime, venues }]] as const);
    const [opened] = await world.orders();
    await world.fire("close long");
    await runLane({ ...world.deps, networks }, world.agentId, "test");
    expect(await lastLine()).toBe("CLOSE_LONG partially_filled partially_filled");
    expect((await world.orders()).at(-1)).toMatchObject({
      status: "success",
      baseSize: (opened?.baseSize ?? 0n) / 2n,
    });
    expect(await exits()).toMatchObject([{ state: "working", attempts: 1 }]);
    await runFor(2);
    await expectFlat();
    expect(await world.story()).toHaveLength(2);
  });

  it("is tried by the node that takes it, and simulated from then on once that refused it", async () => {
    const runtime = world.deps.networks.get("practice");
    if (runtime === undefined) throw new Error("No practice network");
    const error = { kind: "instruction", name: "Custom", code: 6_003 } as const;
    let [simulated, isFailing] = [0, true];
    const chain = wrapChain(runtime.chain, (inner) => ({
      async send(transaction) {
        if (isFailing) throw new TransactionRefusedError(error, []);
        return inner.send(transaction);
      },
      async simulate(...asked) {
        simulated += 1;
        return isFailing ? { error, logs: [], unitsConsumed: 0n } : inner.simulate(...asked);
      },
    }));
    const networks = new Map([["practice", { ...runtime, chain }]] as const);
    const pass = async (seconds: number) => {
      for (let second = 0; second < seconds; second += 1) {
        world.clock.advance(1_000);
        await runLane({ ...world.deps, networks }, world.agentId, "test");
      }
    };
    await world.fire("close long");
    await pass(1);
    const [, refused] = await world.story();
    expect(refused).toMatch(/^CLOSE_LONG rejected /);
    expect(await exits()).toMatchObject([{ state: "working", attempts: 1 }]);
    expect(simulated).toBe(0);
    await pass(8);
    expect((await world.story()).slice(1)).toEqual([refused, "CLOSE_LONG planned"]);
    expect(simulated).toBeGreaterThan(1);
    isFailing = false;
    await pass(30);
    expect((await world.story()).slice(1)).toEqual([refused, "CLOSE_LONG filled"]);
    await expectFlat();
  });

  it("is taken over by another server", async () => {
    world.faulty.script(() => "drop");
    await world.fire("close long");
    await world.run();
    world.clock.advance(100_000);
    await world.run();
    world.faulty.script(() => undefined);
    world.clock.advance(1_000);
    await world.run("another");
    expect(await lastLine()).toBe("CLOSE_LONG filled");
    await expectFlat();
  });
});

describe("an exit caused by turning the agent off", () => {
  it("resumes by itself after a pause of the venue", async () => {
    await setExchangePaused(world.chain, true);
    await world.turn("off");
    await world.run();
    await runFor(5);
    expect((await world.agent()).autoTrade).toBe("stopping");
    await setExchangePaused(world.chain, false);
    await runFor(16);
    expect((await world.agent()).autoTrade).toBe("off");
    await expectFlat();
  });

  it("ends with the agent off when a halt was set and lifted in the meantime", async () => {
    world.limitTo("halted");
    await world.turn("off");
    await world.run();
    await runFor(5);
    expect((await world.agent()).autoTrade).toBe("stopping");
    expect(await exits()).toMatchObject([{ asked_by: "owner", last_reason: "trading_halted" }]);
    world.limitTo("active");
    await runFor(16);
    expect((await world.agent()).autoTrade).toBe("off");
    await expectFlat();
  });

  it("is resumed by the schedule alone after any wait", async () => {
    world.limitTo("halted");
    await world.turn("off");
    const pipeline = createPipeline({
      ...world.deps,
      alertDatabase: world.database,
      hints: { notify() {}, subscribe: () => () => {} },
      worker: "here",
    });
    pipeline.start();
    await expect.poll(async () => (await exits())[0]?.last_reason).toBe("trading_halted");
    world.limitTo("active");
    const autoTrade = async () => {
      world.clock.advance(1_000);
      return (await world.agent()).autoTrade;
    };
    await expect.poll(autoTrade).toBe("off");
    await pipeline.stop();
    await expectFlat();
  });

  it("can be ended by the owner, who keeps the position and may continue trading", async () => {
    world.limitTo("halted");
    await world.turn("off");
    await world.run();
    world.notices.length = 0;
    await endExitsForOwner(world.webDeps, world.agentId, { wallet: world.owner.address });
    expect(world.notices).toContainEqual({ topic: "agent", id: world.agentId });
    world.limitTo("active");
    await runFor(20);
    expect(await world.story()).toEqual(["OPEN_LONG filled", "CLOSE_LONG denied exit_ended"]);
    expect((await world.agent()).autoTrade).toBe("off");
    expect((await world.account()).positions).toHaveLength(1);
    await expect(
      endExitsForOwner(world.webDeps, world.agentId, { wallet: world.owner.address }),
    ).rejects.toMatchObject({ code: "conflict" });
    await world.turn("on");
    await world.fire("close long");
    await world.run();
    await expectFlat();
  });

  it("plans no further order while its owner ends it", async () => {
    await commitUntilEnded(async (agent, exit) => {
      const { change } = await continueExit(world.deps, agent, exit);
      expect(change?.planned).toHaveLength(1);
      return change;
    });
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
  });

  it("absorbs no close of an alert while its owner ends it", async () => {
    await world.fire("close long");
    await commitUntilEnded(async (agent) => {
      const { change } = await waitForExit(world.deps, agent);
      expect(change?.denied).toHaveLength(1);
      return change;
    });
    expect(await world.story()).toEqual(["OPEN_LONG filled", "CLOSE_LONG planned"]);
  });

  it("puts off no order of it while its owner ends it", async () => {
    const committed = await commitUntilEnded(async (agent, exit) => {
      const { deps, agentId } = world;
      const { change } = await continueExit(deps, agent, exit);
      if (change === null) throw new Error("Nothing is planned");
      await commit(deps, { agentId, fence: null }, agent.record, change);
      const work = await readLaneWork(deps.lanes, agentId, world.clock.now());
      if (work === null || work.order === null) throw new Error("Nothing is planned");
      const reason = "node_unavailable";
      const cause = await readDecisionCause(deps.lanes, work.order.id);
      const facts = factsOf(startTrace(), cause, reason);
      const context = { ...work, deps, agent, order: work.order };
      return putOff(context, { reason, isAttempt: false, facts });
    });
    expect(committed).toBe("lost");
    expect(await world.story()).toEqual(["OPEN_LONG filled", "CLOSE_LONG denied exit_ended"]);
    expect(await exits()).toMatchObject([{ state: "ended_by_owner", waits: 0 }]);
  });
});

/**
 * Begins an exit, makes a change of it and stores the change while the exit's owner ends it: the change waits for the
 * owner's transaction, which has the lane and waits for the exit.
 */
async function commitUntilEnded(
  makeChange: (agent: TradingAgent, exit: ExitRecord) => Promise<Change | null>,
): Promise<Committed> {
  const { deps, agentId } = world;
  const agent = await findTradingAgent(deps, agentId);
  if (agent === null) throw new Error("The agent is gone");
  const atMs = world.clock.now();
  const exit: ExitRecord = {
    id: newTestId(),
    agentId,
    marketId: agent.record.marketId,
    side: "long",
    askedBy: "owner",
    part: null,
    planEnd: null,
    askedAtMs: atMs,
    attempts: 0,
    waits: 0,
    nextAttemptAtMs: atMs,
    lastReason: null,
    limitBps: 50,
  };
  const lane = { agentId, fence: null };
  await commit(deps, lane, agent.record, { atMs, begunExits: [exit], stale: [] });
  const change = await makeChange(agent, exit);
  if (change === null) throw new Error("Nothing changes");
  const waiting = await deps.db.transaction().execute(async (transaction) => {
    await sql`select from exits where agent_id = ${agentId} for update`.execute(transaction);
    const ended = endExitsForOwner(world.webDeps, agentId, { wallet: world.owner.address });
    await expect.poll(() => countWaiting(world.database.db)).toBe(1);
    const committed = commit(deps, lane, agent.record, change);
    await expect.poll(() => countWaiting(world.database.db)).toBe(2);
    return { ended, committed };
  });
  await waiting.ended;
  return waiting.committed;
}

/** Returns the number of statements that wait for a lock. */
async function countWaiting(db: Db): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    db,
  );
  return rows.length;
}

describe("an order that was abandoned too early", () => {
  it.each(["expired", "rejected"] as const)(
    "and recorded as %s is found filled, and nothing is opened twice",
    async (state) => {
      await world.fire("close long");
      await world.run();
      world.clock.advance(1_000);
      await world.fire("long");
      await world.run();
      const filled = (await world.orders()).at(-1);
      // As a node would have had us believe
      await world.database.db
        .updateTable("orders")
        .set({ state, reason: state, settled_at: new Date(world.clock.now()) })
        .where("id", "=", filled?.id ?? "")
        .execute();
      await world.database.db
        .updateTable("trade_log")
        .set({ status: "failed", base_size: "0", quote_total: "0", price: null, fee: null })
        .where("order_id", "=", filled?.id ?? "")
        .execute();
      await world.database.db
        .deleteFrom("order_fills")
        .where("order_id", "=", filled?.id ?? "")
        .execute();
      await findLateFills(world.deps, "practice");
      await world.run();
      expect((await world.orders()).at(-1)).toEqual({ ...filled, reason: null });
      expect((await world.orders()).at(-1)).toMatchObject({ state: "filled", status: "success" });
      expect(await world.landed()).toHaveLength(3);
    },
  );
});
