import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Insertable } from "kysely";
import { createTestClock, type TestClock } from "../../../test/clock.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/database.ts";
import { createTestServer, type TestServer } from "../../../test/server.ts";
import { signIn, type SignedIn } from "../../../test/wallet.ts";
import { newTestId, seedObjects } from "../../../test/world.ts";
import { insertAudit } from "../store/audit/audit.ts";
import { recordFaucetUse } from "../store/practice/faucet-uses.ts";
import type { TradeLogTable } from "../store/postgres/tables.ts";
import { createHousekeeping, type Housekeeping } from "./housekeeping.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let database: TestDatabase;
let server: TestServer;
let clock: TestClock;
let wallet: SignedIn;
let agentId: string;
let housekeeping: Housekeeping;
const failures: unknown[] = [];

beforeAll(async () => {
  clock = createTestClock();
  database = await createTestDatabase();
  server = await createTestServer(database, { clock });
});

beforeEach(async () => {
  wallet = await signIn(server);
  agentId = (await seedObjects(server, wallet)).agent;
  housekeeping = createHousekeeping({
    db: database.as("trading").db,
    clock,
    onFailure: (error) => failures.push(error),
    batchRows: 3,
  });
  await housekeeping.run();
});

afterAll(async () => {
  expect(failures).toEqual([]);
  await server.close();
  await database.drop();
});

const countOf = async (table: "sessions" | "refresh_tokens" | "used_nonces" | "decisions") => {
  const { rows } = await database.pool.query<{ count: string }>(`select count(*) from ${table}`);
  return rows[0]?.count;
};

const receive = async (order: "filled" | "rejected" | "denied" | null): Promise<string> => {
  const id = newTestId();
  await database.db
    .insertInto("alert_events")
    .values({
      id,
      agent_id: agentId,
      body_hash: Buffer.alloc(8),
      alert_name: "breakout",
      fired_at: new Date(clock.now()),
      received_at: new Date(clock.now()),
      outcome: "accepted",
      reason: null,
    })
    .execute();
  if (order === null) return id;
  const orderId = newTestId();
  await log({
    event_id: id,
    order_id: orderId,
    status: order === "filled" ? "success" : "failed",
    signature: order === "denied" ? null : id,
  });
  await database.db
    .insertInto("orders")
    .values({
      id: orderId,
      agent_id: agentId,
      event_id: id,
      signal: "OPEN_LONG",
      state: order,
      reason: null,
      intent: null,
      transaction: null,
      signature: null,
      last_valid_block_height: null,
      planned_at: new Date(clock.now()),
      submitted_at: null,
      settled_at: new Date(clock.now()),
    })
    .execute();
  await database.db
    .insertInto("decisions")
    .values({
      order_id: orderId,
      agent_id: agentId,
      rule_id: null,
      decided_at: new Date(clock.now()),
      facts: "{}",
    })
    .execute();
  return id;
};

const log = (changes: Partial<Insertable<TradeLogTable>>) =>
  database.db
    .insertInto("trade_log")
    .values({
      id: newTestId(),
      agent_id: agentId,
      chat_id: "c",
      market: "SOL-PERP",
      signal: "OPEN_LONG",
      type: "market",
      side: "long",
      status: "success",
      base_decimals: 9,
      quote_decimals: 6,
      at: new Date(clock.now()),
      ...changes,
    })
    .execute();

const statuses = async (table: "orders" | "trade_log") => {
  const column = table === "orders" ? "state" : "type || ' ' || status";
  const { rows } = await database.pool.query<{ state: string }>(
    `select ${column} as state from ${table} where agent_id = $1 order by seq`,
    [agentId],
  );
  return rows.map(({ state }) => state);
};

const eventIds = async (): Promise<string[]> => {
  const rows = await database.db
    .selectFrom("alert_events")
    .select("id")
    .where("agent_id", "=", agentId)
    .orderBy("seq")
    .execute();
  return rows.map((row) => row.id);
};

