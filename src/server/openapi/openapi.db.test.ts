import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Validator } from "@seriousme/openapi-schema-validator";
import { address as addressOfText } from "@solana/kit";
import { describe, expect, it } from "vitest";
import { problemsOf } from "../../../test/check-call.ts";
import { useDatabase } from "../../../test/database.ts";
import { useFullServer } from "../../../test/full-server.ts";
import { addressOf, buildCalls, plainCalls } from "../../../test/route-calls.ts";
import { sendConfirmed, signIn } from "../../../test/wallet.ts";
import { seedObjects } from "../../../test/world.ts";
import { ROUTES, type RouteName } from "../../contract/routes.ts";
import { buildOpenApi } from "./build-openapi.ts";
import { EXAMPLES, type Example } from "./examples.ts";

/** Answers without an end, of other kinds than JSON, or schemas, whose references would be taken for the document's. */
const WITHOUT_ANSWER: readonly RouteName[] = [
  "streamEvents",
  "getAgentFileSchema",
  "getOpenApi",
  "exportAgent",
  "exportWallet",
  "exportTradeLog",
];

const document = buildOpenApi("https://trade.example");

describe("The description of the calls", () => {
  const database = useDatabase();
  const server = useFullServer(database);

  it("is valid OpenAPI 3.1 by the published schema", async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
  });

  it("contains exactly the contract's calls", () => {
    const paths = Object.values(
      document["paths"] as Record<string, Record<string, { operationId: string }>>,
    );
    const names = paths.flatMap((methods) =>
      Object.values(methods).map((each) => each.operationId),
    );
    expect(names.toSorted()).toEqual(Object.keys(ROUTES).toSorted());
  });

  it("detects an answer that deviates from it", () => {
    const call = { method: "GET", path: "/api/health", body: undefined, status: 200 };
    expect(problemsOf({ ...call, answer: { status: "ok" } })).toEqual([]);
    expect(problemsOf({ ...call, answer: { status: "ok", secret: 1 } })).not.toEqual([]);
    expect(problemsOf({ ...call, status: 503, answer: { message: "x" } })).not.toEqual([]);
  });

  it("is public, also as a page without scripts", async () => {
    const answer = await server.send("GET", "/api/openapi.json");
    expect(answer.body.openapi).toBe("3.1.1");
    const page = await server.send("GET", "/api/docs");
    expect(page.status).toBe(200);
    expect(page.text).not.toContain("<script");
    for (const name of Object.keys(ROUTES)) expect(page.text).toContain(`id="${name}"`);
    expect(page.text.length).toBeLessThan(400_000);
  });

  it.each([
    ["/api/openapi.json", "application/json; charset=utf-8"],
    ["/api/docs", "text/html; charset=utf-8"],
  ])("is sent as %s compressed, and not again to a reader who has it", async (url, type) => {
    const ask = (headers: Record<string, string>) => server.app.inject({ url, headers });
    const plain = await ask({});
    for (const [accepted, unpack] of [
      ["br", brotliDecompressSync],
      ["gzip", gunzipSync],
    ] as const) {
      const packed = await ask({ "accept-encoding": accepted });
      expect(packed.headers).toMatchObject({
        "content-type": type,
        "content-encoding": accepted,
        "cache-control": "no-cache",
        vary: "accept-encoding",
      });
      expect(unpack(packed.rawPayload).toString()).toBe(plain.payload);
      expect(packed.rawPayload.length).toBeLessThan(plain.payload.length / 6);
      const known = {
        "accept-encoding": accepted,
        "if-none-match": `"x", ${String(packed.headers.etag)}`,
      };
      const again = await ask(known);
      expect([again.statusCode, again.payload]).toEqual([304, ""]);
      expect(again.headers["content-security-policy"]).toBe(
        packed.headers["content-security-policy"],
      );
    }
    expect((await ask({ "if-none-match": 'W/"another"' })).statusCode).toBe(200);
  });

  it.each(Object.keys(EXAMPLES) as RouteName[])(
    "%s has an example the description allows",
    (name) => {
      const route = ROUTES[name];
      const { query = {}, body, response } = EXAMPLES[name] as Example;
      const search = new URLSearchParams(query as Record<string, string>).toString();
      const path = route.path.replaceAll(/:[A-Za-z]+/g, "x");
      expect(
        problemsOf({
          method: route.method,
          path: `${path}?${search}`,
          body,
          status: route.status,
          answer: response,
        }),
      ).toEqual([]);
    },
  );

  it("has an example of every call", () => {
    expect(Object.keys(EXAMPLES).toSorted()).toEqual(Object.keys(ROUTES).toSorted());
  });

  // RECORD_EXAMPLES=1 makes them anew after the contract has changed
  it("has the present answer of every call as its example", async () => {
    const examples: Record<string, Example> = {};
    for (const name of Object.keys(ROUTES) as RouteName[]) examples[name] = await record(name);
    if (process.env["RECORD_EXAMPLES"] !== undefined) {
      const text = `${JSON.stringify(examples, null, 2)}\n`;
      writeFileSync(join(import.meta.dirname, "examples.json"), text);
    }
    const answered = (all: Record<string, Example>) =>
      Object.keys(all).filter((name) => all[name]?.response !== undefined);
    expect(answered(examples)).toEqual(answered(EXAMPLES as Record<string, Example>));
    for (const [name, { response }] of Object.entries(examples)) {
      const { method, path, status } = ROUTES[name as RouteName];
      const call = { method, path: path.replaceAll(/:[A-Za-z]+/g, "x"), body: undefined, status };
      if (response === undefined) continue;
      const problems = problemsOf({ ...call, answer: response });
      expect(
        problems.filter((each) => each.startsWith("answer")),
        name,
      ).toEqual([]);
    }
  });

  /** Makes a call on objects of its own and returns what went over the wire. */
  async function record(name: RouteName): Promise<Example> {
    const owner = await signIn(server);
    const ids = await seedObjects(server, owner);
    await server.chain.fund(addressOfText(owner.address), {
      lamports: 5_000_000_000n,
      quoteUnits: 0n,
    });
    const call = plainCalls(ids).find((each) => each.name === name);
    if (call === undefined) throw new Error(`No call of ${name}`);
    const { route, body } = call;
    const asked: Example = buildCalls(ids)[name];
    if (WITHOUT_ANSWER.includes(name)) return asked;
    const answer =
      route.access.kind === "public"
        ? await server.send(route.method, addressOf(call), body === undefined ? {} : { body })
        : await sendConfirmed(server, owner, route.method, addressOf(call), body);
    return answer.status === route.status && answer.body !== null
      ? { ...asked, response: answer.body as unknown }
      : asked;
  }
});
