import { expect, it, vi } from "vitest";
import { parseAgentId } from "../../../domain/ids.ts";
import { listAgentsWithWork } from "../../store/orders/lanes-with-work.ts";
import type { Network } from "../../../domain/network.ts";
import { buildNetworks } from "../../../../test/networks.ts";
import { createTestWallet } from "../../../../test/wallet.ts";
import { useTradingWorld } from "../../../../test/trading-world.ts";
import { runLane } from "./lane.ts";
import { createLaneSchedule } from "./lane-schedule.ts";
import { changeExchange } from "../../../../test/practice-operator.ts";

/** More than a process ever held at once. */
const HANGING = 70;

const world = useTradingWorld();

interface Hanging {
  readonly count: number;
  readonly network: Network;
  readonly owner: string;
  readonly signal: "OPEN_LONG" | "CLOSE_LONG";
}

/** Adds agents like the world's, each with one planned order. */
async function addHanging({ count, network, owner, signal }: Hanging): Promise<string[]> {
  const { db } = world.database;
  const ids = Array.from({ length: count }, (_, at) => at.toString(16).padStart(32, "0"));
  const [agent, chat, multisig] = await Promise.all([
    db.selectFrom("agents").selectAll().where("id", "=", world.agentId).executeTakeFirstOrThrow(),
    db.selectFrom("chats").selectAll().executeTakeFirstOrThrow(),
    db.selectFrom("multisigs").selectAll().executeTakeFirstOrThrow(),
  ]);
  const custodies = ids.map((id) => {
    const { multisig: address, vault, createKey, tradingKey } = world.keys.of(parseAgentId(id));
    const made = { vault, create_key: createKey.address, delegate: tradingKey.address };
    return { ...multisig, ...made, agent_id: id, multisig: address };
  });
  const copies = ids.map((id) => ({ id, chat_id: id, name: id, name_key: id, owner, network }));
  const orders = ids.map((id) => ({
    id,
    agent_id: id,
    signal,
    leg: 0,
    state: "planned" as const,
    planned_at: new Date(world.clock.now()),
  }));
  await db
    .insertInto("chats")
    .values(ids.map((id) => ({ ...chat, id, owner })))
    .execute();
  await db
    .insertInto("agents")
    .values(copies.map((copy) => ({ ...agent, ...copy })))
    .execute();
  await db.insertInto("multisigs").values(custodies).execute();
  await db
    .insertInto("lanes")
    .values(ids.map((id) => ({ agent_id: id })))
    .execute();
  await db.insertInto("orders").values(orders).execute();
  return ids;
}

/** Returns how often the lane of the world's agent was claimed. */
async function fenceOfWorld(): Promise<string> {
  const lanes = world.database.db.selectFrom("lanes").where("agent_id", "=", world.agentId);
  return (await lanes.select("fence").executeTakeFirstOrThrow()).fence;
}

/** A schedule in which every agent but the world's hangs until it is released. */
function openSchedule() {
  const { deps, agentId } = world;
  const releases = new Map<string, () => void>();
  let isOver = false;
  const schedule = createLaneSchedule(
    {
      ...deps,
      networks: new Map([...deps.networks, ...buildNetworks(["devnet"])]),
      custodyCheck: async (asked) => {
        if (asked === agentId) return null;
        if (!isOver) await new Promise<void>((resolve) => releases.set(asked, resolve));
        return "It hung.";
      },
    },
    "here",
  );
  return {
    schedule,
    /** Agents whose lane has begun and not ended. */
    begun: () => [...releases.keys()],
    releaseOne() {
      const [first] = releases;
      if (first === undefined) throw new Error("Nothing hangs");
      releases.delete(first[0]);
      first[1]();
    },
    stop() {
      isOver = true;
      for (const release of releases.values()) release();
      return schedule.stop();
    },
  };
}

it("closes a position while every agent of another network hangs", async () => {
  const { agentId, owner } = world;
  await world.fire("long");
  await world.run();
  expect((await world.account()).positions).toHaveLength(1);
  const hanging = await addHanging({
    count: HANGING,
    network: "devnet",
    owner: owner.address,
    signal: "CLOSE_LONG",
  });
  const { schedule, stop } = openSchedule();
  for (const id of hanging) schedule.wake(parseAgentId(id), true);
  await world.fire("close long");
  schedule.wake(agentId, true);
  await expect.poll(world.laterStory).toEqual(["OPEN_LONG filled", "CLOSE_LONG filled"]);
  await stop();
});

it("closes a position while entries of the same network and owner hang, by wake-up or poll", async () => {
  const { agentId, owner } = world;
  await world.fire("long");
  await world.run();
  const hanging = await addHanging({
    count: HANGING,
    network: "practice",
    owner: owner.address,
    signal: "OPEN_LONG",
  });
  const { schedule, begun, stop } = openSchedule();
  for (const id of hanging) schedule.wake(parseAgentId(id), false);
  await expect.poll(begun).toHaveLength(8);
  await world.fire("close long");
  schedule.wake(agentId, true);
  await expect.poll(world.laterStory).toEqual(["OPEN_LONG filled", "CLOSE_LONG filled"]);
  world.clock.advance(10_000);
  await world.fire("long");
  await world.run();
  await world.fire("close long");
  schedule.start();
  await expect
    .poll(async () => (await world.laterStory()).slice(2))
    .toEqual(["OPEN_LONG filled", "CLOSE_LONG filled"]);
  expect(begun()).toHaveLength(8);
  await stop();
});

