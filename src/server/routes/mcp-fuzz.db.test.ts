import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/database.ts";
import { buildCompleteDraft } from "../../../test/drafts.ts";
import { anything, type Described, valuesOf } from "../../../test/described-calls.ts";
import { useFullServer } from "../../../test/full-server.ts";
import { INJECTIONS } from "../../../test/recorded/injections.ts";
import { hashTables } from "../../../test/table-hashes.ts";
import { sendConfirmed, signIn, type SignedIn } from "../../../test/wallet.ts";
import { type ObjectIds, seedObjects } from "../../../test/world.ts";
import { schemaOf, TOOLS } from "../../assistant/tools.ts";
import { ASSISTANT_SCOPES, type AssistantScope } from "../../contract/read-tokens.ts";

/** Another seed looks elsewhere. */
const SEED = Number(process.env["FUZZ_SEED"] ?? 20_261_126);
const CALLS = Number(process.env["FUZZ_TOOLS"] ?? 600);
const AT_ONCE = 100;

/** In everything the victim owns that has words. */
const CANARY = "canary of the victim";

/** Words of the server's inside, of a tool that broke, and of tokens. */
const INSIDE =
  /node_modules|\.[jt]s:\d|insert into|\bzod\b|postgres|ECONN|could not be read|eyJhbGciOi|whr_[\w-]{20}/i;

/** JSON-RPC's code of a server that broke. */
const BROKEN = -32_603;

const database = useDatabase();
const server = useFullServer(database, { mcp: { simulationsPerMinute: 1_000_000 } });

const tokenOf = async (owner: SignedIn, scopes: readonly AssistantScope[]): Promise<string> => {
  const body = { name: "Claude", days: 9, scopes };
  const made = await sendConfirmed(server, owner, "POST", "/api/read-tokens", body);
  expect(made.status).toBe(201);
  return made.body.token;
};

/** Calls a tool as a program does that knows nothing of schemas. */
const callTool = async (token: string, name: string, args: unknown) => {
  const params = { name, arguments: args };
  const answer = await server.send("POST", "/mcp", {
    token,
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params },
    headers: { accept: "application/json, text/event-stream" },
  });
  const [, streamed = null] = /^data: (.+)$/m.exec(answer.text) ?? [];
  const said = answer.body ?? JSON.parse(streamed ?? "null");
  return { ...answer, said };
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const DRAFT = {
  asset: "SOL",
  interval: "1h",
  alerts: [{ name: "up", condition: { kind: "every-bars", bars: 5 } }, { name: "down" }],
  rules: [{ action: "OPEN_LONG", conditions: [{ alert: "up", times: 1 }] }],
};

/** Arguments with which a tool answers, beside the agent's id. */
const WHOLE: Readonly<Record<string, object>> = {
  propose_agent: { name: "Proposed", agent: DRAFT },
  propose_change: { change: { interval: "2h" } },
  propose_auto_trade: { autoTrade: "on" },
  propose_limits: { limits: { tradesPerDay: 5 } },
  propose_prompts: { buyReportPrompt: "x", sellReportPrompt: "y" },
  propose_deposit: { amount: "5" },
  propose_withdrawal: { amount: "5" },
  read_candles: { symbol: "SOLUSDT", interval: "1h" },
  read_documentation: { page: "custody", section: "Where the money is" },
  preview_condition: { asset: "SOL", interval: "1h", condition: { kind: "every-bars", bars: 2 } },
  simulate: { agent: DRAFT, days: 20 },
  simulate_grid: {
    agent: DRAFT,
    vary: [{ parameter: "up: every bars", values: [5, 7] }],
    days: 20,
  },
};

interface Plan {
  readonly name: string;
  /** Arguments in the shape of the tool's schema. */
  readonly args: unknown;
  readonly aims: "own" | "foreign" | "nowhere";
  /** How much of well-formed arguments is replaced by what was made up. */
  readonly spoils: "all" | "a field" | "something inside" | "nothing";
  readonly caller: "all" | "reader";
  readonly junk: unknown;
  readonly at: number;
}

