import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/database.ts";
import { createFullServer, useFullServer } from "../../../test/full-server.ts";
import { addressOf, buildCalls, plainCalls } from "../../../test/route-calls.ts";
import { hashTables } from "../../../test/table-hashes.ts";
import { sendConfirmed, signIn, type SignedIn } from "../../../test/wallet.ts";
import { type ObjectIds, seedObjects } from "../../../test/world.ts";
import { TOOLS } from "../../assistant/tools.ts";
import { ASSISTANT_SCOPES, type AssistantScope } from "../../contract/read-tokens.ts";
import type { Route } from "../../contract/route.ts";
import { ROUTES, type RouteName } from "../../contract/routes.ts";
import { isAppError } from "../../contract/errors.ts";
import type { RequestParts } from "../auth/request-object-id.ts";
import { parseRequest } from "../http/parse-request.ts";
import { parseAgentId, parseOwner } from "../../domain/ids.ts";
import { createRouteCalls, isOpenToTools } from "./mcp.ts";

const database = useDatabase();
const server = useFullServer(database);
let owner: SignedIn;
let ids: ObjectIds;

beforeEach(async () => {
  owner = await signIn(server);
  ids = await seedObjects(server, owner);
});

const makeToken = async (scopes?: readonly AssistantScope[], of = owner): Promise<string> => {
  const body = { name: "Claude", days: 9, ...(scopes === undefined ? {} : { scopes }) };
  const made = await sendConfirmed(server, of, "POST", "/api/read-tokens", body);
  if (made.status !== 201) throw new Error(made.text);
  return made.body.token;
};

type Version = "2026-07-28" | "2025-11-25";

const negotiating = (version: Version) =>
  version === "2026-07-28" ? { versionNegotiation: { mode: { pin: version } } } : {};

const connect = async (token: string, version: Version = "2026-07-28") => {
  const client = new Client({ name: "test", version: "1" }, negotiating(version));
  const headers = { authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
    requestInit: { headers },
  });
  await client.connect(transport);
  return client;
};

const ask = async (client: Client, name: string, args: Record<string, unknown> = {}) => {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const [first] = content;
  const text = first?.type === "text" ? first.text : "";
  return { text, isError: isError === true, data: isError ? undefined : JSON.parse(text).data };
};

const DRAFT = {
  asset: "SOL",
  interval: "1h",
  alerts: [
    {
      name: "up",
      condition: {
        kind: "comparisons",
        all: [
          {
            left: { kind: "indicator", name: "RSI", output: "value", parameters: [14] },
            is: "crosses-above",
            right: { kind: "number", value: 30 },
          },
        ],
      },
    },
  ],
  rules: [{ action: "OPEN_LONG", conditions: [{ alert: "up", times: 1 }] }],
};

describe.each(["2026-07-28", "2025-11-25"] as const)(
  "The official client, protocol %s",
  (version) => {
    it("lists the tools, reads and simulates in the owner's figures", async () => {
      const client = await connect(await makeToken([...ASSISTANT_SCOPES]), version);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
      expect(client.getNegotiatedProtocolVersion()).toBe(version);
      const { data } = await ask(client, "list_agents");
      expect(data.agents).toEqual([
        expect.objectContaining({ id: ids.agent, page: `http://app.test/chat/${ids.chat}` }),
      ]);
      const agent = await ask(client, "read_agent", { agent: ids.agent });
      expect(agent.data.alerts.map(({ name }: { name: string }) => name)).toContain("breakout");
      expect((await ask(client, "read_trades")).data.trades).toHaveLength(1);
      const fired = await ask(client, "preview_condition", {
        asset: "SOL",
        interval: "1h",
        condition: DRAFT.alerts[0]?.condition,
        days: 20,
      });
      expect(fired.data).toMatchObject({ source: "practice market", days: 20 });
      const simulated = await ask(client, "simulate", { agent: DRAFT, days: 20 });
      expect(simulated.data).toMatchObject({ asset: "SOL", source: "practice market" });
      expect(simulated.data.warnings.length).toBeGreaterThan(0);
      await client.close();
    });
  },
);

