import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { useDatabase } from "../../../test/database.ts";
import { addressOf, plainCalls, type PlainCall } from "../../../test/route-calls.ts";
import { useServer, type Answer } from "../../../test/server.ts";
import { hashTables } from "../../../test/table-hashes.ts";
import { signIn, type SignedIn } from "../../../test/wallet.ts";
import { seedObjects } from "../../../test/world.ts";
import { ROUTES, type RouteName } from "../../contract/routes.ts";
import { API_BODY_LIMIT_BYTES } from "../../contract/webhook.ts";

/** The webhook reads its own bodies and has its own list of bad ones. */
const names = (Object.keys(ROUTES) as RouteName[]).filter((name) => name !== "receiveWebhook");
const routeOf = (name: RouteName): (typeof ROUTES)[RouteName] => ROUTES[name];
const writing = names.filter((name) =>
  ["POST", "PUT", "PATCH", "DELETE"].includes(routeOf(name).method),
);
const withBody = names.filter((name) => "body" in routeOf(name));
const withQuery = names.filter((name) => "query" in routeOf(name));
const withParams = names.filter((name) => "params" in routeOf(name));

/** Returns whether a call needs no query. */
const mayBeLeftOut = (name: RouteName): boolean => {
  const route = routeOf(name);
  return "query" in route && z.safeParse(route.query, {}).success;
};

