import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { fastify, type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OPEN, type Route } from "../../contract/route.ts";
import { ROUTES } from "../../contract/routes.ts";
import { registerCompression } from "./app.ts";

const LONG = JSON.stringify({ trades: "filled ".repeat(1_000) });

describe("compressed answers", () => {
  let app: FastifyInstance;

  beforeAll(async () => {
    app = fastify();
    registerCompression(app, [
      {
        method: "GET",
        path: "/secret/:id",
        ...OPEN,
        access: { kind: "public", callsPerMinute: 1 },
        status: 200,
        holdsSecret: true,
      },
    ]);
    const answer = (url: string, text: string) =>
      app.get(url, (_request, reply) =>
        reply.header("content-type", "application/json; charset=utf-8").send(text),
      );
    answer("/long", LONG);
    answer("/short", "{}");
    answer("/secret/:id", LONG);
    app.get("/picture", (_request, reply) => reply.type("image/png").send(Buffer.alloc(5_000)));
    await app.ready();
  });
  afterAll(() => app.close());

  const ask = (url: string, accepted?: string) =>
    app.inject({ url, headers: accepted === undefined ? {} : { "accept-encoding": accepted } });

  it("use the browser's preferred encoding, and have a Vary header", async () => {
    const brotli = await ask("/long", "gzip, deflate, br");
    expect(brotli.headers["content-encoding"]).toBe("br");
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(LONG);
    expect(Number(brotli.headers["content-length"])).toBe(brotli.rawPayload.length);
    const gzip = await ask("/long", "gzip;q=0.5, br;q=0");
    expect(gzip.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(LONG);
    for (const { headers } of [brotli, gzip, await ask("/long")]) {
      expect(headers.vary).toBe("accept-encoding");
    }
  });

  it.each([
    ["a browser that takes none", "/long", "identity"],
    ["a client that says nothing", "/long", undefined],
    ["what refuses both by weight", "/long", "br;q=0, gzip;q=0.0"],
    ["a short answer", "/short", "br"],
    ["an answer with a secret in it", "/secret/1", "br"],
    ["what is packed already", "/picture", "br"],
  ])("are not sent for %s", async (_, url, accepted) => {
    const plain = await ask(url, accepted);
    expect(plain.statusCode).toBe(200);
    expect(plain.headers["content-encoding"]).toBeUndefined();
  });
});

/** Every field name anywhere in what a call answers. */
function fieldsOf(schema: unknown): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { def } = schema as { def?: Record<string, unknown> };
  if (def === undefined) return Object.values(schema).flatMap(fieldsOf);
  const shape = (def["shape"] ?? {}) as Record<string, unknown>;
  const parts = ["innerType", "element", "options", "valueType"].map((part) => def[part]);
  return [...Object.keys(shape), ...[...Object.values(shape), ...parts].flatMap(fieldsOf)];
}

it("exclude every call whose answer contains a token or a secret", () => {
  const named = (holds: (route: Route) => boolean) =>
    Object.entries<Route>(ROUTES)
      .filter(([, route]) => holds(route))
      .map(([name]) => name);
  const withSecret = named(({ response }) =>
    fieldsOf(response).some((name) => ["token", "secret", "redirectTo"].includes(name)),
  );
  expect(withSecret).toEqual([
    "createToken",
    "refreshToken",
    "getWebhook",
    "rotateWebhook",
    "addNoticeChannel",
    "createReadToken",
    // A code stands in the address
    "approveConnection",
  ]);
  expect(named((route) => route.holdsSecret === true)).toEqual(withSecret);
});
