import type { TradingState } from "../../domain/trading-state.ts";
import { readTradersState } from "../store/operator/trading-state.ts";
import { beforeEach, expect, it } from "vitest";
import { createTestClock, type TestClock } from "../../../test/clock.ts";
import { createConditionWorld } from "../../../test/condition-world.ts";
import { createCrowd } from "../../../test/crowd.ts";
import { createTestDatabase, useDatabase } from "../../../test/database.ts";
import { type AgentId, parseAgentId } from "../../domain/ids.ts";
import { createCustodyGuard } from "../custody/custody-guard.ts";
import { createReconciler } from "../reconcile/reconciler.ts";
import type { Db } from "../store/postgres/db.ts";
import { createAgentShares, SHARE_LEASE_MS } from "./divide-agents.ts";

const database = useDatabase();
let clock: TestClock;

beforeEach(async () => {
  clock = createTestClock();
  await database.pool.query("delete from trading_servers");
});

/** One agent of each group. */
const AGENTS = Array.from({ length: 256 }, (_, bucket) =>
  parseAgentId(bucket.toString(16).padStart(2, "0").padEnd(32, "0")),
);

const startServer = (
  name: string,
  db: Db = database.as("trading").db,
  of: TestClock = clock,
  state: TradingState = "active",
) =>
  createAgentShares({
    db,
    clock: of,
    name,
    switchFiles: () => state,
    onFailure: (error) => {
      throw error;
    },
  });
type Server = ReturnType<typeof startServer>;

const ownedBy = (server: Server): AgentId[] => AGENTS.filter((agent) => server.owns(agent));

/** Lets each server know all the others. */
async function beatTwice(...servers: readonly Server[]): Promise<void> {
  for (let beat = 0; beat < 2; beat += 1) for (const server of servers) await server.beat();
}

it("are halted by files, as pages under another account show, once no server that is there may trade them", async () => {
  const files = async () => (await readTradersState(database.as("web").db)).files;
  expect(await files()).toBe("active");
  const own = createTestClock(Date.now());
  const [halted, other] = (["halted", "reducing"] as const).map((state) =>
    startServer(state, undefined, own, state),
  );
  await halted?.beat();
  expect(await files()).toBe("halted");
  await other?.beat();
  expect(await files()).toBe("reducing");
  await other?.stop();
  expect(await files()).toBe("halted");
  await halted?.stop();
  expect(await files()).toBe("active");
});

it("are all a server's that is alone, and at once those of the next one of its name", async () => {
  const first = startServer("one");
  expect(ownedBy(first)).toEqual([]);
  await first.beat();
  expect(ownedBy(first)).toEqual(AGENTS);
  const next = startServer("one");
  await next.beat();
  expect(ownedBy(next)).toEqual(AGENTS);
});

it("are each looked at by exactly one of several, and those of a killed one by the others", async () => {
  const [one, two, three] = ["one", "two", "three"].map((name) => startServer(name)) as [
    Server,
    Server,
    Server,
  ];
  await beatTwice(one, two, three);
  const shares = [one, two, three].map(ownedBy);
  expect(shares.flat().toSorted()).toEqual(AGENTS);
  for (const share of shares) expect(share.length).toBeGreaterThan(AGENTS.length / 6);

  clock.advance(SHARE_LEASE_MS - 1);
  await beatTwice(one, two);
  expect([one, two].flatMap(ownedBy)).not.toContain(ownedBy(three)[0]);
  clock.advance(1);
  // It may only be paused, and goes on: what was its own is the others' now
  expect(ownedBy(three)).toEqual([]);
  for (const server of [one, two]) await server.beat();
  expect([one, two].flatMap(ownedBy).toSorted()).toEqual(AGENTS);
  // Nobody lost what was his
  expect(ownedBy(one)).toEqual(expect.arrayContaining(shares[0] ?? []));

  const before = three.changes();
  await beatTwice(three, one, two);
  expect(three.changes()).toBeGreaterThan(before);
  expect([one, two, three].map(ownedBy)).toEqual(shares);
});

it("pass to the others as soon as a server stops", async () => {
  const [one, two] = [startServer("one"), startServer("two")];
  await beatTwice(one, two);
  await two.stop();
  expect(ownedBy(two)).toEqual([]);
  await one.beat();
  expect(ownedBy(one)).toEqual(AGENTS);
});

it("are reconciled and booked by two servers as often as by one", async () => {
  const world = await createCrowd(await createTestDatabase(), 8);
  try {
    const looking = {
      db: world.database.as("trading").db,
      clock: world.clock,
      keys: world.keys,
      networks: world.networks,
      publisher: { publish: () => undefined },
    };
    const servers = ["one", "two"].map((name) => startServer(name, looking.db, world.clock));
    await beatTwice(...servers);
    const booked: AgentId[][] = [];
    for (const shares of servers) {
      const own: AgentId[] = [];
      booked.push(own);
      const guard = createCustodyGuard(looking);
      const book = async ({ agentId }: { readonly agentId: AgentId }) => void own.push(agentId);
      await createReconciler({ ...looking, shares, guard, book }).run();
    }
    expect(booked.flat().toSorted()).toEqual(world.agentIds.toSorted());
    expect(booked).toEqual(servers.map(({ owns }) => booked.flat().filter(owns)));
    // Those of the other server are still known
    const { rows } = await world.database.pool.query("select from agent_looks");
    expect(rows).toHaveLength(world.agentIds.length);
  } finally {
    await world.database.drop();
  }
});

it("are evaluated by whoever takes them over, on a bar that was over for him", async () => {
  const world = await createConditionWorld(createTestClock(Date.parse("2026-11-21T08:01:00Z")));
  try {
    const agentId = await world.addAgent({
      conditions: { a: { kind: "every-bars", bars: 1 } },
      rules: [["OPEN_LONG", "a"]],
    });
    const db = world.database.as("trading").db;
    const servers = ["one", "two"].map((name) => startServer(name, db, world.clock));
    await beatTwice(...servers);
    const owner = servers.find(({ owns }) => owns(agentId));
    const other = servers.find((server) => server !== owner);
    if (owner === undefined || other === undefined) throw new Error("One of them is to own it");
    const runner = world.startServer({ shares: other });
    world.clock.advance(3_600_000);
    await other.beat();
    await owner.beat();
    await other.beat();
    await runner.round();
    expect(await world.signals(agentId)).toEqual([]);
    await owner.stop();
    await other.beat();
    await runner.round();
    expect(await world.signals(agentId)).toEqual(["a accepted 11-21T09:00"]);
  } finally {
    await world.close();
  }
});
