import { readFileSync } from "node:fs";
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from "vitest";
import { expectBooked } from "../expect-booked.ts";
import { savePlan } from "../save-plan.ts";
import { createTradingWorld, type StoryAlert, type TradingWorld } from "../trading-world.ts";
import { createKeeper } from "../../src/practice/programs/drift/keeper.ts";
import { SLOT_MS } from "../../src/practice/slots.ts";
import { DRIFT_V2_INSTANCE } from "../../src/venues/drift/instance.ts";
import { newTestId } from "../world.ts";
import { type Actions, type AnsweredAlert, onlyAlerts, type SignedNote } from "./actions.ts";
import { storedChain } from "./chain-evidence.ts";
import { COVERED, REASONS } from "./covered-columns.ts";
import { type Evidence, readEvidence } from "./evidence.ts";
import { type Finding, judge } from "./judge.ts";
import { PLANTED_BESIDE } from "./planted-beside.ts";
import { PLANTED_FAULTS } from "./planted-faults.ts";

let world: TradingWorld;
const acknowledged: AnsweredAlert[] = [];
let actions: Actions;
let client: Client;

beforeAll(async () => {
  world = await createTradingWorld("drift", { storesChain: true, auctionSlots: 10 });
  await countLongs();
  for (const alert of ["long", "close long", "both", "short", "close short", "long"] as const) {
    await fire(alert);
    await world.run();
    world.clock.advance(61_000);
  }
  await stopByKeeper();
  await expectBooked(world);
  client = new Client({ connectionString: world.database.url });
  await client.connect();
  const { orders, followUps } = await evidence();
  const signatures = new Set([...orders, ...followUps].map(({ signature }) => signature));
  signatures.delete(null);
  actions = {
    ...onlyAlerts(acknowledged),
    signed: [...signatures].map((each) => noteOf(each ?? "")),
  };
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

/** Has a keeper trigger and fill the stop of the position that is open. */
async function stopByKeeper(): Promise<void> {
  await savePlan(world, { stop: { at: { kind: "percent", bps: 300 } } });
  await world.run();
  world.setPrice(149_000_000n);
  const keep = createKeeper(world.chain, DRIFT_V2_INSTANCE);
  await keep();
  world.clock.advance(31 * SLOT_MS);
  await keep();
  world.clock.advance(61_000);
  await world.run();
}

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

const evidence = (): Promise<Evidence> => readEvidence(client, storedChain(client));

const noteOf = (signature: string): SignedNote => ({
  agentId: world.agentId,
  purpose: "order",
  signature,
  tradingState: "active",
});

/** Judges the records as they are now. */
const findings = async (changed: Partial<Actions> = {}): Promise<readonly Finding[]> =>
  judge({ ...actions, ...changed }, await evidence());

const finding = (kind: Finding["kind"], text: string) => ({
  kind,
  text: expect.stringContaining(text) as string,
});

/** Returns the notes of the signatures, the first one changed. */
const changedNote = (change: Partial<SignedNote>): readonly SignedNote[] =>
  actions.signed.map((note, at) => (at === 0 ? { ...note, ...change } : note));

describe("the table of what the judge covers", () => {
  it("has every column of the database, each with a function of the judge or a reason", async () => {
    const { rows } = await client.query<{ name: string; columns: string[] }>(
      `select case table_schema when 'public' then '' else table_schema || '.' end || table_name as name,
         array_agg(column_name::text order by 1) as columns
       from information_schema.columns where table_schema in ('public', 'signer') group by 1 order by 1`,
    );
    const names = (listed: string) => listed.trim().split(/\s+/);
    const listed = Object.entries(COVERED).map(([name, how]) => ({
      name,
      columns:
        typeof how === "string"
          ? (rows.find((row) => row.name === name)?.columns.toSorted() ?? [])
          : Object.values(how).flatMap(names).toSorted(),
    }));
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    const stored = rows.map(({ name, columns }) => ({ name, columns: columns.toSorted() }));
    expect(listed.toSorted(byName)).toEqual(stored.toSorted(byName));
  });

  it("names functions that there are, and reasons", () => {
    const source = ["judge", "judge-accounts", "judge-money", "judge-stored"]
      .map((name) => readFileSync(`${import.meta.dirname}/${name}.ts`, "utf8"))
      .join();
    const keys = Object.values(COVERED).flatMap((how) =>
      typeof how === "string" ? [how] : Object.keys(how),
    );
    const unknown = keys.filter((key) => !(key in REASONS) && !source.includes(`function ${key}(`));
    expect(unknown).toEqual([]);
  });
});

describe("the judge of a run", () => {
  it("finds nothing in a correct run", async () => {
    const { fills, log, counters } = await evidence();
    expect(await findings()).toEqual([]);
    // It had something to look at
    expect(fills.length).toBeGreaterThan(3);
    expect(log.length).toBeGreaterThan(fills.length - 1);
    expect(counters.some(({ count }) => count > 0)).toBe(true);
  });

  it("accepts a stored alert without an answer", async () => {
    const alerts = acknowledged.map((alert) => ({ ...alert, eventIds: [] }));
    expect(await findings({ alerts })).toEqual([]);
  });

  it("reports a delivery that was answered with another event", async () => {
    const [first] = acknowledged;
    if (first === undefined) throw new Error("No alert was fired");
    const eventIds = [...first.eventIds, newTestId()];
    const alerts = [{ ...first, eventIds }, ...acknowledged.slice(1)];
    expect(await findings({ alerts })).toContainEqual(finding("doubled", eventIds.join(", ")));
  });

  it("reports a counter that was not reset when auto-trade was turned on", async () => {
    const turnedOn = [{ agentId: world.agentId, afterEvents: acknowledged.length }];
    expect(await findings({ turnedOn })).toContainEqual(finding("counter", "its alerts make 0"));
  });

  it("reports a signature made while trading was halted", async () => {
    const signed = changedNote({ tradingState: "halted" });
    expect(await findings({ signed })).toContainEqual(finding("forbidden", "while halted"));
  });

  it("reports an entry signed while only reducing orders are allowed", async () => {
    const signed = changedNote({ tradingState: "reducing" });
    expect(await findings({ signed })).toContainEqual(finding("forbidden", "while reducing"));
  });

  it("reports a trading key that touches another agent's accounts", async () => {
    const signed = changedNote({ agentId: "other" });
    const touches = `of agent other touches agent ${world.agentId}`;
    expect(await findings({ signed })).toContainEqual(finding("forbidden", touches));
  });

  it("reports an order that remains open at the exchange", async () => {
    const found = await evidence();
    const [order = ""] = found.landed.flatMap(({ placed }) => placed);
    const holdings = new Map(
      [...found.holdings].map(([id, { held }]) => [id, { held, openOrders: [order] }]),
    );
    const named = judge(actions, { ...found, holdings });
    expect(named).toEqual([finding("open", `order ${order} of agent ${world.agentId} is alive`)]);
  });

  it.each([...PLANTED_FAULTS, ...PLANTED_BESIDE])("reports $title", async ({ sql, kind, says }) => {
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
