import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Registry } from "prom-client";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { writeDigests } from "../../../scripts/place-page.mjs";
import { createTestDatabase, type TestDatabase } from "../../../test/database.ts";
import { createFullServer, type FullServer } from "../../../test/full-server.ts";
import { openRaw } from "../../../test/raw-http.ts";
import { addressOf, plainCalls } from "../../../test/route-calls.ts";
import { signIn, type SignedIn } from "../../../test/wallet.ts";
import { seedObjects, type ObjectIds } from "../../../test/world.ts";
import { ERRORS } from "../../contract/errors.ts";
import { ROUTES, type RouteName } from "../../contract/routes.ts";
import { parseAgentId } from "../../domain/ids.ts";

const CALLS = 20;

const publicNames = (Object.keys(ROUTES) as RouteName[]).filter(
  (name) => ROUTES[name].access.kind === "public" && name !== "receiveWebhook",
);

/** No stranger at an address may use these up: a balancer asks for health. */
const unlimited: readonly RouteName[] = ["getHealth", "headHealth"];
const files = ["/", "/index.html", "/chat/x", "/assets/a-1b.js"];

/** Paths answered outside of the contract. */
const others = ["/api/docs", "/api/no", "/no", "/metrics"];

describe("Calls that need no session", () => {
  let database: TestDatabase;
  let server: FullServer;
  let clientDir: string;
  let wallet: SignedIn;
  let ids: ObjectIds;
  let acquired = 0;

  beforeAll(async () => {
    clientDir = mkdtempSync(join(tmpdir(), "wheelhouse-limits-"));
    mkdirSync(join(clientDir, "assets"));
    writeFileSync(join(clientDir, "index.html"), "<!doctype html>");
    writeFileSync(join(clientDir, "assets", "a-1b.js"), "export {};");
    writeDigests(clientDir);
    database = await createTestDatabase();
    server = await createFullServer(database, {
      alertsPerMinute: CALLS,
      app: {
        clientDir,
        publicCallsPerMinute: CALLS,
        metrics: { registry: new Registry(), token: "for the scraper" },
      },
    });
    wallet = await signIn(server);
    ids = await seedObjects(server, wallet);
    database.pool.on("acquire", () => (acquired += 1));
  });

  beforeEach(() => {
    acquired = 0;
  });

  afterAll(async () => {
    await server.close();
    await database.drop();
    rmSync(clientDir, { recursive: true });
  });

  /** Sends one call many times over one connection from an address of this machine. */
  const askFrom = async (
    from: string,
    method: string,
    address: string,
    { body, count, token }: { body?: unknown; count: number; token?: string },
  ) => {
    const connection = await openRaw(server.url, from, { isHead: method === "HEAD" });
    const text = body === undefined ? "" : JSON.stringify(body);
    const head = [
      `${method} ${address} HTTP/1.1`,
      "Host: localhost",
      "X-Wheelhouse: 1",
      // Somebody else's claims, which only a named proxy may make
      "X-Forwarded-For: 203.0.113.9",
      "Cookie: wheelhouse_refresh=made-up",
      ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
      ...(body === undefined ? [] : ["Content-Type: application/json"]),
      `Content-Length: ${Buffer.byteLength(text)}`,
    ].join("\r\n");
    for (let sent = 0; sent < count; sent += 1) {
      connection.socket.write(`${head}\r\n\r\n${text}`);
      await connection.answered(sent + 1);
    }
    connection.socket.destroy();
    return connection.answers;
  };

  const expectLimited = (answers: Awaited<ReturnType<typeof askFrom>>, count: number) => {
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(count);
    for (const { head, text } of refused) {
      expect(head).toMatch(/^retry-after: [1-9]\d?$/im);
      if (text !== "")
        expect(JSON.parse(text)).toMatchObject({
          code: "rate_limited",
          message: ERRORS.rate_limited.message,
          title: ERRORS.rate_limited.title,
        });
    }
  };

  const limited = publicNames.filter((name) => !unlimited.includes(name));

  it.each(limited)("%s is limited separately for each address and session", async (name) => {
    const call = plainCalls(ids).find((each) => each.name === name);
    if (call === undefined) throw new Error(`No call of ${name}`);
    const ask = (from: string, count: number, token?: string) =>
      askFrom(from, call.route.method, addressOf(call), {
        body: call.body,
        count,
        ...(token === undefined ? {} : { token }),
      });
    const from = `127.0.1.${limited.indexOf(name) + 1}`;
    expectLimited(await ask(from, CALLS + 10), 10);
    // The database is asked for nobody but for cookies that may be real
    expect(acquired).toBeLessThanOrEqual(name === "logout" ? CALLS : 0);
    expectLimited(await ask(from.replace(".1.", ".2."), 1), 0);
    if (name !== "logout") expectLimited(await ask(from, 1, wallet.token), 0);
  });

  it.each(unlimited)("%s needs no database, and no stranger can exhaust it", async (name) => {
    const call = plainCalls(ids).find((each) => each.name === name);
    if (call === undefined) throw new Error(`No call of ${name}`);
    const { body } = call;
    const answers = await askFrom("127.0.6.1", call.route.method, addressOf(call), {
      body,
      count: 10 * CALLS,
    });
    expect(new Set(answers.map(({ status }) => status))).toEqual(
      new Set([name === "createToken" ? 401 : 200]),
    );
    expect(acquired).toBe(0);
  });

  it.each(files)("the page's file %s, which signing in needs, is not limited", async (path) => {
    expectLimited(await askFrom("127.0.6.2", "GET", path, { count: 10 * CALLS }), 0);
    expect(acquired).toBe(0);
  });

  it.each(others)("%s is limited", async (path) => {
    const from = `127.0.3.${others.indexOf(path) + 1}`;
    expectLimited(await askFrom(from, "GET", path, { count: CALLS + 10 }), 10);
    expect(acquired).toBe(0);
  });

  it("made-up read tokens are limited before the database is asked", async () => {
    const address = `/api/ledger/agent?agentId=${ids.agent}`;
    const token = `whr_${"x".repeat(43)}`;
    const { path } = ROUTES.listAgentLedger;
    const answers = await askFrom("127.0.4.1", "GET", address.replace(/^[^?]+/, path), {
      count: CALLS + 10,
      token,
    });
    expectLimited(answers, 10);
    expect(acquired).toBeLessThanOrEqual(CALLS);
  });

  it("calls of many wallets of one address are limited together, and no other address's", async () => {
    const narrow = await createFullServer(database, {
      app: { callsPerMinuteOfCaller: 30, trustedProxies: ["127.0.0.1"] },
    });
    const wallets = await Promise.all(Array.from({ length: 10 }, () => signIn(narrow)));
    const refusedFrom = async (from: string, count: number) => {
      let refused = 0;
      for (let at = 0; at < count; at += 1) {
        const { token } = wallets[at % wallets.length] ?? wallet;
        const headers = { "x-forwarded-for": from };
        const { status } = await narrow.send("GET", "/api/notices", { token, headers });
        if (status === 429) refused += 1;
      }
      return refused;
    };
    expect(await refusedFrom("198.51.100.1", 50)).toBe(20);
    for (let at = 2; at <= 20; at += 1) expect(await refusedFrom(`198.51.100.${at}`, 5)).toBe(0);
    await narrow.close();
  });

  it("the webhook's limit counts per token, from any address", async () => {
    const bodyOf = (token: string) => ({
      agentId: ids.agent,
      alertName: "breakout",
      timestamp: new Date(server.clock.now()).toISOString(),
      token,
    });
    const ask = (from: string, token: string, count: number) =>
      askFrom(from, "POST", `/webhook/${ids.agent}`, { body: bodyOf(token), count });
    const own = server.webhookTokenOf(parseAgentId(ids.agent));
    const forged = await ask("127.0.5.1", `${"x".repeat(43)}.1`, 10 * CALLS);
    expect(new Set(forged.map(({ status }) => status))).toEqual(new Set([404]));
    // Who guesses tokens takes nothing from the sender at the same address
    expect((await ask("127.0.5.1", own, 1))[0]?.status).toBe(202);
    expectLimited(await ask("127.0.5.2", own, CALLS + 9), 10);
  });
});
