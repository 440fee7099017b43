import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/database.ts";
import { madeUpCalls, type MadeUp } from "../../../test/described-calls.ts";
import { useFullServer } from "../../../test/full-server.ts";
import { guardedAt, plainCalls, type PlainCall } from "../../../test/route-calls.ts";
import type { Answer } from "../../../test/server.ts";
import { signIn, type SignedIn } from "../../../test/wallet.ts";
import { seedObjects, type ObjectIds } from "../../../test/world.ts";
import { ERRORS } from "../../contract/errors.ts";
import type { Route } from "../../contract/route.ts";
import type { RouteName } from "../../contract/routes.ts";
import { requestObjectId } from "../auth/request-object-id.ts";

/** Another seed looks elsewhere; what is shown of a failure says what to send to see it again. */
const SEED = Number(process.env["FUZZ_SEED"] ?? 20_261_121);
const CALLS = Number(process.env["FUZZ_CALLS"] ?? 2_000);

/** Calls made up at a time, so that many of them need no more memory than a few. */
const AT_ONCE = 500;

/** In everything the victim owns that has words. */
const CANARY = "canary of the victim";

/** Words of the server's inside, and tokens outside the calls that hand them out. */
const INSIDE = /node_modules|\.[jt]s:\d|select .+ from|insert into|\bzod\b|postgres|ECONN|BEGIN /i;
const TOKENS = /eyJhbGciOi|whr_[\w-]{20}|"[\w-]{43}\.\d+"/;
const HANDS_OUT = new Set([
  "createToken",
  "refreshToken",
  "createReadToken",
  "getWebhook",
  "rotateWebhook",
  // In its examples
  "getOpenApi",
]);

interface Plan extends MadeUp {
  readonly caller: "owner" | "nobody";
  readonly aims: "own" | "foreign" | "nowhere";
  readonly at: number;
  /** How much of the well-formed call is replaced by what was made up. */
  readonly spoils: "all" | "a field" | "nothing";
  readonly pathText: string | null;
}

// An open stream answers until it is closed
const plans: fc.Arbitrary<Plan> = fc
  .tuple(
    madeUpCalls(["streamEvents"]),
    fc.record({
      caller: fc.constantFrom(
        "owner" as const,
        "owner" as const,
        "owner" as const,
        "nobody" as const,
      ),
      aims: fc.constantFrom("own" as const, "own" as const, "foreign" as const, "nowhere" as const),
      at: fc.nat(20),
      spoils: fc.constantFrom("all" as const, "a field" as const, "nothing" as const),
      pathText: fc.option(fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }), {
        freq: 4,
      }),
    }),
  )
  .map(([made, plan]) => ({ ...made, ...plan }));

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

/** A call as it is sent. */
interface Sent {
  readonly plan: Plan;
  readonly route: Route;
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

function sentOf(plan: Plan, call: PlainCall): Sent {
  const take = (whole: unknown, made: unknown) => {
    if (plan.spoils === "nothing") return whole;
    return plan.spoils === "all" ? made : mixed(whole, made, plan.at);
  };
  const query = take(call.query, plan.query);
  const spoiled = encodeURIComponent((plan.pathText ?? "").toWellFormed());
  return {
    plan,
    route: call.route,
    path: plan.pathText === null ? call.path : call.path.replace(/[^/]{30,}/, () => spoiled),
    query: isRecord(query) ? query : {},
    body: call.route.body === undefined ? undefined : take(call.body, plan.body),
  };
}

function addressOf({ path, query }: Sent): string {
  const parts = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) parts.append(key, String(each));
  }
  return parts.size === 0 ? path : `${path}?${parts}`;
}

/** Returns the id of the object that the route guards, as it was sent; undefined where none was. */
function guardedId({ route, path, query, body }: Sent): unknown {
  const source = guardedAt(route);
  if (source === null) return undefined;
  const names = route.path.split("/");
  const params = Object.fromEntries(
    path.split("/").map((part, place) => [names[place]?.replace(":", "") ?? "", part]),
  );
  try {
    return requestObjectId(source, { params, query, body });
  } catch {
    return undefined;
  }
}

