import { createHash } from "node:crypto";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { agentIdOf } from "../../../../test/ids.ts";
import { createTestDatabase, type TestDatabase } from "../../../../test/database.ts";
import { RuleModel } from "../../../../test/rule-model.ts";
import { newTestId } from "../../../../test/world.ts";
import { type AgentId, parseAgentId } from "../../../domain/ids.ts";
import { SIGNALS } from "../../../domain/signal.ts";
import type { RuleState } from "../../../domain/rule-engine.ts";
import { listReceivedSignals } from "../../store/alerts/alert-events.ts";
import { toRuleStates } from "../../store/alerts/counters.ts";
import { openDatabase } from "../../store/postgres/pool.ts";
import { type InboxRow, selectInboxAgents } from "../../store/intake/inbox.ts";
import type { Delivery } from "./delivery.ts";
import type { TouchedAgent } from "./evaluate-batch.ts";
import { type AlertReceiver, createAlertReceiver } from "./receive-alerts.ts";

const NOW = Date.parse("2026-11-21T08:00:00Z");
const ALERTS = ["a", "b", "c"];

let database: TestDatabase;
let receiver: AlertReceiver;
let errors: unknown[];
let touched: TouchedAgent[];
let newId: () => string;

beforeEach(async () => {
  database = await createTestDatabase();
  errors = [];
  touched = [];
  newId = newTestId;
  receiver = startReceiver();
});

afterEach(async () => {
  // What nobody waits for would otherwise fail in the next test
  await receiver.drain();
  await database.drop();
});

const startReceiver = (): AlertReceiver =>
  createAlertReceiver({
    database: database.as("web"),
    newId: () => newId(),
    onStored: (each) => touched.push(each),
    onError: (error) => errors.push(error),
  });

const alertIdOf = (agentId: string, name: string): string =>
  createHash("md5").update(`${name} of ${agentId}`).digest("hex");

/** Adds an agent with these rules; conditions name alerts by their names. */
const OWNER = "A77ytVV59RYYKW9U97puqc8h5MBUxEKjsSe5zPEDWqFo";

async function addAgent(rules: readonly Omit<RuleState, "ruleId">[]): Promise<AgentId> {
  const { db } = database;
  const [agentId, chatId] = [parseAgentId(newTestId()), newTestId()];
  const at = new Date(NOW);
  await db
    .insertInto("chats")
    .values({ id: chatId, owner: OWNER, title: "t", created_at: at, updated_at: at })
    .execute();
  await db
    .insertInto("agents")
    .values({
      id: agentId,
      chat_id: chatId,
      owner: OWNER,
      network: "practice",
      venue: "drift",
      name: agentId,
      name_key: agentId,
      market_id: "SOL-PERP",
      interval: "1h",
      slippage_bps: 50,
      auto_trade: "on",
      created_at: at,
      updated_at: at,
    })
    .execute();
  await db.insertInto("lanes").values({ agent_id: agentId }).execute();
  const alertId = (name: string) => alertIdOf(agentId, name);
  await db
    .insertInto("alerts")
    .values(ALERTS.map((name) => ({ id: alertId(name), agent_id: agentId, name, name_key: name })))
    .execute();
  for (const { action, conditions } of rules) {
    const ruleId = newTestId();
    await db.insertInto("rules").values({ id: ruleId, agent_id: agentId, action }).execute();
    await db
      .insertInto("rule_conditions")
      .values(
        conditions.map(({ alertKey, requiredCount }) => ({
          rule_id: ruleId,
          alert_id: alertId(alertKey),
          required_count: requiredCount,
        })),
      )
      .execute();
  }
  return agentId;
}

const storedRules = async (agentIds: readonly AgentId[]) => {
  const { rows } = await database.pool.query<InboxRow>(selectInboxAgents(agentIds));
  return new Map(rows.map(({ agentId, rules }) => [agentId, toRuleStates(rules ?? [])]));
};

const need = (alertKey: string, requiredCount: number) => ({ alertKey, requiredCount, count: 0 });

let sequence = 0;
const deliveryOf = (agentId: AgentId, alertNameKey: string): Delivery => ({
  agentId,
  tokenVersion: 1,
  alertName: alertNameKey,
  receivedAtMs: NOW,
  content: {
    kind: "alert",
    alertNameKey,
    firedAtMs: NOW,
    dedupKey: createHash("sha256").update(`${sequence++}`).digest("hex"),
    bodyHash: "",
  },
});

