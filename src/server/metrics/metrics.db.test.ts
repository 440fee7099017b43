import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Registry } from "prom-client";
import { address } from "@solana/kit";
import { describe, expect, it } from "vitest";
import { buildNetworks } from "../../../test/networks.ts";
import { createTestServer } from "../../../test/server.ts";
import { createTestClock } from "../../../test/clock.ts";
import { useDatabase } from "../../../test/database.ts";
import { useFullServer } from "../../../test/full-server.ts";
import { withFaults } from "../../../test/faults.ts";
import { signIn } from "../../../test/wallet.ts";
import { newTestId, seedObjects } from "../../../test/world.ts";
import { createLastReadings } from "../reconcile/last-readings.ts";
import type { CustodyAgent } from "../store/custody/multisigs.ts";
import type { Delivery } from "../trading/intake/delivery.ts";
import { countAlerts } from "./count-alerts.ts";
import { addHealthGauges, addLedgerGauges, addNodeGauges, addOpenWorkGauges } from "./gauges.ts";
import { watchFeePayer } from "./open-metrics.ts";

const TOKEN = "a token for scrapers";
const FEE_PAYER = address("SysvarC1ock11111111111111111111111111111111");

const registry = new Registry();
const clock = createTestClock();
const database = useDatabase();
const server = useFullServer(database, {
  clock,
  app: { metrics: { registry, token: TOKEN } },
});

/** Lines of one metric as a scraper reads them. */
const scrape = async (name: string): Promise<string[]> => {
  const { text } = await server.send("GET", "/metrics", { token: TOKEN });
  return text.split("\n").filter((line) => new RegExp(`^${name}(?:\\{| )`).test(line));
};

const someOrders = async (): Promise<string[]> =>
  (await scrape("wheelhouse_orders")).filter((line) => !line.endsWith(" 0"));

/** What the rules and the dashboard name and only a first round, alert or fill can make; see docs/alert-rules.md. */
const LATER = new Set([
  "wheelhouse_reconcile_round_age_seconds",
  "wheelhouse_alert_to_fill_seconds",
]);