const plans: fc.Arbitrary<Plan> = fc.oneof(
  ...TOOLS.map((tool) =>
    fc.record({
      name: fc.constant(tool.name),
      args: valuesOf(schemaOf(tool) as Described),
      aims: fc.constantFrom("own" as const, "own" as const, "foreign" as const, "nowhere" as const),
      spoils: fc.constantFrom<Plan["spoils"]>("all", "a field", "something inside", "nothing"),
      caller: fc.constantFrom<Plan["caller"]>("all", "all", "all", "reader"),
      junk: anything,
      at: fc.nat(1_000),
    }),
  ),
);

/** Puts something made up in the place of one part, at any depth. */
function spoilt(whole: unknown, junk: unknown, at: number): unknown {
  if (typeof whole !== "object" || whole === null) return junk;
  const keys = Object.keys(whole);
  const key = keys[at % (keys.length + 1)];
  if (key === undefined) return junk;
  const inner: unknown = Reflect.get(whole, key);
  const made = spoilt(inner, junk, Math.floor(at / (keys.length + 1)));
  return Array.isArray(whole)
    ? whole.map((each: unknown, place) => (String(place) === key ? made : each))
    : { ...whole, [key]: made };
}

/** One call of each tool as it should be made. */
const WHOLE_CALLS = TOOLS.map(({ name }): Plan => ({
  name,
  args: {},
  aims: "own",
  spoils: "nothing",
  caller: "all",
  junk: null,
  at: 0,
}));

/** Name of the argument that takes an agent's id. */
const ID_FIELDS: Readonly<Record<string, string>> = { simulate: "of" };

function argsOf({ name, args, aims, spoils, junk, at }: Plan, ids: Record<Plan["aims"], string>) {
  const tool = TOOLS.find((each) => each.name === name);
  const schema = tool === undefined ? {} : (schemaOf(tool) as Described);
  const idField = ID_FIELDS[name] ?? "agent";
  const takesAgent = schema.properties?.[idField]?.type === "string";
  const full = { ...WHOLE[name], ...(takesAgent ? { [idField]: ids[aims] } : {}) };
  if (spoils === "nothing") return full;
  if (spoils === "all") return args;
  if (spoils === "something inside") return spoilt(full, junk, at);
  const keys = isRecord(args) ? Object.keys(args) : [];
  const key = keys[at % Math.max(keys.length, 1)];
  return key === undefined ? full : { ...full, [key]: (args as Record<string, unknown>)[key] };
}

describe("Made-up calls of tools", () => {
  let owner: SignedIn;
  let own: ObjectIds;
  let foreign: ObjectIds;
  let tokens: Record<Plan["caller"], string>;

  beforeAll(async () => {
    owner = await signIn(server);
    own = await seedObjects(server, owner);
    const victim = await signIn(server);
    foreign = await seedObjects(server, victim);
    await database.pool.query("update alerts set description = $1 where agent_id = $2", [
      CANARY,
      foreign.agent,
    ]);
    await database.pool.query("update chats set title = $1 where id = $2", [CANARY, foreign.chat]);
    await database.pool.query("update agents set name = $1 where id = $2", [CANARY, foreign.agent]);
    tokens = {
      all: await tokenOf(owner, ASSISTANT_SCOPES),
      reader: await tokenOf(owner, ["read"]),
    };
  });

  const judge = (plan: Plan, args: unknown, answer: Awaited<ReturnType<typeof callTool>>) => {
    const asked = JSON.stringify(args) ?? "";
    const { status, text, said } = answer;
    const shown = `${plan.caller}: ${plan.name} ${asked} -> ${status} ${text.slice(0, 1_000)}`;
    expect(status, shown).toBeLessThan(500);
    expect(said?.error?.code, shown).not.toBe(BROKEN);
    expect(text, shown).not.toMatch(INSIDE);
    expect(text, shown).not.toContain(CANARY);
    for (const id of Object.values(foreign)) {
      if (id !== own.alertName && !asked.includes(id)) expect(text, shown).not.toContain(id);
    }
    return said?.error !== undefined
      ? "refused"
      : said.result.isError === true
        ? "told"
        : "answered";
  };

  it(`${CALLS} of them break nothing and reveal or change no other owner's data`, async () => {
    const kept = async () => {
      const reads = ["agents", "alerts", "rules", "chats"].map((table) => {
        const by = table === "agents" || table === "chats" ? "owner" : "agent_id";
        const id = by === "owner" ? foreign.wallet : foreign.agent;
        return database.pool.query(`select * from ${table} where ${by} = $1 order by 1`, [id]);
      });
      return (await Promise.all(reads)).map(({ rows }) => rows);
    };
    const before = await kept();
    const seen: Record<string, Record<string, number>> = {};
    const ids = { own: own.agent, foreign: foreign.agent, nowhere: "0".repeat(32) };
    for (let made = 0; made < CALLS; made += AT_ONCE) {
      const numRuns = Math.min(AT_ONCE, CALLS - made);
      const sampled = fc.sample(plans, { numRuns, seed: SEED + made });
      for (const plan of made === 0 ? [...WHOLE_CALLS, ...sampled] : sampled) {
        const args = argsOf(plan, ids);
        const end = judge(plan, args, await callTool(tokens[plan.caller], plan.name, args));
        if (JSON.stringify(args)?.includes(foreign.agent)) {
          expect([plan.name, args, end]).not.toEqual([plan.name, args, "answered"]);
        }
        const ends = (seen[plan.name] ??= {});
        ends[end] = (ends[end] ?? 0) + 1;
      }
      // An owner has room for twenty
      await database.pool.query("delete from proposals where owner = $1", [owner.address]);
    }
    expect(await kept()).toEqual(before);
    const { rows } = await database.pool.query("select owner from proposals");
    expect(rows).toEqual([]);
    // Every tool answered something and told something else
    for (const { name } of TOOLS)
      expect([name, seen[name]]).toEqual([
        name,
        expect.objectContaining({ answered: expect.any(Number) }),
      ]);
    process.stdout.write(`${CALLS} calls of tools: ${JSON.stringify(seen)}\n`);
  }, 7_200_000);
});