describe("1,000 alerts over 50 agents", () => {
  it.each([
    ["to one server at once", 1],
    ["to two servers in turns", 2],
  ])("%s lead to the model's counters and signals", async (_, servers) => {
    const receivers = [receiver, ...Array.from({ length: servers - 1 }, startReceiver)];
    const ruleSet = fc.array(
      fc.record({
        action: fc.constantFrom(...SIGNALS),
        conditions: fc
          .uniqueArray(fc.tuple(fc.constantFrom(...ALERTS), fc.integer({ min: 1, max: 5 })), {
            minLength: 1,
            selector: ([name]) => name,
          })
          .map((needs) => needs.map(([name, count]) => need(name, count))),
      }),
      { minLength: 1, maxLength: 5 },
    );
    const agents: { id: AgentId; model: RuleModel; rules: readonly RuleState[] }[] = [];
    for (const rules of fc.sample(ruleSet, { numRuns: 50, seed: 2026 })) {
      const id = await addAgent(rules);
      const stored = (await storedRules([id])).get(id) ?? [];
      agents.push({ id, model: new RuleModel(stored), rules: stored });
    }
    const names = fc.sample(fc.constantFrom(...ALERTS), { numRuns: 1_000, seed: 2026 });
    const expected = new Map<string, string[]>();
    const deliveries = names.map((name, index) => {
      const agent = agents[index % agents.length]!;
      const fired = agent.model.receive(alertIdOf(agent.id, name));
      expected.set(agent.id, [...(expected.get(agent.id) ?? []), ...fired]);
      return deliveryOf(agent.id, name);
    });
    const lapOf = servers === 1 ? deliveries.length : agents.length;
    for (let lap = 0; lap * lapOf < deliveries.length; lap += 1) {
      const taker = receivers[lap % receivers.length] ?? receiver;
      const due = deliveries.slice(lap * lapOf, (lap + 1) * lapOf);
      const results = await Promise.all(due.map((delivery) => taker.receive(delivery)));
      expect(results.every((result) => result.kind === "accepted")).toBe(true);
    }

    const states = await storedRules(agents.map((agent) => agent.id));
    for (const { id, model } of agents) {
      const counters = (states.get(id) ?? []).flatMap((rule) =>
        rule.conditions.map(
          (condition) => [`${rule.ruleId} ${condition.alertKey}`, condition.count] as const,
        ),
      );
      expect(new Map(counters)).toEqual(model.counters);
      const log = await database.db
        .selectFrom("trade_log")
        .select(["signal", "reason"])
        .where("agent_id", "=", id)
        .orderBy("seq")
        .execute();
      const recorded = log.map((row) =>
        row.reason === null ? row.signal : `${row.signal} denied`,
      );
      expect(recorded).toEqual(expected.get(id) ?? []);
    }
    expect(errors).toEqual([]);
  });
});

describe("a batch", () => {
  it("answers each delivery with its own result", async () => {
    const agentId = await addAgent([{ action: "OPEN_LONG", conditions: [need("a", 1)] }]);
    const good = deliveryOf(agentId, "a");
    const deliveries: Delivery[] = [
      good,
      { ...good },
      { ...good, tokenVersion: 2 },
      deliveryOf(agentIdOf("0"), "a"),
      deliveryOf(agentId, "unheard of"),
      { ...good, content: { kind: "refusal", code: "timestamp_placeholder" } },
    ];
    const results = await Promise.all(deliveries.map((delivery) => receiver.receive(delivery)));
    const eventId = results[0]?.kind === "accepted" ? results[0].eventId : "";
    expect(results).toEqual([
      { kind: "accepted", eventId },
      { kind: "duplicate", eventId },
      { kind: "unknown" },
      { kind: "unknown" },
      { kind: "refused", code: "alert_unknown" },
      { kind: "refused", code: "timestamp_placeholder" },
    ]);
    expect(touched).toMatchObject([{ agentId, hasOrders: true, hasEntries: true, refusals: 3 }]);
  });

  it("is not affected by a delivery that cannot be stored", async () => {
    const agents = await Promise.all(
      ["a", "b", "c"].map(() => addAgent([{ action: "OPEN_LONG", conditions: [need("a", 2)] }])),
    );
    const poisoned = agents[1] ?? expect.fail("no agent");
    const deliveries = agents.map((agentId) => deliveryOf(agentId, "a"));
    // PostgreSQL takes no zero character: neither the whole batch nor this one alone can be stored
    deliveries[1] = { ...deliveryOf(poisoned, "a"), alertName: "\u0000" };
    const results = await Promise.allSettled(
      deliveries.map((delivery) => receiver.receive(delivery)),
    );
    expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(errors).toHaveLength(1);
    const states = await storedRules(agents);
    const counts = agents.map((id) => states.get(id)?.[0]?.conditions[0]?.count);
    expect(counts).toEqual([1, 0, 1]);
  });

  it("stores a limited number of refusals, and every accepted alert", async () => {
    const agentId = await addAgent([{ action: "OPEN_LONG", conditions: [need("a", 2)] }]);
    await receiver.receive(deliveryOf(agentId, "a"));
    for (let round = 0; round < 12; round += 1) {
      await Promise.all(
        Array.from({ length: 100 }, () => receiver.receive(deliveryOf(agentId, "unheard of"))),
      );
    }
    await receiver.drain();
    const rows = await database.db
      .selectFrom("alert_events")
      .select((row) => ["outcome", row.fn.countAll<string>().as("count")])
      .groupBy("outcome")
      .orderBy("outcome")
      .execute();
    const [accepted, refused] = rows;
    expect(accepted).toEqual({ outcome: "accepted", count: "1" });
    expect(Number(refused?.count)).toBeLessThanOrEqual(600);
  });
});