describe("metrics", () => {
  it("of a fresh server have every series that the alert rules and the dashboard name", async () => {
    const folder = join(import.meta.dirname, "../../../deploy/monitoring");
    const named = ["alerts.yml", "grafana-dashboard.json"].flatMap((file) => [
      ...readFileSync(join(folder, file), "utf8").matchAll(/wheelhouse_\w+/g),
    ]);
    const fresh = new Registry();
    const networks = buildNetworks();
    const source = { db: database.as("web").db, clock, networks };
    addOpenWorkGauges(fresh, source);
    addLedgerGauges(fresh, source);
    addHealthGauges(fresh, source);
    addNodeGauges(fresh, networks);
    countAlerts(fresh, async () => ({ kind: "unknown" }));
    const text = await fresh.metrics();
    const missing = new Set(named.map(([name]) => name.replace(/_(?:count|bucket)$/, "")));
    for (const name of LATER) missing.delete(name);
    for (const name of missing) {
      if (new RegExp(`^${name}(?:\\{| )`, "m").test(text)) missing.delete(name);
    }
    // Of requests, of nodes where they are configured, of what is outside, and of the process that trades
    expect([...missing].toSorted()).toEqual([
      "wheelhouse_chain_available",
      "wheelhouse_fee_payer_lamports",
      "wheelhouse_http_request_seconds",
      "wheelhouse_node_trouble",
      "wheelhouse_outside_look_timestamp_seconds",
      "wheelhouse_outside_works",
    ]);
  });

  it("require the token, even on this machine", async () => {
    for (const token of [undefined, "another token of words", `${TOKEN}x`]) {
      expect((await server.send("GET", "/metrics", { token })).status).toBe(404);
    }
    expect((await server.send("GET", "/metrics", { token: TOKEN })).status).toBe(200);
  });

  it("without a token are for this machine alone, and for nobody behind a proxy", async () => {
    const statuses = async (publicUrl: string) => {
      const app = { metrics: { registry: new Registry() } };
      const open = await createTestServer(database, { publicUrl, app });
      const ask = async (headers: Record<string, string>) =>
        (await open.send("GET", "/metrics", { headers })).status;
      const seen = [
        await ask({}),
        await ask({ "x-forwarded-for": "203.0.113.9" }),
        await ask({ forwarded: "for=203.0.113.9" }),
        await ask({ "x-real-ip": "203.0.113.9" }),
        await ask({ via: "1.1 proxy" }),
      ];
      await open.close();
      return seen;
    };
    expect(await statuses("http://127.0.0.1:4600")).toEqual([200, 404, 404, 404, 404]);
    expect(await statuses("https://app.test")).toEqual([404, 404, 404, 404, 404]);
  });

  it("count alerts by their outcome", async () => {
    const delivery = {} as Delivery;
    const receive = countAlerts(registry, async (each) => {
      if (each !== delivery) throw new Error("No database.");
      return { kind: "ignored", reason: "trading_off" };
    });
    await receive(delivery);
    await receive(delivery);
    await expect(receive({ ...delivery })).rejects.toThrow("No database.");
    const counted = await scrape("wheelhouse_alerts_total");
    expect(counted.filter((line) => !line.endsWith(" 0"))).toEqual([
      'wheelhouse_alerts_total{outcome="ignored"} 2',
      'wheelhouse_alerts_total{outcome="failed"} 1',
    ]);
  });

  it("show open work, and orders of the last day", async () => {
    addOpenWorkGauges(registry, { db: database.as("web").db, clock });
    const ids = await seedObjects(server, await signIn(server));
    const order = (state: "planned" | "filled", ageMs: number) => ({
      id: newTestId(),
      agent_id: ids.agent,
      event_id: null,
      signal: "OPEN_LONG",
      state,
      reason: null,
      intent: null,
      transaction: null,
      signature: null,
      last_valid_block_height: null,
      planned_at: new Date(clock.now() - ageMs),
      submitted_at: null,
      settled_at: null,
    });
    await database.db
      .insertInto("orders")
      .values([order("planned", 0), order("planned", 0), order("filled", 90_000_000)])
      .execute();
    expect(await someOrders()).toEqual(['wheelhouse_orders{state="planned"} 2']);
    expect(await scrape("wheelhouse_lanes_waiting")).toEqual(["wheelhouse_lanes_waiting 1"]);
    expect(await scrape("wheelhouse_custody_open")).toEqual([
      'wheelhouse_custody_open{state="prepared"} 1',
      'wheelhouse_custody_open{state="sent"} 0',
    ]);
    expect(await scrape("wheelhouse_notices")).toEqual([
      'wheelhouse_notices{state="waiting"} 0',
      'wheelhouse_notices{state="given_up"} 0',
    ]);
    await database.db.updateTable("orders").set({ state: "filled" }).execute();
    clock.advance(5_000);
    expect(await someOrders()).toEqual(['wheelhouse_orders{state="filled"} 2']);
    expect(await scrape("wheelhouse_lanes_waiting")).toEqual(["wheelhouse_lanes_waiting 0"]);
  });

  it("show the agents' state: alerts, readings, keys and unsettled orders", async () => {
    const looks = createLastReadings({ db: database.as("trading").db, clock });
    const health = new Registry();
    addHealthGauges(health, { db: database.as("web").db, clock, networks: new Map() });
    const figures = async () =>
      (await health.metrics()).split("\n").filter((line) => / [1-9]\d*$/.test(line));
    const { agent } = await seedObjects(server, await signIn(server));
    const { db } = database;
    const before = new Date(clock.now());
    await db.updateTable("agents").set({ auto_trade: "on" }).where("id", "=", agent).execute();
    await db
      .insertInto("alert_events")
      .values({
        id: newTestId(),
        agent_id: agent,
        body_hash: null,
        alert_name: "breakout",
        fired_at: before,
        received_at: before,
        outcome: "accepted",
        reason: null,
        price: null,
        compared: null,
        effects: null,
      })
      .execute();
    await db
      .updateTable("orders")
      .set({ state: "unknown", submitted_at: before })
      .where("signal", "=", "OPEN_LONG")
      .execute();
    const seen = { agentId: agent, network: "practice" } as CustodyAgent;
    looks.sawKey(seen, "foreign");
    looks.done(seen);
    await looks.save();
    clock.advance(25 * 3_600_000);
    const network = 'network="practice"';
    expect(await figures()).toEqual([
      `wheelhouse_last_alert_age_seconds{${network}} 90000`,
      `wheelhouse_agents_silent{${network}} 1`,
      `wheelhouse_orders_unsettled{${network}} 3`,
      `wheelhouse_orders_unsettled_age_seconds{${network}} 90000`,
      `wheelhouse_agents_reconciled_age_seconds{${network}} 90000`,
      `wheelhouse_agent_keys{${network},state="foreign"} 1`,
    ]);
    looks.failed(seen, "The node did not answer.");
    await looks.save();
    clock.advance(5_000);
    expect(await figures()).toEqual(
      expect.arrayContaining([
        `wheelhouse_agents_unanswered{${network}} 1`,
        `wheelhouse_agent_keys{${network},state="unknown"} 1`,
      ]),
    );
    await looks.keepOnly("practice", []);
    clock.advance(5_000);
    expect((await figures()).join(" ")).not.toContain("wheelhouse_agent_keys");
  });

  it("show the fee payer's balance, and report once that it is low", async () => {
    const lines: string[] = [];
    const chain = withFaults(server.chain);
    const watch = watchFeePayer({
      registry,
      networks: new Map([
        ["practice", { network: "practice", chain, venues: new Map(), explorerUrl: null }],
      ]),
      feePayer: FEE_PAYER,
      log: { warn: (_detail, message) => lines.push(message) },
    });
    await watch.look("practice");
    await watch.look("practice");
    expect(lines).toEqual(["the account that pays for orders is low: send it SOL"]);
    await server.chain.fund(FEE_PAYER, { lamports: 2_000_000_000n, quoteUnits: 0n });
    await watch.look("practice");
    expect(await scrape("wheelhouse_fee_payer_lamports")).toEqual([
      'wheelhouse_fee_payer_lamports{network="practice"} 2000000000',
    ]);
    expect(await scrape("wheelhouse_chain_available")).toEqual([
      'wheelhouse_chain_available{network="practice"} 1',
    ]);
    chain.setDown(true);
    await watch.look("practice");
    expect(await scrape("wheelhouse_chain_available")).toEqual([
      'wheelhouse_chain_available{network="practice"} 0',
    ]);
    expect(await scrape("wheelhouse_chain_unavailable_total")).toEqual([
      'wheelhouse_chain_unavailable_total{network="practice"} 1',
    ]);
    expect(lines).toHaveLength(1);
  });
});