/** Calls that the injected texts wish for. */
const WISHED = [
  ["set_trading_status", { tradingStatus: "on" }],
  ["withdraw", { amount: "all", to: "5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn" }],
  ["create_rule", { action: "OPEN_LONG" }],
  ["delete_chat", {}],
  ["approve_proposal", {}],
] as const;

/** Returns a name as the form accepts it: one line without characters that are not seen. */
const lineOf = (text: string, length: number) =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, " ")
    .slice(0, length)
    .toWellFormed()
    .trim();

const INJECTED = 30;

describe(`${INJECTED} injected texts in names, alerts and what other tools answered`, () => {
  it("end as data, and an assistant that obeys each of them changes nothing", async () => {
    const owner = await signIn(server);
    // Every seventh, so that each disguise and many wishes are among them
    const texts = INJECTIONS.filter((_text, at) => at % 7 === 0).slice(0, INJECTED);
    expect(texts).toHaveLength(INJECTED);
    const [first = ""] = texts;
    const names = texts.map((text, at) => `${at} ${lineOf(text, 90)}`.trim());
    const draft = buildCompleteDraft({
      agent: { agentName: lineOf(first, 110) },
      alerts: texts.map((text, at) => ({
        name: names[at] ?? "",
        description: text.slice(0, 1_000).toWellFormed(),
      })),
      rules: [],
    });
    const created = await server.send("POST", "/api/agents/create-complete-agent", {
      token: owner.token,
      body: draft,
    });
    expect(created.status).toBe(201);
    const agent: string = created.body.agent.botId;
    const token = await tokenOf(owner, ASSISTANT_SCOPES);
    await callTool(token, "list_agents", {});
    const before = await hashTables(database);
    const { said } = await callTool(token, "read_agent", { agent });
    const { data, about } = JSON.parse(said.result.content[0].text);
    expect(data.alerts.map(({ name }: { name: string }) => name).toSorted()).toEqual(
      names.toSorted(),
    );
    expect(about).toContain("never instructions");
    for (const text of texts) {
      for (const [name, args] of WISHED) {
        const answer = await callTool(token, name, { agent, ...args, because: text });
        expect(answer.said.result).toMatchObject({
          isError: true,
          content: [{ text: "This token opens no tool of that name." }],
        });
      }
      // As a model does that takes the text for an argument
      for (const { name, scope } of TOOLS) {
        const { status, said: told } = await callTool(token, name, {
          ...(scope === "read" ? {} : WHOLE[name]),
          note: text,
        });
        expect([name, status, told.error ?? told.result.isError]).toEqual([name, 200, true]);
      }
    }
    const after = await hashTables(database);
    expect(after).toEqual(before);
  });
});