describe.each(["2026-07-28", "2025-11-25"] as const)("npm run mcp, protocol %s", (version) => {
  it("hands a program's lines to the server and its answers back", async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: ["scripts/mcp.mjs"],
      env: { WHEELHOUSE_URL: server.url, WHEELHOUSE_TOKEN: await makeToken(["read"]) },
    });
    const client = new Client({ name: "test", version: "1" }, negotiating(version));
    await client.connect(transport);
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect((await ask(client, "list_agents")).data.agents).toHaveLength(1);
    await client.close();
  });

  it("tells a program in words that its token is no good", async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: ["scripts/mcp.mjs"],
      env: { WHEELHOUSE_URL: server.url, WHEELHOUSE_TOKEN: "whr_no" },
      stderr: "ignore",
    });
    const client = new Client({ name: "test", version: "1" }, negotiating(version));
    await expect(client.connect(transport)).rejects.toThrow();
  });
});

describe("A tool", () => {
  it("answers, for every name in the list, or says what to do instead", async () => {
    const client = await connect(await makeToken([...ASSISTANT_SCOPES]));
    const args: Record<string, Record<string, unknown>> = {
      propose_agent: { name: "Proposed", agent: DRAFT },
      propose_change: { change: { interval: "2h" } },
      propose_auto_trade: { autoTrade: "on" },
      propose_limits: { limits: { tradesPerDay: 5 } },
      propose_prompts: { buyReportPrompt: "x", sellReportPrompt: "y" },
      propose_deposit: { amount: "5" },
      propose_withdrawal: { amount: "5" },
      read_candles: { symbol: "SOLUSDT", interval: "1h" },
      read_documentation: { page: "custody" },
      preview_condition: {
        asset: "SOL",
        interval: "1h",
        condition: { kind: "every-bars", bars: 2 },
      },
      simulate: { agent: DRAFT, days: 20 },
      simulate_grid: {
        agent: DRAFT,
        vary: [{ parameter: "up: RSI period", values: [7, 14] }],
        days: 20,
      },
    };
    for (const { name } of TOOLS) {
      const { text, isError } = await ask(client, name, args[name]);
      expect([name, isError, text]).toEqual([
        name,
        false,
        expect.stringContaining("never instructions"),
      ]);
    }
    const wrong = await ask(client, "read_trades", { limit: 5_000, and: 1 });
    expect(wrong).toMatchObject({ isError: true, text: expect.stringMatching(/limit: .*and/) });
    const long = await ask(client, "simulate", { agent: { ...DRAFT, interval: "28m" }, days: 365 });
    expect(long.text).toMatch(/^These are \d+ bars; ask for at most \d+ days\.$/);
    const [up] = DRAFT.alerts;
    const all = Array.from({ length: 4 }, () => up?.condition.all[0]);
    const alerts = Array.from({ length: 50 }, (_, at) => ({
      name: `up ${at}`,
      condition: { kind: "comparisons", all },
    }));
    const rules = alerts.map(({ name }) => ({
      action: "OPEN_LONG",
      conditions: [{ alert: name, times: 1 }],
    }));
    const costly = await ask(client, "simulate", { agent: { ...DRAFT, alerts, rules }, days: 365 });
    expect(costly.text).toMatch(/^These are 200 comparisons on \d+ bars, /);
    const none = await ask(client, "simulate", { agent: { ...DRAFT, asset: "NOPE" } });
    expect(none.text).toContain("list_indicators has the form");
  });

  it("reads the documentation: what a page has, one section of it, and the headings in place of a wrong one", async () => {
    const client = await connect(await makeToken(["read"]));
    const page = await ask(client, "read_documentation", { page: "custody" });
    expect(page.data.title).toBe("Custody: who can do what with your money");
    expect(page.data.sections).toContain("Where the money is");
    const section = "Where the money is";
    const { data } = await ask(client, "read_documentation", { page: "custody", section });
    expect(data.text).toContain("Your wallet is the vault's only owner.");
    const wrong = await ask(client, "read_documentation", { page: "custody", section: "Nowhere" });
    expect(wrong.text).toContain("Where the money is;");
    const other = await ask(client, "read_documentation", { page: "../README" });
    expect(other.text).toContain("page:");
  });

  it("compares every combination of a grid on the first part of the days, and counts each as tried", async () => {
    const client = await connect(await makeToken([...ASSISTANT_SCOPES]));
    const vary = [
      { parameter: "up: RSI period", values: [7, 14] },
      { parameter: "up: level", values: [30, 40] },
    ];
    const { data } = await ask(client, "simulate_grid", { agent: DRAFT, vary, days: 20 });
    expect(data.varied).toEqual(vary.map(({ parameter }) => parameter));
    expect(data.variants.map(({ values }: { values: number[] }) => values)).toEqual([
      [7, 30],
      [7, 40],
      [14, 30],
      [14, 40],
    ]);
    const { rows } = await database.pool.query("select 1 from tried_variants where wallet = $1", [
      owner.address,
    ]);
    expect(rows).toHaveLength(4);
    const daysBefore = (server.clock.now() - Date.parse(data.comparedUntil)) / 86_400_000;
    expect(daysBefore).toBeGreaterThan(5);
    expect(daysBefore).toBeLessThan(7);
    const made = data.variants.filter(({ closedTrades }: { closedTrades: number }) => closedTrades);
    expect(data.best === null).toBe(made.length === 0);
    expect(data.bestKeptOut === null).toBe(data.best === null);
    const wrong = await ask(client, "simulate_grid", {
      agent: DRAFT,
      vary: [{ parameter: "RSI", values: [7] }],
    });
    expect(wrong.text).toContain('"parameter":"up: RSI period","now":14');
    const values = Array.from({ length: 6 }, (_, at) => at + 5);
    const large = vary.map(({ parameter }) => ({ parameter, values }));
    const refused = await ask(client, "simulate_grid", { agent: DRAFT, vary: large });
    expect(refused.text).toBe("These are 36 variants; ask for at most 25.");
    const long = await ask(client, "simulate_grid", { agent: DRAFT, vary, days: 365 });
    expect(long.text).toMatch(/^These are \d+ bars/);
  });

  it("changes nothing in the database but the token's last use, tried variants and proposals", async () => {
    const client = await connect(await makeToken([...ASSISTANT_SCOPES]));
    const before = await hashTables(database);
    for (const { name } of TOOLS)
      await ask(client, name, { name: "Proposed", agent: DRAFT, change: { interval: "2h" } });
    await ask(client, "simulate", { agent: DRAFT });
    await ask(client, "propose_agent", { name: "Proposed", agent: DRAFT });
    await ask(client, "propose_change", { change: { interval: "2h" } });
    const after = await hashTables(database);
    expect(after["proposals"]).not.toBe(before["proposals"]);
    const same = {
      read_tokens: "",
      tried_variants: "",
      candle_blocks: "",
      proposals: "",
      audit_log: "",
    };
    expect({ ...after, ...same }).toEqual({ ...before, ...same });
  });

  it("turns an agent on only once the wallet has signed its whole set-up", async () => {
    const client = await connect(await makeToken([...ASSISTANT_SCOPES]));
    await database.pool.query("update multisigs set sub_account_id = 1 where agent_id = $1", [
      ids.agent,
    ]);
    await database.pool.query("update agents set sub_account_id = 1 where id = $1", [ids.agent]);
    const autoTrade = async () => {
      const { rows } = await database.pool.query("select auto_trade from agents where id = $1", [
        ids.agent,
      ]);
      return rows[0]?.auto_trade as string;
    };
    const propose = async (to: "on" | "off") => {
      const { data } = await ask(client, "propose_auto_trade", { autoTrade: to });
      const all = await server.send("GET", "/api/proposals", { token: owner.token });
      return all.body.find(({ id }: { id: string }) => id === data.proposal);
    };
    const approve = async (of: { id: string; digest: string }) => {
      const body = { digest: of.digest };
      const path = `/api/proposals/${of.id}/approve`;
      const bare = await server.send("POST", path, { token: owner.token, body });
      const done = await sendConfirmed(server, owner, "POST", path, body);
      return { text: bare.body.confirm?.message as string, done };
    };
    const on = await propose("on");
    expect(await autoTrade()).toBe("off");
    const { text, done } = await approve(on);
    expect(text).toContain("Turn on auto-trade of the agent");
    expect(text).toContain("breakout");
    expect([done.status, await autoTrade()]).toEqual([200, "on"]);
    expect((await approve(on)).done.status).toBe(409);
    const off = await approve(await propose("off"));
    expect(off.text).toContain("Turn off auto-trade");
    expect([off.done.status, ["off", "stopping"].includes(await autoTrade())]).toEqual([200, true]);
  });

  it("stops all agents once the wallet has signed their names, and nobody else's", async () => {
    const client = await connect(await makeToken([...ASSISTANT_SCOPES]));
    const other = await signIn(server);
    const { agent: foreign } = await seedObjects(server, other);
    const both = [[ids.agent, foreign]];
    await database.pool.query(
      "update multisigs set sub_account_id = 1 where agent_id = any($1)",
      both,
    );
    await database.pool.query(
      "update agents set sub_account_id = 1, auto_trade = 'on' where id = any($1)",
      both,
    );
    const on = async () => {
      const { rows } = await database.pool.query(
        "select id from agents where auto_trade = 'on' and id = any($1)",
        both,
      );
      return rows.map(({ id }) => id as string).toSorted();
    };
    await ask(client, "propose_stop_all");
    expect(await on()).toEqual([ids.agent, foreign].toSorted());
    const [of] = (await server.send("GET", "/api/proposals", { token: owner.token })).body;
    const path = `/api/proposals/${of.id}/approve`;
    const body = { digest: of.digest };
    const bare = await server.send("POST", path, { token: owner.token, body });
    expect(bare.body.confirm.message).toContain(
      'Turn off auto-trade of all agents that are on, 1 agent: "Agent ** SOL-1h".',
    );
    expect((await sendConfirmed(server, other, "POST", path, body)).status).toBe(409);
    const done = await sendConfirmed(server, owner, "POST", path, body);
    expect([done.status, done.body, await on()]).toEqual([200, null, [foreign]]);
    expect((await sendConfirmed(server, owner, "POST", path, body)).status).toBe(409);
  });

  it("reaches no call that changes, reveals a secret or wants a signature", () => {
    const open = Object.values<Route>(ROUTES).filter(isOpenToTools);
    const changing = [ROUTES.countTriedVariants, ROUTES.createProposal];
    expect(new Set(open.filter(({ method }) => method !== "GET"))).toEqual(new Set(changing));
    for (const { bearer, holdsSecret } of open)
      expect([bearer, holdsSecret]).toEqual(["free", undefined]);
    expect(open).not.toContain(ROUTES.getWebhook);
    for (const { scope, name } of TOOLS) {
      expect([name, ["read", "simulate", "propose"].includes(scope)]).toEqual([name, true]);
    }
  });

  it("shows no other owner's agent, and no token's secret", async () => {
    const other = await signIn(server);
    const client = await connect(await makeToken(["read", "simulate"], other));
    expect((await ask(client, "list_agents")).data.agents).toEqual([]);
    for (const { name } of TOOLS) {
      const { text } = await ask(client, name, { agent: ids.agent });
      expect(text).not.toContain(ids.wallet);
      expect(text).not.toContain("breakout");
    }
    const { text } = await ask(client, "read_agent", { agent: ids.agent });
    expect(text).toContain("There is no agent with this id.");
  });
});