describe("a condition's firing", () => {
  let agentId: AgentId;
  const firingOf = (closedAtMs = NOW, agentChangedAtMs = NOW): Delivery => ({
    agentId: parseAgentId(agentId),
    tokenVersion: null,
    alertName: "a",
    receivedAtMs: NOW,
    content: {
      kind: "condition",
      alertId: alertIdOf(agentId, "a"),
      firedAtMs: closedAtMs,
      dedupKey: `a ${closedAtMs}`,
      agentChangedAtMs,
      fired: {
        price: 155.25,
        compared: [
          {
            text: "close above 155",
            left: 155.25,
            right: 155,
            leftBefore: null,
            rightBefore: null,
          },
        ],
      },
    },
  });
  const signals = async () =>
    (await listReceivedSignals(database.db, parseAgentId(agentId), 10)).map(
      ({ outcome, reason, fired }) => [outcome, reason, fired?.price, fired?.compared[0]?.text],
    );

  beforeEach(async () => {
    agentId = await addAgent([{ action: "OPEN_LONG", conditions: [need("a", 1)] }]);
  });

  it("counts once for any number of servers, with its reason", async () => {
    const other = startReceiver();
    const results = await Promise.all([
      receiver.receive(firingOf()),
      other.receive(firingOf()),
      receiver.receive(firingOf()),
    ]);
    const kinds = results.map(({ kind }) => kind).toSorted();
    expect(kinds).toEqual(["accepted", "duplicate", "duplicate"]);
    expect(await signals()).toEqual([["accepted", null, 155.25, "close above 155"]]);
    expect((await database.pool.query("select id from orders")).rows).toHaveLength(1);
  });

  it("of a bar that closed too long ago is recorded once as missed and never traded", async () => {
    const late = firingOf(NOW - 301_000);
    expect(await receiver.receive(late)).toEqual({ kind: "missed" });
    expect(await receiver.receive(late)).toMatchObject({ kind: "duplicate" });
    expect(await signals()).toEqual([["refused", "bar_missed", 155.25, "close above 155"]]);
    expect((await database.pool.query("select id from orders")).rows).toHaveLength(0);
  });

  it.each([
    ["the agent changed", "update agents set updated_at = updated_at + interval '1 ms'"],
    ["trading was turned off", "update agents set auto_trade = 'off'"],
    ["the alert was removed", "delete from alerts"],
  ])("leaves no trace when %s after it was evaluated", async (_, change) => {
    // From memory and from the database alike
    await receiver.receive(firingOf(NOW - 1_000));
    await database.pool.query(change);
    expect(await receiver.receive(firingOf())).toEqual({ kind: "outdated" });
    expect(await signals()).toHaveLength(1);
  });
});

