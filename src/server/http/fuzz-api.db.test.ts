import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/database.ts";
import { createFullServer, type FullServer } from "../../../test/full-server.ts";
import { plainCalls, type PlainCall } from "../../../test/route-calls.ts";
import { valuesOf } from "../../../test/schema-values.ts";
import { signIn, type SignedIn } from "../../../test/wallet.ts";
import { seedObjects, type ObjectIds } from "../../../test/world.ts";
import { ERRORS } from "../../contract/errors.ts";
import { ROUTES, type RouteName } from "../../contract/routes.ts";

/** Another seed looks elsewhere; the printed request says what to send to see it again. */
const SEED = Number(process.env["FUZZ_SEED"] ?? 20_261_121);
const REQUESTS = Number(process.env["FUZZ_REQUESTS"] ?? 2_500);

/** An open stream answers until it is closed. */
const names = (Object.keys(ROUTES) as RouteName[]).filter((name) => name !== "streamEvents");

interface Plan {
  readonly name: RouteName;
  readonly aims: "own" | "foreign" | "nowhere";
  readonly at: number;
  readonly mixesIn: boolean;
  readonly query: unknown;
  readonly body: unknown;
  readonly pathText: string | null;
}

const plans: fc.Arbitrary<Plan> = fc.constantFrom(...names).chain((name) => {
  const route = ROUTES[name];
  return fc.record({
    name: fc.constant(name),
    aims: fc.constantFrom("own", "own", "own", "foreign", "nowhere"),
    at: fc.nat(20),
    mixesIn: fc.boolean(),
    query: "query" in route ? valuesOf(route.query) : fc.constant(undefined),
    body: "body" in route ? valuesOf(route.body) : fc.constant(undefined),
    pathText: fc.option(fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }), {
      freq: 2,
    }),
  });
});

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Takes a well-formed part and puts one of the made-up fields in its place. */
function mixed(whole: unknown, made: unknown, at: number): unknown {
  if (!isRecord(whole) || !isRecord(made)) return made;
  const keys = Object.keys(made);
  const key = keys[at % Math.max(keys.length, 1)];
  if (key === undefined) return whole;
  const inner = whole[key];
  return { ...whole, [key]: isRecord(inner) ? mixed(inner, made[key], at) : made[key] };
}

describe("Requests made up from the route table", () => {
  let database: TestDatabase;
  let server: FullServer;
  let wallet: SignedIn;
  let victim: SignedIn;
  let own: ObjectIds;
  let foreign: ObjectIds;

  beforeAll(async () => {
    database = await createTestDatabase();
    server = await createFullServer(database, {
      alertsPerMinute: 100_000,
    });
    wallet = await signIn(server);
    victim = await signIn(server);
    own = await seedObjects(server, wallet);
    foreign = await seedObjects(server, victim);
  });

  afterAll(async () => {
    await server.close();
    await database.drop();
  });

  const callOf = (plan: Plan): PlainCall => {
    const nowhere = { ...own, chat: "0".repeat(32), agent: "0".repeat(32), rule: "0".repeat(32) };
    const ids = { own, foreign, nowhere }[plan.aims];
    const call = plainCalls(ids).find(({ name }) => name === plan.name);
    if (call === undefined) throw new Error(`No call of ${plan.name}`);
    return call;
  };

  const addressFor = (plan: Plan, call: PlainCall): string => {
    const made = plan.mixesIn ? mixed(call.query, plan.query, plan.at) : plan.query;
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(isRecord(made) ? made : {})) {
      for (const each of Array.isArray(value) ? value : [value]) query.append(key, String(each));
    }
    const spoiled = encodeURIComponent((plan.pathText ?? "").toWellFormed());
    const path = plan.pathText === null ? call.path : call.path.replace(/[^/]{30,}/, () => spoiled);
    return query.size === 0 ? path : `${path}?${query}`;
  };

  const belongings = async () => {
    const tables = ["chats", "agents", "sessions"] as const;
    const rows = await Promise.all(
      tables.map((table) =>
        database.pool.query(
          `select * from ${table} where ${table === "sessions" ? "wallet" : "owner"} = $1`,
          [victim.address],
        ),
      ),
    );
    const parts = await Promise.all(
      ["alerts", "rules", "trade_log", "custody_transactions", "alert_events"].map((table) =>
        database.pool.query(`select * from ${table} where agent_id = $1`, [foreign.agent]),
      ),
    );
    return [...rows, ...parts].map((result) => result.rows);
  };

  it("never make the server fail, nor touch what is another's", async () => {
    const before = await belongings();
    const seen = new Map<number, number>();
    for (const plan of fc.sample(plans, { numRuns: REQUESTS, seed: SEED })) {
      const call = callOf(plan);
      const body = plan.mixesIn ? mixed(call.body, plan.body, plan.at) : plan.body;
      const address = addressFor(plan, call);
      const hasBody = call.route.body !== undefined && body !== undefined;
      const answer = await server.send(call.route.method, address, {
        // Signing the fuzzer out would leave nothing but 401
        token:
          plan.name === "logout" || plan.name === "signOutEverywhere" ? undefined : wallet.token,
        headers: { "x-wheelhouse": "1" },
        ...(hasBody ? { body } : {}),
      });
      const shown = `${call.route.method} ${address} ${JSON.stringify(body)} -> ${answer.text}`;
      expect(answer.status, shown).toBeLessThan(500);
      seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
      if (answer.status >= 400 && call.route.method !== "HEAD") {
        expect(Object.keys(ERRORS), shown).toContain(answer.body.code);
        expect(answer.text).not.toMatch(/node_modules|select .+ from|insert into|zod|postgres/i);
      }
      const isGone = answer.status === 204 && call.route.method === "DELETE";
      if (isGone) own = await seedObjects(server, await freshen());
    }
    expect(await belongings()).toEqual(before);
    // Both sides of the door were tried
    for (const status of [200, 201, 204, 400, 403, 404, 422]) {
      expect([status, seen.get(status) ?? 0]).not.toEqual([status, 0]);
    }
  }, 300_000);

  /** Names are unique per wallet, so new objects need a new one. */
  async function freshen(): Promise<SignedIn> {
    wallet = await signIn(server);
    return wallet;
  }
});
