import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type TestDatabase, withOneRole } from "../../../test/database.ts";
import { createFullServer, type FullServer } from "../../../test/full-server.ts";
import { addressOf, plainCalls } from "../../../test/route-calls.ts";
import { signIn, type SignedIn } from "../../../test/wallet.ts";
import { seedObjects, type ObjectIds } from "../../../test/world.ts";
import { ROUTES, type RouteName } from "../../contract/routes.ts";
import { parseAgentId } from "../../domain/ids.ts";
import { type EmbeddedPostgres, launchPostgres } from "../store/launch/launch-postgres.ts";
import { migrateDatabase } from "../store/postgres/migrate.ts";
import { openDatabase } from "../store/postgres/pool.ts";

/** Calls that need no database. */
const untouched: readonly RouteName[] = [
  "getDeployment",
  "readDocumentation",
  "getAgentFileSchema",
  "getOpenApi",
  "headHealth",
  "listCandles",
  "getCandleHistory",
  "getTradingCosts",
  "createNonce",
];

/** Signing in needs one once the signature is right; it has a case of its own. */
const needing = (Object.keys(ROUTES) as RouteName[]).filter(
  (name) => !untouched.includes(name) && name !== "createToken",
);

/** The sender of alerts hangs up after this long, and does not come again after 504. */
const SENDER_WAITS_MS = 3_000;

describe("While the database is away", () => {
  let dataDir: string;
  let postgres: EmbeddedPostgres;
  let database: TestDatabase;
  let server: FullServer;
  let wallet: SignedIn;
  let ids: ObjectIds;
  let stream: Response;

  const launch = () => launchPostgres({ dataDir, isKeptRunning: false });

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), "wheelhouse-outage-"));
    chmodSync(dataDir, 0o711);
    postgres = await launch();
    await migrateDatabase(postgres.url);
    const opened = openDatabase({ url: postgres.url, maxConnections: 8 });
    database = withOneRole(opened, postgres.url);
    server = await createFullServer(database);
    wallet = await signIn(server);
    ids = await seedObjects(server, wallet);
    stream = await fetch(`${server.url}/api/events`, {
      headers: { authorization: `Bearer ${wallet.token}` },
    });
    process.kill(postgres.pid, "SIGKILL");
    // Its backends end a moment after it and could still answer until then
    await vi.waitFor(() => expect(database.pool.totalCount).toBe(0), { timeout: 30_000 });
  });

  afterAll(async () => {
    await server.close();
    await database.drop();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const alert = (second: number) => ({
    agentId: ids.agent,
    alertName: "breakout",
    timestamp: new Date(server.clock.now() - second * 1_000).toISOString(),
    token: server.webhookTokenOf(parseAgentId(ids.agent)),
  });

  const send = (name: RouteName) => {
    const call = plainCalls(ids).find((each) => each.name === name);
    if (call === undefined) throw new Error(`No call of ${name}`);
    const body = name === "receiveWebhook" ? alert(0) : call.body;
    return server.send(call.route.method, addressOf(call), {
      token: wallet.token,
      headers: { "x-wheelhouse": "1", cookie: wallet.cookie },
      ...(body === undefined ? {} : { body }),
    });
  };

  it.each(needing)("%s answers 503 with Retry-After", async (name) => {
    const answer = await send(name);
    expect([answer.status, answer.body.code]).toEqual([503, "unavailable"]);
    expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    expect(answer.text).not.toMatch(/postgres|socket|ECONN|connect/i);
  });

  it.each(untouched)("%s answers as usual", async (name) => {
    expect((await send(name)).status).toBe(200);
  });

  it("signing in answers 503 only to a wallet that signed", async () => {
    expect((await send("createToken")).status).toBe(401);
    await expect(signIn(server)).rejects.toThrow(/^No token: .*"unavailable"/);
  });

  it("the webhook answers before its sender gives up, under any load", async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, second) =>
        fetch(`${server.url}/webhook/${ids.agent}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(alert(second)),
          signal: AbortSignal.timeout(SENDER_WAITS_MS),
        }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  });

  it("everything works again without a restart once it is back, and nothing was half done", async () => {
    await postgres.stop();
    expect((await send("listChats")).status).toBe(503);
    postgres = await launch();
    await expect.poll(async () => (await send("listMessages")).status).toBe(200);
    server.clock.advance(1_000);
    expect((await send("getHealth")).status).toBe(200);
    expect((await server.send("POST", `/webhook/${ids.agent}`, { body: alert(0) })).body).toEqual({
      status: "ignored",
      reason: "trading_off",
    });
    const { rows } = await database.pool.query("select outcome from alert_events");
    expect(rows).toEqual([{ outcome: "ignored" }]);
  });

  it("a stream stays open and marks everything as stale", async () => {
    const reader = stream.body?.getReader();
    let text = "";
    while (!text.includes('"topic":"chats"') && !text.includes("event: stale")) {
      const chunk = await reader?.read();
      if (chunk === undefined || chunk.done) throw new Error("The stream ended.");
      text += new TextDecoder().decode(chunk.value);
    }
    await reader?.cancel();
    expect(text).toContain("event: stale");
  });
});
