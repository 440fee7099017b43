import { type ChildProcess, fork } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createTestClock } from "../../../../test/clock.ts";
import { type ConditionWorld, createConditionWorld } from "../../../../test/condition-world.ts";
import { parseAgentId } from "../../../domain/ids.ts";

/** More in a release: CONDITION_KILLS=200. */
const KILLS = Number(process.env["CONDITION_KILLS"] ?? 8);
const SERVERS = 3;
const AGENTS = 20;
const HOUR_MS = 3_600_000;
const PROGRAM = join(import.meta.dirname, "../../../../test/condition-server.ts");

let world: ConditionWorld;
let servers: ChildProcess[];

beforeEach(async () => {
  world = await createConditionWorld(createTestClock(Date.parse("2026-11-21T08:01:00Z")));
  servers = [];
});

afterEach(async () => {
  for (const server of servers) server.kill("SIGKILL");
  await world.close();
});

const startServer = (): ChildProcess =>
  fork(PROGRAM, [world.database.url, String(world.clock.now())], { stdio: "ignore" });

/** Resolves once a server is through with what closed by a time; one that is killed never is. */
async function doneWith(server: ChildProcess, timeMs: number): Promise<void> {
  server.send(timeMs);
  for (;;) {
    const [{ doneToMs }] = (await once(server, "message")) as [{ doneToMs: number }];
    if (doneToMs === timeMs) return;
  }
}

it("three servers on one database, killed at random: each firing counts once and plans one order", async () => {
  const agentIds: string[] = [];
  for (let agent = 0; agent < AGENTS; agent += 1) {
    agentIds.push(
      await world.addAgent({
        conditions: { a: { kind: "every-bars", bars: 1 } },
        rules: [["OPEN_LONG", "a"]],
      }),
    );
  }
  servers = Array.from({ length: SERVERS }, startServer);
  const expected: string[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    world.clock.advance(HOUR_MS);
    const closeMs = world.clock.now() - 60_000;
    expected.push(`a accepted ${new Date(closeMs).toISOString().slice(5, 16)}`);
    const done = servers.map((server) => doneWith(server, world.clock.now()));
    for (const each of done) each.catch(() => {});
    await sleep(randomInt(0, 120));
    // Now and then nobody is left, and whoever starts next finds what is stored and does the rest
    const victims = kill % 4 === 3 ? [0, 1, 2] : [kill % SERVERS];
    for (const victim of victims) servers[victim]?.kill("SIGKILL");
    await Promise.all(done.filter((_, at) => !victims.includes(at)));
    for (const victim of victims) servers[victim] = startServer();
    if (victims.length === SERVERS) {
      await Promise.all(servers.map((server) => doneWith(server, world.clock.now())));
    }
  }
  for (const agentId of agentIds)
    expect(await world.signals(parseAgentId(agentId))).toEqual(expected);

  // The same as for alerts from outside: no key twice, and of every counted one exactly what its rule says
  const { rows: repeats } = await world.database.pool.query(
    "select 1 from alert_events group by agent_id, alert_name, fired_at having count(*) > 1",
  );
  expect(repeats).toEqual([]);
  const { rows: orders } = await world.database.pool.query(
    `select count(orders.id)::int as orders from alert_events event
     left join orders on orders.event_id = event.id group by event.id`,
  );
  expect(orders).toHaveLength(AGENTS * KILLS);
  expect([...new Set(orders.map((row) => row.orders))]).toEqual([1]);
});
