import { readFileSync } from "node:fs";
import { address } from "@solana/kit";
import fastify from "fastify";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseAgentId } from "../../domain/ids.ts";
import { createClockDifference } from "../clock/steady-clock.ts";
import { createTestClock } from "../../../test/clock.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/database.ts";
import { createFullServer, type FullServer } from "../../../test/full-server.ts";
import { signIn } from "../../../test/wallet.ts";
import { newTestId, seedObjects } from "../../../test/world.ts";
import type { Network } from "../../domain/network.ts";
import type { TradingState } from "../../domain/trading-state.ts";
import type { NodeState } from "../../solana/node-record.ts";
import type { NetworkRuntime } from "../networks.ts";
import { registerMetrics } from "../http/metrics.ts";
import { countAlerts } from "../metrics/count-alerts.ts";
import { addHealthGauges, addOutsideGauges } from "../metrics/gauges.ts";
import { openWebMetrics, openTradingMetrics } from "../metrics/open-metrics.ts";
import { saveFeedTrouble } from "../store/alerts/conditions.ts";
import { saveLook } from "../store/health/outside-looks.ts";
import { saveProcessFigures } from "../store/health/process-figures.ts";
import { saveLastReadings } from "../store/reconcile/last-readings.ts";
import { beatTradingServer, leaveTradingServers } from "../store/lanes/trading-servers.ts";
import { saveFailedRound, saveWholeRound } from "../store/reconcile/rounds.ts";
import { registerStatus } from "./register-status.ts";

const TOKEN = "a token for operators";
const ROUND = { network: "practice", server: "one" } as const;
const clock = createTestClock();
const registry = new Registry();
let state: TradingState = "active";
let database: TestDatabase;
let server: FullServer;

const node: NodeState = { name: "1 of 1", isUsed: true, trouble: null };
let nodes: readonly NodeState[] = [node];
const networks = new Map<Network, NetworkRuntime>([
  ["practice", { network: "practice", nodes: () => nodes } as unknown as NetworkRuntime],
]);

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  addHealthGauges(registry, { db, clock, networks: new Map() });
  addOutsideGauges(registry, { db, clock });
  const publicUrl = new URL("http://app.test");
  server = await createFullServer(database, {
    clock,
    app: {
      raw: [
        (scope) =>
          registerStatus(scope, {
            db,
            clock,
            networks,
            tradingState: () => state,
            token: TOKEN,
            publicUrl,
          }),
      ],
    },
  });
});

afterAll(async () => {
  await server.close();
  await database.drop();
});

const ask = (token: string | undefined) => server.send("GET", "/status", { token });
/** The page's words without its tags. */
const words = async () =>
  (await ask(TOKEN)).text.replaceAll(/<style>[^]*?<\/style>/g, "").replaceAll(/<[^>]*>/g, "\n");

