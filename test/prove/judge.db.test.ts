import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from "vitest";
import { expectBooked } from "../expect-booked.ts";
import { createTradingWorld, type StoryAlert, type TradingWorld } from "../trading-world.ts";
import { newTestId } from "../world.ts";
import type { AcknowledgedAlert } from "./alert-senders.ts";
import { readEvidence } from "./evidence.ts";
import { type Finding, judge } from "./judge.ts";
import { PLANTED_FAULTS } from "./planted-faults.ts";

let world: TradingWorld;
const acknowledged: AcknowledgedAlert[] = [];
let client: Client;

beforeAll(async () => {
  world = await createTradingWorld("drift", { storesChain: true, auctionSlots: 10 });
  await countLongs();
  for (const alert of ["long", "close long", "both", "short", "close short", "long"] as const) {
    await fire(alert);
    await world.run();
    world.clock.advance(61_000);
  }
  await expectBooked(world);
  client = new Client({ connectionString: world.database.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await world.database.drop();
});

// What a test does to the records is undone after it; no trigger or key keeps it from doing so
beforeEach(() =>
  client.query(
    "begin isolation level repeatable read; set local session_replication_role = replica",
  ),
);
afterEach(() => client.query("rollback"));

/** Gives the agent a rule that stays incomplete, so that one counter is not zero. */
async function countLongs(): Promise<void> {
  const ruleId = newTestId();
  const { pool } = world.database;
  await pool.query("insert into rules (id, agent_id, action) values ($1, $2, 'RESET_CLOSE_LONG')", [
    ruleId,
    world.agentId,
  ]);
  await pool.query(
    `insert into rule_conditions (rule_id, alert_id, required_count)
     select $1, id, 5 from alerts where agent_id = $2 and name = 'long'`,
    [ruleId, world.agentId],
  );
}

async function fire(alert: StoryAlert): Promise<void> {
  const firedAtMs = world.clock.now();
  const result = await world.fire(alert);
  if (result.kind !== "accepted") throw new Error(`The alert was ${result.kind}`);
  const { eventId } = result;
  acknowledged.push({ agentId: world.agentId, alertName: alert, firedAtMs, eventIds: [eventId] });
}

const findings = async (): Promise<readonly Finding[]> =>
  judge(acknowledged, await readEvidence(client));

const finding = (kind: Finding["kind"], text: string) => ({
  kind,
  text: expect.stringContaining(text) as string,
});

describe("the judge of a run", () => {
  it("finds nothing where nothing is wrong", async () => {
    const { chain, log, counters } = await readEvidence(client);
    expect(await findings()).toEqual([]);
    // It had something to look at
    expect(chain.size).toBeGreaterThan(3);
    expect(log.length).toBeGreaterThan(chain.size - 1);
    expect(counters.some(({ count }) => count > 0)).toBe(true);
  });

  it("names a delivery that was answered with another event", () => {
    const [first] = acknowledged;
    if (first === undefined) throw new Error("No alert was fired");
    const eventIds = [...first.eventIds, newTestId()];
    return expect(
      readEvidence(client).then((evidence) =>
        judge([{ ...first, eventIds }, ...acknowledged.slice(1)], evidence),
      ),
    ).resolves.toContainEqual(finding("doubled", eventIds.join(", ")));
  });

  it.each(PLANTED_FAULTS)("names $title", async ({ sql, kind, says }) => {
    const { rows } = await client.query<{ id: string }>(
      sql,
      sql.includes("$1") ? [world.agentId] : [],
    );
    const [changed] = rows;
    if (changed === undefined) throw new Error("Nothing was changed");
    const named = (await findings()).filter(({ text }) => text.includes(changed.id));
    expect(named).toContainEqual(finding(kind, says));
  });
});