describe("Requests generated from the published description", () => {
  const database = useDatabase();
  const server = useFullServer(database, { alertsPerMinute: 1_000_000 });
  let wallet: SignedIn;
  let own: ObjectIds;
  let foreign: ObjectIds;

  beforeAll(async () => {
    wallet = await signIn(server);
    own = await seedObjects(server, wallet);
    const victim = await signIn(server);
    foreign = await seedObjects(server, victim);
    await mark(victim);
  });

  /** Writes the canary wherever the victim may write. */
  const mark = async (victim: SignedIn) => {
    const words = {
      renameChat: { title: CANARY },
      createAlert: { agentId: foreign.agent, name: CANARY },
      createHypothesis: { logId: foreign.tradeLogEntry, hypothesis: CANARY },
    };
    for (const { name, route, path } of plainCalls(foreign)) {
      const body = (words as Partial<Record<RouteName, object>>)[name];
      if (body === undefined) continue;
      const answer = await server.send(route.method, path, { token: victim.token, body });
      expect([name, answer.status]).toEqual([name, route.status]);
    }
    await database.pool.query("update messages set content = $1 where chat_id = $2", [
      CANARY,
      foreign.chat,
    ]);
  };

  const callOf = (plan: Plan): PlainCall => {
    const nowhere = { ...own, chat: "0".repeat(32), agent: "0".repeat(32), rule: "0".repeat(32) };
    const ids = { own, foreign, nowhere }[plan.aims];
    const call = plainCalls(ids).find(({ name }) => name === plan.name);
    if (call === undefined) throw new Error(`No call of ${plan.name}`);
    return call;
  };

  const belongings = async () => {
    const ofOwner = { chats: "owner", agents: "owner", sessions: "wallet", read_tokens: "wallet" };
    const ofAgent = ["alerts", "rules", "trade_log", "custody_transactions", "alert_events"];
    const reads = [
      ...Object.entries(ofOwner).map(([table, by]) => ({ table, by, id: foreign.wallet })),
      ...ofAgent.map((table) => ({ table, by: "agent_id", id: foreign.agent })),
      { table: "messages", by: "chat_id", id: foreign.chat },
    ];
    const results = await Promise.all(
      reads.map(({ table, by, id }) =>
        database.pool.query(`select * from ${table} where ${by} = $1`, [id]),
      ),
    );
    return results.map(({ rows }) => rows);
  };

  const make = (sent: Sent): Promise<Answer> => {
    const { plan, route, body } = sent;
    // Signing the fuzzer out would leave nothing but 401
    const isOut = plan.caller === "nobody" || /^(?:logout|signOutEverywhere)$/.test(plan.name);
    return server.send(route.method, addressOf(sent), {
      token: isOut ? undefined : wallet.token,
      headers: { "x-wheelhouse": "1" },
      ...(body === undefined ? {} : { body }),
    });
  };

  const judge = (sent: Sent, answer: Answer) => {
    const { plan, route, body } = sent;
    const asked = `${addressOf(sent)} ${JSON.stringify(body)}`;
    const shown = `${plan.caller}: ${route.method} ${asked} -> ${answer.status} ${answer.text.slice(0, 1_000)}`;
    expect(answer.status, shown).toBeLessThan(500);
    if (answer.status >= 400 && route.method !== "HEAD") {
      expect(Object.keys(ERRORS), shown).toContain(answer.body.code);
      expect(answer.status, shown).toBe(ERRORS[answer.body.code as keyof typeof ERRORS].status);
      expect(answer.text, shown).not.toMatch(INSIDE);
    }
    if (!HANDS_OUT.has(plan.name)) expect(answer.text, shown).not.toMatch(TOKENS);
    expect(answer.text, shown).not.toContain(CANARY);
    const { agent, chat, rule, tradeLogEntry, transaction } = foreign;
    for (const id of [agent, chat, rule, tradeLogEntry, transaction, foreign.wallet]) {
      if (!asked.includes(id)) expect(answer.text, shown).not.toContain(id);
    }
    if (plan.caller === "nobody" && route.access.kind !== "public") {
      expect([400, 401, 404, 405], shown).toContain(answer.status);
    }
    if (Object.values(foreign).some((id) => id !== "breakout" && id === guardedId(sent))) {
      expect([400, 401, 403, 404, 413, 422], shown).toContain(answer.status);
    }
  };

  it(`${CALLS} of them cause no 5xx and reveal or change no other owner's data`, async () => {
    const before = await belongings();
    const seen = new Map<number, number>();
    for (let made = 0; made < CALLS; made += AT_ONCE) {
      const numRuns = Math.min(AT_ONCE, CALLS - made);
      for (const plan of fc.sample(plans, { numRuns, seed: SEED + made })) {
        const sent = sentOf(plan, callOf(plan));
        const answer = await make(sent);
        judge(sent, answer);
        seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
        // Names are unique per wallet, so new objects need a new one
        const isGone = answer.status === 204 && sent.route.method === "DELETE";
        if (isGone || (made > 0 && plan.at === 0)) {
          wallet = await signIn(server);
          own = await seedObjects(server, wallet);
        }
      }
      server.clock.advance(1_000);
    }
    expect(await belongings()).toEqual(before);
    // Both sides of the door were tried
    for (const status of [200, 201, 204, 400, 401, 403, 404, 422]) {
      expect([status, seen.get(status) ?? 0]).not.toEqual([status, 0]);
    }
    process.stdout.write(`${CALLS} calls: ${JSON.stringify(Object.fromEntries(seen))}\n`);
  }, 3_600_000);
});
