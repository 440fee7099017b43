import { afterEach, beforeEach, expect, it } from "vitest";
import { buildNetworks } from "../../../../test/networks.ts";
import { createTradingWorld, type TradingWorld } from "../../../../test/trading-world.ts";
import { createLaneSchedule } from "./lane-schedule.ts";

/** More than a process ever held at once. */
const HANGING = 70;

let world: TradingWorld;

beforeEach(async () => {
  world = await createTradingWorld();
});

afterEach(() => world.database.drop());

/** Agents of another network, each with a position to close. */
async function addHanging(): Promise<string[]> {
  const { db } = world.database;
  const ids = Array.from({ length: HANGING }, (_, at) => at.toString(16).padStart(32, "f"));
  const [agent, chat, multisig] = await Promise.all([
    db.selectFrom("agents").selectAll().where("id", "=", world.agentId).executeTakeFirstOrThrow(),
    db.selectFrom("chats").selectAll().executeTakeFirstOrThrow(),
    db.selectFrom("multisigs").selectAll().executeTakeFirstOrThrow(),
  ]);
  const custodies = ids.map((id) => {
    const { multisig: address, vault, createKey, tradingKey } = world.keys.of(id);
    const made = { vault, create_key: createKey.address, delegate: tradingKey.address };
    return { ...multisig, ...made, agent_id: id, multisig: address };
  });
  const copies = ids.map((id) => ({ id, chat_id: id, name: id, name_key: id }));
  const orders = ids.map((id) => ({
    id,
    agent_id: id,
    signal: "CLOSE_LONG" as const,
    leg: 0,
    state: "planned" as const,
    planned_at: new Date(world.clock.now()),
  }));
  await db
    .insertInto("chats")
    .values(ids.map((id) => ({ ...chat, id })))
    .execute();
  await db
    .insertInto("agents")
    .values(copies.map((copy) => ({ ...agent, ...copy, network: "devnet" as const })))
    .execute();
  await db.insertInto("multisigs").values(custodies).execute();
  await db
    .insertInto("lanes")
    .values(ids.map((id) => ({ agent_id: id })))
    .execute();
  await db.insertInto("orders").values(orders).execute();
  return ids;
}

it("closes a position while every agent of another network hangs", async () => {
  const { deps, agentId } = world;
  await world.fire("long");
  await world.run();
  expect((await world.account()).positions).toHaveLength(1);
  const hanging = await addHanging();
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const schedule = createLaneSchedule(
    {
      ...deps,
      networks: new Map([...deps.networks, ...buildNetworks(["devnet"])]),
      custodyCheck: async (asked) => {
        if (asked === agentId) return null;
        await released;
        return "It hung.";
      },
    },
    "here",
  );
  for (const id of hanging) schedule.wake(id);
  await world.fire("close long");
  schedule.wake(agentId);
  await expect
    .poll(world.story, { timeout: 15_000 })
    .toEqual(["OPEN_LONG filled", "CLOSE_LONG filled"]);
  release();
  await schedule.stop();
});
