import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import recorded from "../../../test/recorded/jupiter-build.json" with { type: "json" };
import { createTestClock } from "../../../test/clock.ts";
import { getText } from "../../server/main/http-client.ts";
import { ChainUnavailableError } from "../../solana/chain.ts";
import { keypairFromSeed } from "../../solana/encoding/keys.ts";
import { createHttpRouter } from "./http-router.ts";
import { JUPITER_INSTANCE as instance } from "./instance.ts";
import { RouteNotFoundError } from "./swap-router.ts";

type Reply = (request: IncomingMessage, response: ServerResponse) => void;

const key = (n: number) => keypairFromSeed(new Uint8Array(32).fill(n)).address;
const request = {
  inputMint: instance.quote.mint,
  outputMint: instance.assets[0]?.mint ?? key(8),
  amount: 150_000_000n,
  slippageBps: 100,
  taker: key(2),
  destination: key(3),
  maxAccounts: 48,
};
const answered: Reply = (_, response) => response.end(JSON.stringify(recorded));
const failing =
  (status: number, headers: Record<string, string> = {}): Reply =>
  (_, response) =>
    response.writeHead(status, headers).end(`{"error":"${status}"}`);

let server: ReturnType<typeof createServer>;
let replies: Reply[];
let seen: { url: URL; headers: IncomingMessage["headers"] }[];
let waits: number[];
const clock = createTestClock();

beforeEach(async () => {
  replies = [];
  seen = [];
  waits = [];
  server = createServer((incoming, response) => {
    seen.push({ url: new URL(incoming.url ?? "", "http://x"), headers: incoming.headers });
    (replies.shift() ?? answered)(incoming, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const openRouter = (apiKey?: string) => {
  const { port } = server.address() as AddressInfo;
  return createHttpRouter(
    {
      get: getText,
      clock,
      async sleep(ms) {
        waits.push(ms);
        clock.advance(ms);
      },
    },
    { apiKey, baseUrl: `http://127.0.0.1:${port}` },
  );
};

describe("Jupiter's router over HTTP", () => {
  it("requests exactly the swap, with the key in a header", async () => {
    const build = await openRouter("secret").build(request);
    expect(build.outAmount).toBe(998_400_123n);
    const [asked] = seen;
    expect(asked?.url.pathname).toBe("/swap/v2/build");
    expect(Object.fromEntries(asked?.url.searchParams ?? [])).toEqual({
      inputMint: request.inputMint,
      outputMint: request.outputMint,
      amount: "150000000",
      taker: request.taker,
      slippageBps: "100",
      maxAccounts: "48",
      destinationTokenAccount: request.destination,
      wrapAndUnwrapSol: "false",
    });
    expect(asked?.headers["x-api-key"]).toBe("secret");
  });

  it("sends no key header without a key", async () => {
    await openRouter().build(request);
    expect(seen[0]?.headers).not.toHaveProperty("x-api-key");
  });

  it.each<[string, Reply]>([
    ["a broken gateway", failing(502)],
    ["a broken connection", (_, response) => response.destroy()],
    ["a limit that ends soon", failing(429, { "retry-after": "1" })],
    ["a limit that does not say", failing(429)],
  ])("retries after %s", async (_, reply) => {
    replies = [reply];
    expect((await openRouter().build(request)).inAmount).toBe(150_000_000n);
    expect(seen).toHaveLength(2);
  });

  it("gives up after three requests", async () => {
    replies = [failing(503), failing(503), failing(503), answered];
    await expect(openRouter().build(request)).rejects.toThrow(ChainUnavailableError);
    expect(seen).toHaveLength(3);
    expect(waits).toEqual([250, 500]);
  });

  it("sends no request during a long rate limit, and resumes afterwards", async () => {
    const router = openRouter();
    const reset = Math.ceil(clock.now() / 1_000) + 60;
    replies = [failing(429, { "x-ratelimit-reset": reset.toString() })];
    await expect(router.build(request)).rejects.toThrow("no more questions");
    await expect(router.build(request)).rejects.toThrow("no more questions");
    expect(seen).toHaveLength(1);
    clock.advance(61_000);
    expect((await router.build(request)).inAmount).toBe(150_000_000n);
  });

  it("reports at once that there is no route", async () => {
    replies = [failing(400)];
    await expect(openRouter().build(request)).rejects.toThrow(RouteNotFoundError);
    expect(seen).toHaveLength(1);
  });

  it.each<[string, Reply]>([
    ["a refused key", failing(401)],
    ["an answer of another form", (_, response) => response.end("{}")],
    ["a page instead of an answer", (_, response) => response.end("<html>")],
  ])("is unavailable with %s, without the key in the message", async (_, reply) => {
    replies = [reply];
    const failure = await openRouter("secret")
      .build(request)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ChainUnavailableError);
    expect(String(failure)).not.toContain("secret");
  });

  it("counts as paused for half a minute after three failed calls", async () => {
    const router = openRouter();
    for (let call = 0; call < 3; call += 1) {
      replies = [failing(401)];
      await router.build(request).catch(() => {});
    }
    expect((await router.health()).status).toBe("paused");
    clock.advance(30_000);
    expect(await router.health()).toEqual({ status: "available" });
  });
});
