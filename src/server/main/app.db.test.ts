import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pino } from "pino";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeDigests } from "../../../scripts/place-page.mjs";
import { createTestDatabase, type TestDatabase } from "../../../test/database.ts";
import { createTestServer, type TestServer } from "../../../test/server.ts";
import { createTestWallet, signIn } from "../../../test/wallet.ts";
import { seedObjects } from "../../../test/world.ts";

const CONSTANT = [
  "strict-transport-security",
  "x-content-type-options",
  "referrer-policy",
  "cross-origin-opener-policy",
  "cross-origin-resource-policy",
  "content-security-policy",
];

const INLINE = 'document.documentElement.dataset.theme = "dark";';

describe("The server as a whole", () => {
  let database: TestDatabase;
  let server: TestServer;
  let clientDir: string;
  const lines: string[] = [];

  beforeAll(async () => {
    clientDir = mkdtempSync(join(tmpdir(), "wheelhouse-page-"));
    mkdirSync(join(clientDir, "assets"));
    writeFileSync(
      join(clientDir, "index.html"),
      `<!doctype html><script>${INLINE}</script><script type="module" src="/assets/a-1b.js"></script>`,
    );
    writeFileSync(join(clientDir, "assets", "a-1b.js"), "export {};");
    writeFileSync(join(clientDir, "favicon.svg"), "<svg/>");
    writeDigests(clientDir);
    database = await createTestDatabase();
    server = await createTestServer(database, {
      publicUrl: "https://app.test",
      app: {
        clientDir,
        aiOrigins: ["https://ai.test"],
        metrics: { registry: new Registry(), token: "for the scraper" },
        callsPerMinute: 40,
        logger: pino(
          { level: "trace" },
          new Writable({
            write(chunk, _encoding, done) {
              lines.push(String(chunk));
              done();
            },
          }),
        ),
      },
      handlers: () => ({
        getBalances: () => Promise.reject(new Error("select secret from vault_of_canary")),
        listUserPositions: () => Promise.resolve({ positions: "wrong" } as never),
        getUserActivity: () =>
          Promise.reject(Object.assign(new Error("down"), { code: "ECONNREFUSED" })),
      }),
    });
  });

  afterAll(async () => {
    await server.close();
    await database.drop();
    rmSync(clientDir, { recursive: true });
  });

  it("puts the constant headers on every answer", async () => {
    for (const path of ["/api/health", "/api/nothing", "/", "/assets/a-1b.js", "/%zz"]) {
      const { headers } = await server.send("GET", path);
      expect(headers.get("strict-transport-security")).toBe("max-age=31536000; includeSubDomains");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin-allow-popups");
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    }
    expect((await server.send("GET", "/api/health")).headers.get("cache-control")).toBe("no-store");
  });

  it("puts them also on answers written without the framework", async () => {
    const { port } = server.app.server.address() as { port: number };
    const socket = connect(port, "127.0.0.1");
    socket.end("not http\r\n\r\n");
    const broken = (await socket.toArray()).join("");
    expect(broken).toMatch(/^HTTP\/1.1 400 /);
    const { token } = await signIn(server);
    const left = new AbortController();
    const stream = await fetch(`${server.url}/api/events`, {
      headers: { authorization: `Bearer ${token}` },
      signal: left.signal,
    });
    for (const name of CONSTANT) {
      expect(broken).toContain(`\r\n${name}: `);
      expect(stream.headers.get(name), name).toBeTruthy();
    }
    expect(stream.headers.get("cache-control")).toBe("no-store");
    // Packed, an event would wait for the next ones
    expect(stream.headers.get("content-encoding")).toBeNull();
    left.abort();
  });

  it("refuses a page whose name was rebound to this machine", async () => {
    const { port } = server.app.server.address() as { port: number };
    const ask = async (path: string, host: string) => {
      const sent = request({ port, host: "127.0.0.1", path, headers: { host } }).end();
      const [answer] = (await once(sent, "response")) as [IncomingMessage];
      const text = (await answer.toArray()).join("");
      return { status: answer.statusCode, code: text.startsWith("{") ? JSON.parse(text).code : "" };
    };
    for (const path of [
      "/",
      "/assets/a-1b.js",
      "/api/health",
      "/api/deployment",
      "/metrics",
      "/x",
    ]) {
      expect(await ask(path, "evil.test")).toEqual({ status: 421, code: "host_unknown" });
    }
    for (const host of ["app.test", `localhost:${port}`]) {
      expect((await ask("/api/health", host)).status).toBe(200);
    }
  });

  it("serves the page under a policy that allows its inline script and the AI host", async () => {
    const page = await server.send("GET", "/");
    const hash = createHash("sha256").update(INLINE).digest("base64");
    const policy = page.headers.get("content-security-policy");
    expect(policy).toContain(`script-src 'self' 'sha256-${hash}';`);
    expect(policy).toContain("connect-src 'self' https://ai.test;");
    expect(policy).toContain("style-src 'self';");
    expect(policy).not.toContain("unsafe");
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    for (const path of ["/chat/0123456789abcdef0123456789abcdef", "/index.html"]) {
      expect((await server.send("GET", path)).text).toBe(page.text);
    }
    const lost = await server.send("GET", "/no/such/page");
    expect([lost.status, lost.text]).toEqual([404, page.text]);
  });

  it("lets assets be cached for ever and answers missing ones with an error, not the page", async () => {
    const asset = await server.send("GET", "/assets/a-1b.js");
    expect(asset.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect((await server.send("GET", "/favicon.svg")).headers.get("cache-control")).toBe(
      "no-cache",
    );
    for (const path of ["/assets/gone.js", "/api/gone", "/webhook/x/y"]) {
      const answer = await server.send("GET", path);
      expect([answer.status, answer.body.code]).toEqual([404, "not_found"]);
    }
    expect((await server.send("GET", "/assets/..%2f..%2fpackage.json")).status).toBe(404);
  });

  it("answers the connectivity check", async () => {
    const head = await server.send("HEAD", "/api/health", {
      headers: { "cache-control": "no-cache" },
    });
    expect([head.status, head.text]).toEqual([200, ""]);
  });

  it("names networks and venues", async () => {
    const { body } = await server.send("GET", "/api/deployment");
    expect(body).toEqual({
      networks: [
        {
          network: "practice",
          explorerUrl: null,
          nodes: [],
          venues: [{ venue: "drift", status: "available", quoteSymbol: "USDC", quoteDecimals: 6 }],
        },
      ],
      aiOrigins: [],
    });
  });

  it("counts requests only for scrapers with the token", async () => {
    await server.send("GET", "/api/health");
    const metrics = await server.send("GET", "/metrics", {
      headers: { authorization: "Bearer for the scraper" },
    });
    expect(metrics.text).toMatch(
      /wheelhouse_http_request_seconds_count\{[^}]*route="\/api\/health"[^}]*\} \d/,
    );
    expect((await server.send("GET", "/metrics")).status).toBe(404);
  });

  it("reveals nothing about an internal error", async () => {
    const wallet = await signIn(server);
    const broken = await server.send(
      "GET",
      `/api/wallets/${wallet.address}/balances?network=practice`,
      { token: wallet.token },
    );
    expect([broken.status, broken.body.message]).toEqual([500, "Something went wrong"]);
    expect(broken.text).not.toContain("canary");
    const misshapen = await server.send(
      "GET",
      `/api/trade/get-user-positions?pubkey=${wallet.address}`,
      { token: wallet.token },
    );
    expect([misshapen.status, misshapen.body.code]).toEqual([500, "internal"]);
    const down = await server.send("GET", `/api/trade/get-user-activity?pubkey=${wallet.address}`, {
      token: wallet.token,
    });
    expect([down.status, down.body.code, down.headers.get("retry-after")]).toEqual([
      503,
      "unavailable",
      "5",
    ]);
  });

  it("limits the calls of one session only", async () => {
    const [busy, calm] = [await signIn(server), await signIn(server)];
    const ask = (wallet: typeof busy) =>
      server.send("GET", `/api/chats/wallet/${wallet.address}/agents`, { token: wallet.token });
    const answers = await Promise.all(Array.from({ length: 45 }, () => ask(busy)));
    const refused = answers.filter((answer) => answer.status === 429);
    expect(refused).toHaveLength(5);
    expect(refused[0]?.body.code).toBe("rate_limited");
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await ask(calm)).status).toBe(200);
  });

  it("limits candles by address without a session, and by session with one", async () => {
    const narrow = await createTestServer(database, { app: { publicCallsPerMinute: 5 } });
    const wallet = await signIn(narrow);
    const ask = (token?: string) => narrow.send("GET", "/api/candles", { token });
    const strangers = await Promise.all(Array.from({ length: 8 }, () => ask()));
    const own = await Promise.all(Array.from({ length: 5 }, () => ask(wallet.token)));
    const tooMany = await ask(wallet.token);
    await narrow.close();
    expect(strangers.filter(({ status }) => status === 429)).toHaveLength(3);
    expect(own.filter(({ status }) => status === 429)).toHaveLength(0);
    expect(tooMany.status).toBe(429);
  });

  it("warns of a proxy that hides addresses: at the start if one is certain, else once it is seen", async () => {
    const warningsOf = async (publicUrl: string, proxy?: string) => {
      const said: string[] = [];
      const logger = pino({ level: "warn" }, { write: (line: string) => void said.push(line) });
      const app = { logger, trustedProxies: proxy === undefined ? [] : [proxy] };
      const quiet = await createTestServer(database, { publicUrl, app });
      const atStart = said.length;
      for (let asked = 0; asked < 3; asked += 1) {
        await quiet.send("GET", "/api/health", { headers: { "x-forwarded-for": "203.0.113.9" } });
      }
      await quiet.close();
      expect(said.every((line) => line.includes("TRUSTED_PROXIES"))).toBe(true);
      return [atStart, said.length];
    };
    expect(await warningsOf("https://app.test")).toEqual([1, 1]);
    expect(await warningsOf("http://app.test")).toEqual([0, 1]);
    expect(await warningsOf("https://app.test", "127.0.0.1")).toEqual([0, 0]);
  });

  it("logs one line per request and no secret", async () => {
    const wallet = await signIn(server, createTestWallet());
    const ids = await seedObjects(server, wallet);
    lines.length = 0;
    await server.send("POST", `/api/chats/${ids.chat}/messages`, {
      token: wallet.token,
      headers: { cookie: wallet.cookie },
      body: {
        _id: "message-0001",
        type: "user",
        content: "canary-content",
        timestamp: "2026-11-21T08:00:00.000Z",
      },
    });
    await server.send("GET", `/api/logs/get-all-by-chat-id?chatId=${ids.chat}&canary=query`, {
      token: wallet.token,
    });
    await expect.poll(() => lines.length).toBe(2);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      msg: "request",
      method: "POST",
      route: "/api/chats/:chatId/messages",
      status: 201,
      wallet: wallet.address,
    });
    const text = lines.join("");
    for (const secret of [wallet.token, wallet.cookie.split("=")[1] ?? "?", "canary", ids.chat]) {
      expect(text).not.toContain(secret);
    }
  });
});