describe("housekeeping", () => {
  it("removes nonces once they can no longer be used", async () => {
    clock.advance(10 * MINUTE_MS);
    const before = await countOf("used_nonces");
    expect(before).toBe("1");
    expect(await housekeeping.run()).toMatchObject({ nonces: 0 });
    clock.advance(1);
    const { nonces } = await housekeeping.run();
    expect(String(nonces)).toBe(before);
    expect(await countOf("used_nonces")).toBe("0");
  });

  it("removes sessions and their refresh tokens after seven days", async () => {
    const ask = () =>
      server.send("POST", "/api/auth/refresh", {
        token: wallet.token,
        headers: { cookie: wallet.cookie, "x-wheelhouse": "1" },
      });
    expect((await ask()).status).toBe(200);
    clock.advance(7 * DAY_MS);
    await housekeeping.run();
    expect(await countOf("sessions")).toBe("1");
    expect(await countOf("refresh_tokens")).toBe("2");
    clock.advance(1);
    expect(await housekeeping.run()).toMatchObject({ sessions: 1 });
    expect([await countOf("sessions"), await countOf("refresh_tokens")]).toEqual(["0", "0"]);
    expect((await ask()).status).toBe(401);
  });

  it("keeps a signed-out session as long as its tokens could be reused", async () => {
    await server.send("POST", "/api/auth/logout", { token: wallet.token });
    clock.advance(6 * DAY_MS);
    await housekeeping.run();
    expect(await countOf("sessions")).toBe("1");
  });

  it("deletes denied orders and counter resets after thirty days, but no order that was sent", async () => {
    const sent = [await receive("filled"), await receive("rejected")];
    for (let more = 0; more < 4; more += 1) await receive("denied");
    await log({ signal: "RESET_OPEN_LONG", type: "reset", side: "other" });
    clock.advance(30 * DAY_MS);
    expect(await housekeeping.run()).toMatchObject({ untradedLines: 0, alertEvents: 0 });
    clock.advance(1);
    await receive("denied");
    expect(await housekeeping.run()).toMatchObject({ untradedLines: 5, alertEvents: 4 });
    expect(await statuses("orders")).toEqual(["filled", "rejected", "denied"]);
    expect(await countOf("decisions")).toBe("3");
    // The first is the world's own
    expect((await statuses("trade_log")).slice(1)).toEqual([
      "market success",
      "market failed",
      "market failed",
    ]);
    expect((await eventIds()).slice(0, -1)).toEqual(sent);
    clock.advance(30 * DAY_MS + 1);
    await housekeeping.run();
    expect(await eventIds()).toEqual(sent);
  });

  it("deletes alerts after thirty days, except those that caused an order", async () => {
    const traded = await receive("filled");
    for (let more = 0; more < 7; more += 1) await receive(null);
    clock.advance(30 * DAY_MS);
    expect(await housekeeping.run()).toMatchObject({ alertEvents: 0 });
    clock.advance(1);
    const young = await receive(null);
    // Seven in batches of three
    expect(await housekeeping.run()).toMatchObject({ alertEvents: 7 });
    expect(await eventIds()).toEqual([traded, young]);
  });

  it("recognises a repeated alert for more than a week", async () => {
    const id = await receive(null);
    clock.advance(29 * DAY_MS);
    await housekeeping.run();
    expect(await eventIds()).toEqual([id]);
  });

  it("deletes an owner's daily fees after a month", async () => {
    const day = (ageDays: number) =>
      new Date(clock.now() - ageDays * DAY_MS).toISOString().slice(0, 10);
    const fees = { owner: wallet.address, network: "practice", lamports: "1" };
    await database.db
      .insertInto("owner_fees")
      .values([30, 31, 32, 33, 34].map((age) => ({ ...fees, day: day(age) })))
      .execute();
    expect(await housekeeping.run()).toMatchObject({ ownerFees: 4 });
    const left = await database.db.selectFrom("owner_fees").selectAll().execute();
    expect(left).toHaveLength(1);
  });

  it("deletes uses of the faucet and nothing else of the audit log", async () => {
    const at = new Date(clock.now());
    const use = { wallet: wallet.address, at, since: new Date(0), limit: 10 };
    expect(await recordFaucetUse(database.db, use)).toBe(true);
    await insertAudit(database.db, clock.now(), null, "agent_created");
    const audited = async () => {
      const rows = await database.db.selectFrom("audit_log").select("action").execute();
      return rows.map((row) => row.action);
    };
    const before = await audited();
    clock.advance(7 * DAY_MS + 1);
    expect(await housekeeping.run()).toMatchObject({ faucetUses: 1 });
    expect(await audited()).toEqual(before);
  });

  it("forgets times without prices after a year", async () => {
    const at = (days: number) => new Date(clock.now() - days * DAY_MS);
    for (const days of [366, 364]) {
      await database.pool.query("insert into price_gaps values ('SOL', $1, $1)", [at(days)]);
    }
    expect(await housekeeping.run()).toMatchObject({ priceGaps: 1 });
    const { rows } = await database.pool.query("select began_at from price_gaps");
    expect(rows).toEqual([{ began_at: at(364) }]);
  });

  it("continues with the next kind when one cannot be removed, and runs by itself", async () => {
    const heard: unknown[] = [];
    const limping = createHousekeeping({
      db: database.as("trading").db,
      clock,
      onFailure: (error) => heard.push(error),
      intervalMs: 5,
    });
    await database.pool.query("alter table used_nonces rename to elsewhere");
    await receive(null);
    clock.advance(30 * DAY_MS + 1);
    limping.start();
    await expect.poll(eventIds).toEqual([]);
    await limping.stop();
    await database.pool.query("alter table elsewhere rename to used_nonces");
    expect(heard.length).toBeGreaterThan(0);
  });
});