describe("a server's cached agent", () => {
  let agentId: AgentId;

  beforeEach(async () => {
    agentId = await addAgent([{ action: "OPEN_LONG", conditions: [need("a", 3)] }]);
    for (let twice = 0; twice < 2; twice += 1) {
      expect(await receiver.receive(deliveryOf(agentId, "a"))).toMatchObject({ kind: "accepted" });
    }
  });

  const change = (text: string) => database.pool.query(text);
  const count = async () => (await storedRules([agentId])).get(agentId)?.[0]?.conditions[0]?.count;
  const orders = async () => (await database.pool.query("select id from orders")).rows.length;

  it("continues counting, and plans the due order", async () => {
    await receiver.receive(deliveryOf(agentId, "a"));
    expect([await count(), await orders()]).toEqual([0, 1]);
  });

  it.each([
    ["trading turned off", "update agents set auto_trade = 'off'", { kind: "ignored" }, 2],
    ["the token raised", "update agents set webhook_token_version = 2", { kind: "unknown" }, 2],
    [
      "the alert renamed",
      "update alerts set name_key = name_key || ' old'",
      { kind: "refused", code: "alert_unknown" },
      2,
    ],
    ["counters set back", "update rule_conditions set count = 0", { kind: "accepted" }, 1],
    [
      "more alerts required",
      "update rule_conditions set required_count = 9",
      { kind: "accepted" },
      3,
    ],
    ["the rule removed", "delete from rules", { kind: "accepted" }, undefined],
    ["the agent removed", "delete from agents", { kind: "unknown" }, undefined],
  ])("is invalidated by %s, from anywhere", async (_, text, result, counted) => {
    await change(text);
    expect(await receiver.receive(deliveryOf(agentId, "a"))).toMatchObject(result);
    expect([await count(), await orders()]).toEqual([counted, 0]);
    expect(errors).toEqual([]);
  });

  it("gets one new version per count and one per manual change", async () => {
    const one = openDatabase({ url: database.url, maxConnections: 1 });
    const only = createAlertReceiver({
      database: one,
      newId,
      onStored: () => {},
      onError: (error) => errors.push(error),
    });
    const version = async () => {
      const { rows } = await one.pool.query<{ version: string }>("select version from lanes");
      return Number(rows[0]?.version);
    };
    await only.receive(deliveryOf(agentId, "a"));
    const before = await version();
    await only.receive(deliveryOf(agentId, "a"));
    expect(await version()).toBe(before + 1);
    await only.receive(deliveryOf(agentId, "b"));
    expect(await version()).toBe(before + 1);
    // On the connection that counted
    await one.pool.query("update rule_conditions set count = 0");
    expect(await version()).toBe(before + 2);
    await only.drain();
    await one.close();
  });

  it("is stored with a statement that is planned once", async () => {
    const one = openDatabase({ url: database.url, maxConnections: 1, usesKeysOnly: true });
    const only = createAlertReceiver({
      database: one,
      newId,
      onStored: () => {},
      onError: (error) => errors.push(error),
    });
    for (let times = 0; times < 8; times += 1) await only.receive(deliveryOf(agentId, "a"));
    const other = await addAgent([{ action: "OPEN_LONG", conditions: [need("a", 3)] }]);
    await only.receive(deliveryOf(other, "a"));
    for (let times = 0; times < 8; times += 1) {
      await Promise.all([agentId, other].map((each) => only.receive(deliveryOf(each, "b"))));
    }
    const { rows } = await one.pool.query(
      "select name, custom_plans, generic_plans from pg_prepared_statements where name ~ '^commit' order by name",
    );
    expect(rows).toEqual([
      // Of nine counted, every third of the first agent's made an order
      { name: "commit-alert", custom_plans: "0", generic_plans: "6" },
      { name: "commit-alert-and-orders", custom_plans: "0", generic_plans: "3" },
      { name: "commit-alerts", custom_plans: "0", generic_plans: "8" },
    ]);
    await only.drain();
    await one.close();
  });

  it("does not count a firing again that another server took", async () => {
    const firing = deliveryOf(agentId, "b");
    const taken = await startReceiver().receive(firing);
    expect(taken.kind).toBe("accepted");
    expect(await receiver.receive({ ...firing })).toEqual({ ...taken, kind: "duplicate" });
    await receiver.receive(deliveryOf(agentId, "a"));
    expect(await orders()).toBe(1);
  });

  it("continues counting when servers get alerts in turn and simultaneously", async () => {
    const servers = [receiver, startReceiver(), startReceiver()];
    const tell = (turn: number) =>
      (servers[turn % servers.length] ?? receiver).receive(deliveryOf(agentId, "a"));
    for (let turn = 0; turn < 6; turn += 1) {
      expect(await tell(turn)).toMatchObject({ kind: "accepted" });
    }
    expect([await count(), await orders()]).toEqual([2, 2]);
    const told = await Promise.all(Array.from({ length: 30 }, (_, turn) => tell(turn)));
    expect(new Set(told.map(({ kind }) => kind))).toEqual(new Set(["accepted"]));
    expect([await count(), await orders()]).toEqual([2, 12]);
    await Promise.all(servers.map((server) => server.drain()));
  });

  it("is written for all agents of a batch or for none", async () => {
    const other = await addAgent([{ action: "OPEN_LONG", conditions: [need("a", 3)] }]);
    await receiver.receive(deliveryOf(other, "a"));
    await change(`update rule_conditions set count = 0 where rule_id in
      (select id from rules where agent_id = '${other}')`);
    await Promise.all([agentId, other].map((each) => receiver.receive(deliveryOf(each, "a"))));
    const states = await storedRules([agentId, other]);
    const counts = [agentId, other].map((id) => states.get(id)?.[0]?.conditions[0]?.count);
    expect(counts).toEqual([0, 1]);
    expect(await orders()).toBe(1);
    const { rows } = await database.pool.query("select agent_id from alert_events");
    expect(rows).toHaveLength(5);
  });
});