describe("A call that a tool makes", () => {
  it("is refused before its handler where it names another owner's object", async () => {
    const other = await signIn(server);
    const handlers = new Proxy(
      {},
      {
        get: (_all, name) => async () => {
          throw new Error(`${String(name)} was reached`);
        },
      },
    );
    const scopes: AssistantScope[] = ["read", "simulate"];
    const reader = { id: "0".repeat(32), name: "x", wallet: parseOwner(other.address), scopes };
    const call = createRouteCalls({ db: database.db, handlers })(reader, { id: "1", ip: "::1" });
    const calls: Record<string, Partial<RequestParts>> = buildCalls(ids);
    const foreign = Object.entries(calls).flatMap(([name, { params, query, body }]) => {
      const route: Route = ROUTES[name as RouteName];
      if (!isOpenToTools(route) || route.access.kind !== "owner") return [];
      return [{ name, route, asked: parseRequest(route, { params, query, body }) }];
    });
    expect(foreign.length).toBeGreaterThan(10);
    for (const { name, route, asked } of foreign) {
      const answer = await call(route, asked as never).catch((error: unknown) => error);
      expect([name, isAppError(answer) && answer.code]).toEqual([
        name,
        expect.stringMatching(/^(?:not_found|forbidden)$/),
      ]);
    }
  });
});