it("runs an entry as soon as a slot is free although 300 agents of another owner wait", async () => {
  await changeExchange(world.chain, { minPerpAuctionDuration: 0 });
  const { agentId } = world;
  const unclaimed = await fenceOfWorld();
  const many = await addHanging({
    count: 300,
    network: "practice",
    owner: createTestWallet().address,
    signal: "OPEN_LONG",
  });
  const { schedule, begun, releaseOne, stop } = openSchedule();
  // Its owner is known from here on: a place freed while he is read would go to the other's next agent
  schedule.wake(agentId, false);
  await expect.poll(fenceOfWorld).not.toBe(unclaimed);
  for (const id of many) schedule.wake(parseAgentId(id), false);
  await expect.poll(begun).toHaveLength(8);
  await world.fire("long");
  schedule.wake(agentId, false);
  releaseOne();
  await expect.poll(world.laterStory).toEqual(["OPEN_LONG filled"]);
  await stop();
});

it("leaves entries to the server whose agent it is, and closes whatever there is to close", async () => {
  await changeExchange(world.chain, { minPerpAuctionDuration: 0 });
  let [asked, isOurs] = [0, false];
  const owns = () => {
    asked += 1;
    return isOurs;
  };
  const shares = { name: "here", owns, changes: () => 0 };
  const schedule = createLaneSchedule({ ...world.deps, shares }, "here");
  await world.fire("long");
  const claimed = await fenceOfWorld();
  schedule.start();
  schedule.wake(world.agentId, false);
  // Woken once, and found by two polls at least
  await expect.poll(() => asked).toBeGreaterThan(2);
  expect(await fenceOfWorld()).toBe(claimed);
  expect(await world.story()).toEqual(["OPEN_LONG planned"]);
  isOurs = true;
  await expect.poll(world.laterStory).toEqual(["OPEN_LONG filled"]);
  isOurs = false;
  await world.fire("close long");
  schedule.wake(world.agentId, true);
  const closed = ["OPEN_LONG filled", "CLOSE_LONG filled"];
  await expect.poll(world.laterStory).toEqual(closed);
  await schedule.stop();
});

it("claims a lane once for an order, however often it looks at it in its auction, and frees it at the end", async () => {
  await changeExchange(world.chain, { minPerpAuctionDuration: 10 });
  const { schedule, stop } = openSchedule();
  const listed = async () =>
    (await listAgentsWithWork(world.deps.lanes, world.clock.now())).map(({ isSent }) => isSent);
  await world.fire("long");
  expect(await listed()).toEqual([false]);
  schedule.wake(world.agentId, false);
  await expect.poll(world.story).toEqual(["OPEN_LONG resting resting"]);
  // A poll that finds it takes no place from entries either
  expect(await listed()).toEqual([true]);
  const looks = vi.spyOn(world.faulty, "accounts");
  const claimed = await fenceOfWorld();
  await expect.poll(() => looks.mock.calls.length).toBeGreaterThan(3);
  await expect.poll(world.laterStory).toEqual(["OPEN_LONG filled"]);
  expect(await fenceOfWorld()).toBe(claimed);
  await world.fire("close long");
  schedule.wake(world.agentId, true);
  await expect.poll(async () => (await world.story())[1]).toBe("CLOSE_LONG resting resting");
  // A server that stops leaves to the next what it would have gone on with
  await stop();
  const { rows } = await world.database.pool.query("select claimed_by from lanes");
  expect(rows).toEqual([{ claimed_by: null }]);
});

it("keeps a lane past its lease while its order is at the venue; one that nobody renews is taken over", async () => {
  await changeExchange(world.chain, { minPerpAuctionDuration: 10 });
  const { pool } = world.database;
  const { schedule, stop } = openSchedule();
  await world.fire("long");
  schedule.wake(world.agentId, false);
  schedule.start();
  await expect.poll(world.story).toEqual(["OPEN_LONG resting resting"]);
  const claimed = await fenceOfWorld();
  const untilOf = async () =>
    (await pool.query<{ claimed_until: Date }>("select claimed_until from lanes")).rows[0]
      ?.claimed_until as Date;
  const until = await untilOf();
  await expect.poll(async () => (await untilOf()) > until).toBe(true);
  expect(await fenceOfWorld()).toBe(claimed);
  await runLane(world.deps, world.agentId, "there");
  expect(await fenceOfWorld()).toBe(claimed);

  await stop();
  await pool.query(
    "update lanes set claimed_by = 'lost', claimed_until = clock_timestamp() - interval '1 ms'",
  );
  const takeOver = async () => {
    await runLane(world.deps, world.agentId, "there");
    return world.laterStory();
  };
  await expect.poll(takeOver).toEqual(["OPEN_LONG filled"]);
  expect(await fenceOfWorld()).not.toBe(claimed);
});

it("finds work although another list of the poll fails every time", async () => {
  await changeExchange(world.chain, { minPerpAuctionDuration: 0 });
  let failed = 0;
  const db = world.database.db.withPlugin({
    transformQuery: ({ node }) => {
      if (!JSON.stringify(node).includes("auto_trade = 'stopping'")) return node;
      failed += 1;
      throw new Error("The list could not be read");
    },
    transformResult: async ({ result }) => result,
  });
  const schedule = createLaneSchedule({ ...world.deps, db }, "here");
  await world.fire("long");
  schedule.start();
  await expect.poll(world.laterStory).toEqual(["OPEN_LONG filled"]);
  expect(failed).toBeGreaterThan(0);
  await schedule.stop();
  expect(world.problems.splice(0)).toHaveLength(failed);
});