describe("Bad input to every call in the route table", () => {
  const database = useDatabase();
  const server = useServer(database);
  let wallet: SignedIn;
  let calls: Map<RouteName, PlainCall>;
  let before: Record<string, string | null>;

  beforeAll(async () => {
    wallet = await signIn(server);
    const ids = await seedObjects(server, wallet);
    calls = new Map(plainCalls(ids).map((call) => [call.name, call]));
    before = await hashTables(database);
  });

  const callOf = (name: RouteName): PlainCall => {
    const call = calls.get(name);
    if (call === undefined) throw new Error(`No call of ${name}`);
    return call;
  };

  const send = (
    name: RouteName,
    options: { body?: unknown; raw?: string | Uint8Array<ArrayBuffer>; type?: string },
    path = addressOf(callOf(name)),
  ) =>
    server.send(callOf(name).route.method, path, {
      token: wallet.token,
      ...(options.raw === undefined ? {} : { raw: options.raw }),
      ...(options.body === undefined ? {} : { body: options.body }),
      headers: {
        "x-wheelhouse": "1",
        ...(options.type === undefined ? {} : { "content-type": options.type }),
      },
    });

  const expectError = (answer: Answer, ...statuses: number[]) => {
    expect(statuses).toContain(answer.status);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(Object.keys(answer.body)).toEqual(
      expect.arrayContaining(["message", "code", "requestId"]),
    );
    expect(answer.text).not.toMatch(/node_modules|\.ts|select |insert |zod|fastify|postgres/i);
  };

  it.each(writing)("%s refuses an unknown field", async (name) => {
    const body = { ...(callOf(name).body as object), unheardOf: 1 };
    expectError(await send(name, { body }), 400);
  });

  it.each(withBody)("%s refuses wrong types in every field (D16, D18)", async (name) => {
    for (const value of [[], "text", 7, null, true]) {
      expectError(await send(name, { raw: JSON.stringify(value) }), 400);
    }
    const body = callOf(name).body as Record<string, unknown>;
    for (const field of Object.keys(body)) {
      for (const value of [{ $gt: "" }, ["a"], null, true, 1e300]) {
        const answer = await send(name, { body: { ...body, [field]: value } });
        if (Array.isArray(body[field]) && Array.isArray(value)) continue;
        expectError(answer, 400, 422);
      }
    }
  });

  // A pasted alert is read as a delivery is, whatever it holds: alert-shapes.db has what becomes of it
  it.each(withBody.filter((name) => name !== "previewAlert"))(
    "%s refuses lone surrogates and control characters (D09, D10)",
    async (name) => {
      const body = callOf(name).body as Record<string, unknown>;
      for (const [field, value] of Object.entries(body)) {
        if (typeof value !== "string") continue;
        const spoiled = JSON.stringify({ ...body, [field]: "SPOILED" });
        expectError(await send(name, { raw: spoiled.replace("SPOILED", "a\\ud800") }), 400);
        expectError(await send(name, { raw: spoiled.replace("SPOILED", "a\\u0000b") }), 400, 422);
      }
    },
  );

  it.each(withBody)("%s refuses a duplicate key", async (name) => {
    const text = JSON.stringify(callOf(name).body);
    const [key] = Object.keys(callOf(name).body as object);
    const raw = `${text.slice(0, -1)},"${key}":"other"}`;
    expectError(await send(name, { raw }), 400);
  });

  it.each(writing)(
    "%s refuses what is not JSON, not UTF-8 or too deep (D20, D21)",
    async (name) => {
      const raws = [
        "{",
        "{'a':1}",
        Uint8Array.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]),
        Uint8Array.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
        "[".repeat(200_000),
        `{"a":${"[".repeat(30)}${"]".repeat(30)}}`,
        '{"__proto__":{"isAdmin":true}}',
        '{"constructor":{"prototype":{"x":1}}}',
      ];
      for (const raw of raws) expectError(await send(name, { raw }), 400);
      expect({}).not.toHaveProperty("isAdmin");
    },
  );

  it.each(writing)("%s refuses a body above the limit (D11)", async (name) => {
    const raw = JSON.stringify({ filler: "x".repeat(API_BODY_LIMIT_BYTES) });
    expectError(await send(name, { raw }), 413);
  });

  it.each(writing)("%s accepts JSON only (D17)", async (name) => {
    const raw = JSON.stringify(callOf(name).body ?? {});
    for (const type of [
      "text/xml",
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/json; charset=utf-16",
      "nonsense",
    ]) {
      expectError(await send(name, { raw, type }), 415);
    }
  });

  it.each(withQuery)("%s refuses unknown query parameters", async (name) => {
    const { path, query } = callOf(name);
    const text = new URLSearchParams(query).toString();
    const [key] = Object.keys(query);
    for (const spoiled of [
      `${text}&${key}=x`,
      `${text}&unheard=1`,
      `${key}[]=x`,
      `${key}[$ne]=x`,
      `${key}=${"x".repeat(3_000)}`,
      ...(mayBeLeftOut(name) ? [] : [""]),
    ]) {
      expectError(await send(name, {}, `${path}?${spoiled}`), 400, 422);
    }
  });

  it.each(names)("%s refuses a duplicate query parameter (B14)", async (name) => {
    const address = addressOf(callOf(name));
    const path = `${address}${address.includes("?") ? "&" : "?"}again=1&again=2`;
    const { body } = callOf(name);
    const answer = await send(name, body === undefined ? {} : { body }, path);
    if (callOf(name).route.method === "HEAD") expect(answer.status).toBe(400);
    else expectError(answer, 400);
  });

  it.each(withParams)("%s refuses names and ids that cannot exist", async (name) => {
    const { route, path } = callOf(name);
    const places = route.path.split("/");
    for (const spoiled of [
      "x",
      "%00",
      "%ff",
      "%",
      "%2e%2e",
      "x".repeat(900),
      "x".repeat(2_000),
      "__proto__",
    ]) {
      const parts = path.split("/").map((part, n) => (places[n]?.startsWith(":") ? spoiled : part));
      const bad = addressOf(callOf(name)).replace(path, () => parts.join("/"));
      const answer = await send(name, route.body ? { body: callOf(name).body } : {}, bad);
      // A path of dots names another path, which may know other methods
      expectError(answer, 400, 404, 405, 422);
    }
  });

  it.each(names)("%s answers other methods with 405 and no CORS", async (name) => {
    const { path, route } = callOf(name);
    const known = Object.values(ROUTES)
      .filter((other) => new RegExp(`^${other.path.replaceAll(/:\w+/g, "[^/]+")}$`).test(path))
      .map((other) => other.method as string);
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      if (known.includes(method) || method === route.method) continue;
      const answer = await server.send(method, path, { token: wallet.token });
      expectError(answer, 405);
      expect(answer.headers.get("allow")).toContain(known[0]);
      expect([...answer.headers.keys()].join()).not.toContain("access-control");
    }
  });

  it("leaves every table unchanged", async () => {
    expect(await hashTables(database)).toEqual(before);
  });

  it("answers bytes that are not HTTP and continues", async () => {
    const { connect } = await import("node:net");
    const answer = await new Promise<string>((resolve) => {
      let text = "";
      const socket = connect(Number(new URL(server.url).port), "127.0.0.1", () => {
        socket.write("NOT HTTP AT ALL\r\n\r\n");
      });
      socket.on("data", (chunk) => (text += chunk.toString()));
      socket.on("close", () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"bad_request"/);
    expect((await server.send("GET", "/api/health")).status).toBe(200);
  });
});
