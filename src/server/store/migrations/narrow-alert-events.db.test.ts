import { createHash } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/database.ts";
import { databaseUrl } from "../../../../test/database-server.ts";
import { newTestId } from "../../../../test/world.ts";
import { parseAgentId, parseEventId } from "../../../domain/ids.ts";
import type { Delivery } from "../../trading/intake/delivery.ts";
import { createAlertReceiver } from "../../trading/intake/receive-alerts.ts";
import { listDecisionEvents } from "../orders/decision-lines.ts";
import { migrateDatabase } from "../postgres/migrate.ts";
import { openDatabase, type OpenDatabase } from "../postgres/pool.ts";
import { migrations } from "./migrations.ts";

const NAME = Object.keys(migrations).find((name) => name.endsWith("narrow-alert-events")) ?? "";
const AT = "2026-11-21T08:00:00Z";
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

let server: TestDatabase;
let url: string;
let database: OpenDatabase;

/** A database of the version before. */
beforeEach(async () => {
  server = await createTestDatabase();
  const name = `old_${newTestId()}`;
  await server.pool.query(`create database ${name}`);
  url = databaseUrl(server.url, name);
  const before = Object.entries(migrations).filter(([each]) => each < NAME);
  await migrateDatabase(url, Object.fromEntries(before));
  database = openDatabase({ url });
});

afterEach(async () => {
  await database.close();
  await server.drop();
});

it("keeps every alert, its repeats, its effects and its orders", async () => {
  const [id, rule, event, ignored, refused, fired, order] = Array.from({ length: 7 }, newTestId);
  const effects = {
    alertKey: id,
    rules: [
      {
        ruleId: rule,
        action: "RESET_CLOSE_SHORT",
        kind: "fired",
        conditions: [
          { alertKey: id, count: 60, requiredCount: 60 },
          { alertKey: rule, count: 0, requiredCount: 5 },
        ],
      },
      { ruleId: id, action: "OPEN_LONG", kind: "full", conditions: [] },
    ],
  };
  const dedupKey = sha256("dip");
  const bodyHash = sha256("body");
  const { pool } = database;
  await pool.query(
    "insert into chats (id, owner, title, created_at, updated_at) values ($1, 'A77ytVV59RYYKW9U97puqc8h5MBUxEKjsSe5zPEDWqFo', 't', now(), now())",
    [id],
  );
  await pool.query(
    `insert into agents (id, chat_id, owner, network, venue, name, name_key, market_id, interval, slippage_bps,
       auto_trade, created_at, updated_at)
     values ($1, $1, 'A77ytVV59RYYKW9U97puqc8h5MBUxEKjsSe5zPEDWqFo', 'practice', 'drift', 'n', 'n', 'SOL-PERP', '1h', 50, 'on', now(), now())`,
    [id],
  );
  await pool.query("insert into lanes (agent_id) values ($1)", [id]);
  await pool.query(
    "insert into alerts (id, agent_id, name, name_key) values ($1, $1, 'dip', 'dip')",
    [id],
  );
  await pool.query(
    `insert into alert_events (id, agent_id, dedup_key, body_hash, alert_name, fired_at, received_at, outcome, reason,
       origin, price, compared, effects)
     values ($1, $5, $6, $7, 'dip', $8, $8, 'accepted', null, 'webhook', null, null, $9),
       ($2, $5, 'ignored', $7, 'dip', $8, $8, 'ignored', 'trading_off', 'webhook', null, null, null),
       ($3, $5, null, null, 'dip', null, $8, 'refused', 'alert_unknown', 'webhook', null, null, null),
       ($4, $5, 'fired', null, 'dip', $8, $8, 'accepted', null, 'condition', 12.5, null, '{"alertKey": null, "rules": []}')`,
    [event, ignored, refused, fired, id, dedupKey, bodyHash, AT, JSON.stringify(effects)],
  );
  await pool.query(
    "insert into orders (id, agent_id, event_id, signal, state, planned_at) values ($1, $2, $3, 'OPEN_LONG', 'denied', now())",
    [order, id, event],
  );
  await pool.query(
    `insert into trade_log (id, agent_id, chat_id, event_id, market, signal, type, side, status, base_decimals,
       quote_decimals, at)
     values ($1, $2, $2, $3, 'SOL-PERP', 'OPEN_LONG', 'market', 'long', 'failed', 9, 6, now())`,
    [order, id, event],
  );

  expect(await migrateDatabase(url)).toContain(NAME);

  const { rows } = await pool.query(
    "select outcome, reason, alert_name, fired_at, price, compared, seq from alert_events order by seq",
  );
  expect(rows.map(({ outcome, reason, compared }) => [outcome, reason, compared])).toEqual([
    ["accepted", null, null],
    ["ignored", "trading_off", null],
    ["refused", "alert_unknown", null],
    ["accepted", null, []],
  ]);
  const { rows: joined } = await pool.query<{ id: string }>(
    `select event.id from alert_events event join orders on orders.event_id = event.id
     join trade_log on trade_log.event_id = event.id`,
  );
  const [known] = joined;
  const [told] = await listDecisionEvents(database.db, [parseEventId(known?.id ?? "")]);
  expect(told?.effects).toEqual(effects);

  const delivery: Delivery = {
    agentId: parseAgentId(id ?? ""),
    tokenVersion: 1,
    alertName: "dip",
    receivedAtMs: Date.parse(AT),
    content: {
      kind: "alert",
      alertNameKey: "dip",
      firedAtMs: Date.parse(AT),
      dedupKey,
      bodyHash: bodyHash.slice(0, 16),
    },
  };
  const receiver = createAlertReceiver({
    database,
    newId: newTestId,
    onStored: () => {},
    onError: () => {},
  });
  expect(await receiver.receive(delivery)).toEqual({ kind: "duplicate", eventId: known?.id });
  expect(
    await receiver.receive({
      ...delivery,
      content: { ...delivery.content, kind: "alert", bodyHash: "00" } as Delivery["content"],
    }),
  ).toEqual({ kind: "refused", code: "dedup_mismatch" });
  await receiver.drain();
  const { rows: numbered } = await pool.query<{ outcome: string }>(
    "select outcome from alert_events order by seq desc limit 2",
  );
  expect(numbered.map(({ outcome }) => outcome)).toEqual(["refused", "duplicate"]);

  await pool.query("delete from agents");
  expect((await pool.query("select from alert_events")).rowCount).toBe(0);
});