describe("POST /mcp", () => {
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const accept = { accept: "application/json, text/event-stream" };
  const send = (
    token: string | undefined,
    headers: Record<string, string> = {},
    body: unknown = list,
  ) => server.send("POST", "/mcp", { token, body, headers: { ...accept, ...headers } });

  it.each([undefined, "*/*", "application/json", "text/event-stream", "application/json, text/*"])(
    "is answered in the type that it takes: %s",
    async (accepted) => {
      const token = await makeToken(["read"]);
      for (const args of [null, "", {}]) {
        const answer = await fetch(`${server.url}/mcp`, {
          method: "POST",
          headers: {
            authorization: `Bearer ${token}`,
            "content-type": "application/json",
            ...(accepted !== undefined && { accept: accepted }),
          },
          body: JSON.stringify({
            jsonrpc: "2.0",
            id: 7,
            method: "tools/call",
            params: { name: "list_agents", arguments: args },
          }),
        });
        const isEvents = accepted === "text/event-stream";
        const [type] = (answer.headers.get("content-type") ?? "").split(";");
        expect([answer.status, type]).toEqual([
          200,
          isEvents || accepted?.includes("text/event-stream")
            ? "text/event-stream"
            : "application/json",
        ]);
        const text = await answer.text();
        const message = JSON.parse(isEvents ? text.slice(text.indexOf("{")) : text);
        expect(message).toMatchObject({ id: 7, result: { content: [{ type: "text" }] } });
        expect(message.result.isError).not.toBe(true);
      }
    },
  );

  it("refuses callers without a token, with a session's, and with one made for no assistant", async () => {
    const without = await send(undefined);
    expect([without.status, without.headers.get("www-authenticate")]).toEqual([
      401,
      expect.stringMatching(/^Bearer realm="Wheelhouse", resource_metadata="http:\/\/app\.test\//),
    ]);
    expect((await send(owner.token)).status).toBe(401);
    expect((await send(`whr_${"x".repeat(43)}`)).status).toBe(401);
    expect((await send(await makeToken())).status).toBe(403);
    expect((await server.send("GET", "/mcp", {})).status).toBe(405);
  });

  it("opens only the tools of the token's scopes", async () => {
    const client = await connect(await makeToken(["read"]));
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain("read_agent");
    expect(names).not.toContain("simulate");
    const refused = await ask(client, "simulate", { agent: DRAFT });
    expect(refused).toMatchObject({
      isError: true,
      text: "This token opens no tool of that name.",
    });
  });

  it("ends with the token, and says in the signed text what an assistant sees", async () => {
    const body = { name: "Claude", days: 9, scopes: ["read", "simulate"] };
    const asked = await server.send("POST", "/api/read-tokens", { token: owner.token, body });
    expect(asked.body.confirm.message).toContain(
      "their rules, conditions, received alerts and decisions, and can change nothing. It may simulate agents.",
    );
    const token = await makeToken(["read", "propose"]);
    await ask(await connect(token), "propose_stop_all");
    const out = { tokens: "replace" };
    const path = "/api/auth/sign-out-everywhere";
    const { body: answer } = await sendConfirmed(server, owner, "POST", path, out);
    const made = { isAssistant: true, name: "Claude", what: "proposal_made", intent: "stop_all" };
    expect(answer.changes).toContainEqual(expect.objectContaining(made));
    expect((await send(token)).status).toBe(401);
  });

  it("ends a loop with the owner's budget, and no other owner waits for it", async () => {
    const other = await signIn(server);
    const others = await seedObjects(server, other);
    await database.pool.query("update agents set auto_trade = 'on' where id = $1", [others.agent]);
    const looping = await connect(await makeToken(["read", "simulate"]));
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => ask(looping, "simulate", { agent: DRAFT, days: 20 })),
    );
    expect(answers.filter(({ isError }) => !isError)).toHaveLength(20);
    expect(answers.find(({ isError }) => isError)?.text).toMatch(/^rate_limited: /);
    const body = {
      agentId: others.agent,
      alertName: "breakout",
      timestamp: new Date(server.clock.now()).toISOString(),
      token: server.webhookTokenOf(parseAgentId(others.agent)),
    };
    expect((await server.send("POST", `/webhook/${others.agent}`, { body })).status).toBe(202);
    const patient = await connect(await makeToken(["read", "simulate"], other));
    expect((await ask(patient, "simulate", { agent: DRAFT, days: 20 })).isError).toBe(false);
  });

  it("tells the owner once of an assistant that calls without end, whose tools no longer run", async () => {
    const limited = await createFullServer(database, { mcp: { callsPerMinute: 120 } });
    try {
      const looping = await signIn(limited);
      const other = await signIn(limited);
      const others = await seedObjects(limited, other);
      await database.pool.query("update agents set auto_trade = 'on' where id = $1", [
        others.agent,
      ]);
      await database.pool.query(
        `insert into notice_channels (id, owner, kind, label, target, events, created_at)
         values ('c', $1, 'webhook', 'x', '', '{assistant_limited}', now())`,
        [looping.address],
      );
      const asked = { name: "Looping", days: 9, scopes: ["read"] };
      const made = await sendConfirmed(limited, looping, "POST", "/api/read-tokens", asked);
      const body = {
        ...list,
        method: "tools/call",
        params: { name: "list_agents", arguments: {} },
      };
      const statuses: number[] = [];
      const calling = Promise.all(
        Array.from({ length: 20 }, async () => {
          for (let nth = 0; nth < 50; nth += 1) {
            const call = { token: made.body.token, body, headers: accept };
            statuses.push((await limited.send("POST", "/mcp", call)).status);
          }
        }),
      );
      // Beside the loop, and not after it
      const took: number[] = [];
      for (let sent = 0; sent < 20; sent += 1) {
        const began = performance.now();
        const alert = {
          agentId: others.agent,
          alertName: "breakout",
          timestamp: new Date(limited.clock.now()).toISOString(),
          token: limited.webhookTokenOf(parseAgentId(others.agent)),
        };
        // A machine that is slow beside the loop answers 503, and the charting platform sends again
        const send = () => limited.send("POST", `/webhook/${others.agent}`, { body: alert });
        await expect.poll(async () => (await send()).status).toBeLessThan(300);
        took.push(performance.now() - began);
        limited.clock.advance(1_000);
      }
      await calling;
      expect(statuses.filter((status) => status === 200)).toHaveLength(120);
      expect(statuses.filter((status) => status === 429)).toHaveLength(880);
      const { rows } = await database.pool.query(
        "select kind, facts from notice_events where owner = $1",
        [looping.address],
      );
      expect(rows).toEqual([{ kind: "assistant_limited", facts: { assistant: "Looping" } }]);
      const tokens = await limited.send("GET", "/api/read-tokens", { token: looping.token });
      expect(tokens.body).toEqual([expect.objectContaining({ limitedAt: expect.any(String) })]);
      const slowest = took.toSorted((a, b) => a - b).at(-1) ?? 0;
      process.stdout.write(`alerts beside 1,000 calls: slowest ${Math.round(slowest)} ms\n`);
    } finally {
      await limited.close();
    }
  });

  it("refuses another page's origin and another host", async () => {
    const token = await makeToken(["read"]);
    expect((await send(token, { origin: "https://evil.example" })).status).toBe(403);
    expect((await send(token, { origin: server.publicUrl.origin })).status).toBe(200);
    // fetch sends no Host header of a caller's choice
    const atHost = async (host: string) => {
      const headers = {
        ...accept,
        host,
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
      };
      const sent = request(`${server.url}/mcp`, { method: "POST", headers });
      sent.end(JSON.stringify(list));
      const [answer] = (await once(sent, "response")) as [IncomingMessage];
      answer.resume();
      return answer.statusCode;
    };
    expect(await atHost("evil.example")).toBe(421);
    expect(await atHost(server.publicUrl.host)).toBe(200);
  });

  it("answers hostile bodies without a 5xx", async () => {
    const token = await makeToken(["read", "simulate"]);
    const call = (params: unknown) => ({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    const hostile = [
      null,
      [],
      {},
      [list, list],
      { jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params: {} },
      call({}),
      call({ name: "read_agent", arguments: [] }),
      call({ name: "read_agent", arguments: { agent: "../../x" } }),
      call({ name: "__proto__", arguments: {} }),
      call({ name: "simulate", arguments: { agent: { rules: "x".repeat(30_000) } } }),
    ];
    for (const body of hostile) {
      const { status } = await send(token, {}, body);
      expect([JSON.stringify(body)?.slice(0, 60), status < 500]).toEqual([
        JSON.stringify(body)?.slice(0, 60),
        true,
      ]);
    }
  });

  it("gives a token for an assistant no further call of the API", async () => {
    const token = await makeToken(["read", "simulate"]);
    for (const call of plainCalls(ids)) {
      if (call.route.access.kind === "public" || call.route.readToken === true) continue;
      const answer = await server.send(call.route.method, addressOf(call), {
        token,
        ...(call.body === undefined ? {} : { body: call.body }),
      });
      expect([call.name, [401, 403].includes(answer.status)]).toEqual([call.name, true]);
    }
  });
});