describe("the operator's page", () => {
  it("says that no node of a network answers", async () => {
    const isDown: NodeState["trouble"] = { kind: "unreachable", sinceMs: clock.now() };
    nodes = [node, { ...node, trouble: isDown }];
    expect(await words()).not.toContain("No node answers");
    nodes = [{ ...node, trouble: isDown }];
    expect(await words()).toContain("No node answers: nothing is traded or shown here");
    nodes = [node];
  });

  it("requires the token", async () => {
    for (const token of [undefined, "another", `${TOKEN}x`]) {
      expect((await ask(token)).status).toBe(404);
    }
    const { status, headers } = await ask(TOKEN);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  it("names what is not known yet", async () => {
    const text = await words();
    expect(text).toContain("Orders are sent.");
    expect(text).toContain("Wrong: None yet");
    expect(text).toContain("No fill");
    expect(text).toContain("No trading process has written figures within the hour.");
  });

  it("shows healthy parts", async () => {
    await saveWholeRound(database.db, {
      ...ROUND,
      atMs: clock.now() - 5_000,
      agents: 3,
    });
    const text = await words();
    expect(text).toContain("5 s ago, 3 agents");
    expect(text).toContain("In use");
    expect(text).toContain("Every agent was read.");
    expect(text).toContain("An acknowledged alert is stored on 1 machine.");
    expect(text).not.toContain("Wrong:");
  });

  it("shows the slowest of the servers that divide the agents, and none that is gone", async () => {
    const { db } = database;
    const nowMs = clock.now();
    const round = (server: string, agoMs: number, agents: number) =>
      saveWholeRound(db, { network: "practice", server, atMs: nowMs - agoMs, agents });
    await Promise.all(
      ["one", "two"].map((name) =>
        beatTradingServer(db, { name, nowMs, untilMs: nowMs + 10_000, state: "active" }),
      ),
    );
    await round("gone", 60_000, 9);
    await round("two", 20_000, 3);
    await round("one", 5_000, 4);
    expect(await words()).toContain("20 s ago, 7 agents");
    const failed = { network: "practice", server: "one", reason: "No answer." } as const;
    await saveFailedRound(db, { ...failed, atMs: nowMs });
    expect(await words()).toContain("Wrong: 1 for");
    await leaveTradingServers(db, "one");
    expect(await words()).toContain("20 s ago, 3 agents");
    await leaveTradingServers(db, "two");
    await database.pool.query("truncate reconcile_rounds");
  });

  it("shows failing parts with duration and reason, and escapes all text", async () => {
    const { db } = database;
    const agentId = newTestId();
    const atMs = clock.now() - 180_000;
    const reason = "The node did <not> answer.";
    state = "halted";
    await saveFailedRound(db, { ...ROUND, atMs, reason });
    await saveFailedRound(db, { ...ROUND, atMs: atMs + 60_000, reason });
    await saveFeedTrouble(db, "binance SOL <1h>", { text: "It rests.", sinceMs: atMs });
    await saveLastReadings(db, [
      { agentId: parseAgentId(agentId), network: "practice", atMs, failure: reason, key: null },
    ]);
    await saveProcessFigures(db, "0123456789", []);
    const { text: html } = await ask(TOKEN);
    expect(html).not.toContain("<not>");
    const text = await words();
    expect(text).toContain("Wrong: HALT is set: no order is sent.");
    expect(text).toContain("Wrong: 2 for 3 min: The node did &lt;not&gt; answer.");
    expect(text).toContain("binance SOL &lt;1h&gt;");
    expect(text).toContain(agentId);
    expect(text).toContain("01234567");
    state = "active";
    await saveWholeRound(db, { ...ROUND, atMs: clock.now(), agents: 3 });
    expect(await words()).not.toContain("Wrong: 2 for");
  });
});

describe("the same in the metrics", () => {
  /** Without a time to its fill it waits for its turn. */
  const seedOrder = async (agentId: string, atMs: number, tookMs?: number) => {
    const isSent = tookMs !== undefined;
    const eventId = newTestId();
    await database.db
      .insertInto("alert_events")
      .values({
        id: eventId,
        agent_id: agentId,
        alert_id: null,
        body_hash: null,
        alert_name: "up",
        fired_at: null,
        received_at: new Date(atMs),
        outcome: "accepted",
        reason: null,
        price: null,
        compared: null,
        effects: null,
      })
      .execute();
    await database.db
      .insertInto("orders")
      .values({
        id: newTestId(),
        agent_id: agentId,
        event_id: eventId,
        signal: "OPEN_LONG",
        state: isSent ? "filled" : "planned",
        reason: null,
        intent: null,
        transaction: null,
        signature: null,
        last_valid_block_height: null,
        planned_at: new Date(atMs),
        submitted_at: isSent ? new Date(atMs) : null,
        settled_at: isSent ? new Date(atMs + tookMs) : null,
      })
      .execute();
  };

  it("shows the age of the last complete round, the failures since, and the fill times", async () => {
    const { db } = database;
    const { agent } = await seedObjects(server, await signIn(server));
    for (const tookMs of [400, 600, 9_000]) {
      await seedOrder(agent, clock.now() - 60_000, tookMs);
    }
    await saveFailedRound(db, { ...ROUND, atMs: clock.now(), reason: "No answer." });
    clock.advance(30_000);
    const lines = (await registry.metrics()).split("\n").filter((line) => !line.startsWith("#"));
    expect(lines).toEqual(
      expect.arrayContaining([
        'wheelhouse_reconcile_round_age_seconds{network="practice"} 30',
        'wheelhouse_reconcile_rounds_failed{network="practice"} 1',
        'wheelhouse_alert_to_fill_seconds{network="practice",quantile="0.5"} 0.6',
        'wheelhouse_alert_to_fill_seconds{network="practice",quantile="0.95"} 8.16',
      ]),
    );
    expect(await words()).toContain("p50 0.6 s, p95 8.2 s of 3 fills");
  });

  it("shows how many orders wait for their turn, and for how long so far", async () => {
    const { agent } = await seedObjects(server, await signIn(server));
    expect(await words()).not.toContain("so far");
    for (const waitedMs of [1_000, 2_000, 41_000]) await seedOrder(agent, clock.now() - waitedMs);
    expect(await words()).toContain("3, p50 2.0 s, p95 37.1 s so far");
  });

  it("excludes orders sent more than a day ago", async () => {
    clock.advance(25 * 3_600_000);
    expect(await words()).toContain("No fill");
  });
});

describe("what the last look at everything outside found", () => {
  const lines = async () =>
    (await registry.metrics())
      .split("\n")
      .filter((line) => line.includes("outside") && !line.startsWith("#"));

  it("is on the page with when it was checked, what fails first, and in the metrics as far as it is needed", async () => {
    const { db } = database;
    clock.advance(10_000);
    expect(await words()).toContain("Outside and what this runs on, not looked at yet");
    expect(await lines()).toEqual(["wheelhouse_outside_look_timestamp_seconds 0"]);
    const sinceMs = clock.now() - 3 * 3_600_000;
    await saveLook(db, [
      { name: "Disk", state: "works", text: "9 MB <free>", isNeeded: true, sinceMs },
      { name: "Mail", state: "not set", text: "SMTP_URL", isNeeded: false, sinceMs },
      { name: "Swaps", state: "fails", text: "it wants a key", isNeeded: true, sinceMs },
    ]);
    const at = new Date(clock.now() - 120_000);
    await database.pool.query("update outside_looks set at = $1", [at]);
    clock.advance(10_000);
    const text = await words();
    expect(text).toContain("Outside and what this runs on, last checked 2 min ago");
    expect(text).toMatch(/Swaps\n+Wrong: fails\n+3 h\n+it wants a key/);
    expect(text.indexOf("Swaps")).toBeLessThan(text.indexOf("Disk"));
    expect(text).toMatch(/Disk\n+works\n+3 h\n+9 MB &lt;free&gt;/);
    expect(await lines()).toEqual([
      'wheelhouse_outside_works{name="Disk"} 1',
      'wheelhouse_outside_works{name="Swaps"} 0',
      `wheelhouse_outside_look_timestamp_seconds ${at.getTime() / 1_000}`,
    ]);
    await database.pool.query("truncate outside_looks");
  });
});

describe("the dashboard and the alert rules", () => {
  const read = (name: string) =>
    readFileSync(new URL(`../../../deploy/monitoring/${name}`, import.meta.url), "utf8");

  it("query existing figures", async () => {
    const { db } = database;
    const deps = { db, clock, networks, clockDifference: createClockDifference(() => {}) };
    const web = openWebMetrics({ ...deps, token: undefined }).registry;
    registerMetrics(fastify(), { registry: web }, new URL("http://app.test"));
    countAlerts(web, async () => ({ kind: "ignored", reason: "trading_off" }));
    const trading = openTradingMetrics({
      ...deps,
      feePayer: address("SysvarC1ock11111111111111111111111111111111"),
      log: { warn: () => {} },
    }).registry;
    const known = new Set(
      [...web.getMetricsAsArray(), ...trading.getMetricsAsArray()].map(({ name }) => name),
    );
    const dashboard = JSON.parse(read("grafana-dashboard.json")) as {
      panels: { targets: { expr: string }[] }[];
    };
    const asked = [
      ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
      ...[...read("alerts.yml").matchAll(/expr: (.*)/g)].map(([, expr]) => expr ?? ""),
    ];
    expect(asked.length).toBeGreaterThan(20);
    // `up` is Prometheus' own
    for (const expr of asked.filter((each) => !each.startsWith("up{"))) {
      const bare = expr.replaceAll(/\{[^}]*\}|\[[^\]]*\]|by \([^)]*\)/g, "");
      const names = (bare.match(/[a-z][a-z_0-9]{3,}/g) ?? []).filter(
        (name) => !["absent", "increase", "rate", "time", "histogram_quantile"].includes(name),
      );
      expect(names.length).toBeGreaterThan(0);
      for (const name of names) {
        expect([name, known.has(name.replace(/_(?:bucket|count)$/, ""))]).toEqual([name, true]);
      }
    }
  });
});
