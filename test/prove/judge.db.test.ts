import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from "vitest";
import { expectBooked } from "../expect-booked.ts";
import { createTradingWorld, type StoryAlert, type TradingWorld } from "../trading-world.ts";
import { newTestId } from "../world.ts";
import type { AcknowledgedAlert } from "./alert-senders.ts";
import { readEvidence } from "./evidence.ts";
import { type Finding, judge } from "./judge.ts";

let world: TradingWorld;
const acknowledged: AcknowledgedAlert[] = [];
let client: Client;

beforeAll(async () => {
  world = await createTradingWorld("drift", { storesChain: true });
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

// What a test does to the records is undone after it
beforeEach(() => client.query("begin isolation level repeatable read"));
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

/** Changes records and returns what the statement returns as `id`. */
async function spoil(statement: string, values: readonly unknown[] = []): Promise<string> {
  const { rows } = await client.query<{ id: string }>(statement, [...values]);
  if (rows[0] === undefined) throw new Error("Nothing was changed");
  return rows[0].id;
}

const firstEvent = () => acknowledged[0]?.eventIds[0] ?? "";

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

  it("names an acknowledged alert that is gone, and what it had caused", async () => {
    await spoil("delete from alert_events where id = $1 returning id", [firstEvent()]);
    const found = await findings();
    expect(found).toContainEqual(finding("lost", `event ${firstEvent()} was acknowledged`));
    expect(found).toContainEqual(finding("counter", world.agentId));
    expect(found).toContainEqual(finding("doubled", `caused by event ${firstEvent()}`));
  });

  it("names an alert that counted twice", async () => {
    const id = await spoil(
      `insert into alert_events (id, agent_id, alert_name, fired_at, received_at, outcome)
       select $2::uuid, agent_id, alert_name, fired_at, received_at, outcome
       from alert_events where id = $1 returning encode(uuid_send(id), 'hex') as id`,
      [firstEvent(), newTestId()],
    );
    expect(await findings()).toContainEqual(finding("doubled", id));
  });

  it("names an alert that nobody was told of", async () => {
    const id = await spoil(
      `insert into alert_events (id, agent_id, alert_name, fired_at, received_at, outcome)
       values ($1, $2, 'long', to_timestamp(1), now(), 'accepted')
       returning encode(uuid_send(id), 'hex') as id`,
      [newTestId(), world.agentId],
    );
    expect(await findings()).toContainEqual(finding("doubled", `event ${id}`));
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

  it("names an order whose log row is doubled", async () => {
    const id = await spoil(
      `insert into trade_log (id, agent_id, chat_id, event_id, rule_id, market, signal, type, side, status,
         base_size, base_decimals, quote_decimals, signature, at)
       select $1, agent_id, chat_id, event_id, rule_id, market, signal, type, side, status,
         base_size, base_decimals, quote_decimals, signature, at
       from trade_log where status = 'success' and signature is not null limit 1 returning id`,
      [newTestId()],
    );
    const found = await findings();
    expect(found).toContainEqual(finding("doubled", id));
    expect(found.every(({ kind }) => kind === "doubled")).toBe(true);
  });

  it("names a doubled order", async () => {
    const id = await spoil(
      `insert into orders (id, agent_id, event_id, signal, leg, state, planned_at)
       select $1, agent_id, event_id, signal, leg, 'denied', planned_at from orders
       where leg = 0 and event_id is not null limit 1 returning id`,
      [newTestId()],
    );
    expect(await findings()).toContainEqual(finding("doubled", id));
  });

  it("names an order that is missing and its row with it", async () => {
    const id = await spoil(
      "delete from orders where id = (select id from orders where event_id = $1) returning id",
      [firstEvent()],
    );
    expect(id).not.toBe("");
    expect(await findings()).toContainEqual(finding("lost", `of event ${firstEvent()}`));
  });

  it("names a counter that is off by one", async () => {
    const id = await spoil(
      "update rule_conditions set count = count - 1 where count > 0 returning rule_id as id",
    );
    expect(await findings()).toEqual([finding("counter", `rule ${id}`)]);
  });

  it("names a transaction of the chain that the log does not have", async () => {
    const id = await spoil(
      `insert into practice_transactions
       select 'unlogged', slot, block_time, error, logs, fee_lamports, lamport_deltas, token_deltas, version
       from practice_transactions join orders using (signature) where state = 'filled' limit 1
       returning signature as id`,
    );
    expect(await findings()).toEqual([
      finding("differs", `transaction ${id} of account`),
      finding("differs", "is not in the book"),
    ]);
  });

  it("names a logged trade that is not on the chain", async () => {
    const id = await spoil(
      `delete from practice_transactions
       where signature = (select signature from orders where state = 'filled' limit 1)
       returning signature as id`,
    );
    expect(await findings()).toContainEqual(
      finding("differs", `transaction ${id} is in the log and not on the chain`),
    );
  });

  it("names a log row that says another size than its order's fills", async () => {
    const id = await spoil(
      `update trade_log set base_size = base_size + 1
       where id = (select id from trade_log where base_size > 0 limit 1) returning id`,
    );
    expect(await findings()).toEqual([finding("differs", `log row ${id}`)]);
  });

  it("names an order that is still under way, and a book that differs", async () => {
    const id = await spoil(
      "update orders set state = 'unknown' where id = (select id from orders limit 1) returning id",
    );
    await spoil("update ledger_marks set difference = '{}' returning agent_id as id");
    expect(await findings()).toEqual([
      finding("open", `order ${id}`),
      finding("differs", `the book of agent ${world.agentId}`),
    ]);
  });
});
