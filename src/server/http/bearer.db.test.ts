import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/database.ts";
import { buildCompleteDraft } from "../../../test/drafts.ts";
import { useFullServer } from "../../../test/full-server.ts";
import { addressOf, type PlainCall, plainCalls } from "../../../test/route-calls.ts";
import { hashTables } from "../../../test/table-hashes.ts";
import { proofOf, sendConfirmed, signIn, type SignedIn } from "../../../test/wallet.ts";
import { type ObjectIds, seedObjects } from "../../../test/world.ts";
import { type Route, route } from "../../contract/route.ts";
import { ROUTES, type RouteName } from "../../contract/routes.ts";

const names = Object.keys(ROUTES) as RouteName[];
const ofSession = names.filter((name) => ROUTES[name].access.kind !== "public");

describe("What the contract says of a bearer token", () => {
  it("is said of every call: free with a sentence, or what the wallet signs", () => {
    // @ts-expect-error -- a route that says neither does not compile
    route("GET", "/api/x", { access: { kind: "session" } });
    const unsaid = names.filter((name) => {
      const { bearer, because }: Route = ROUTES[name];
      return bearer === "free" && !/^[A-Z].*\.$/.test(because ?? "");
    });
    expect(unsaid).toEqual([]);
  });
});

describe("A stolen bearer token for ten minutes, then Sign out everywhere", () => {
  const database = useDatabase();
  const server = useFullServer(database);
  let victim: SignedIn;
  /** An agent that is on, and one whose chat and records may go. */
  let [ids, draft]: ObjectIds[] = [];
  let calls: Map<RouteName, PlainCall>;
  let readToken: string;
  let webhookToken: string;

  const confirmed = async (method: string, path: string, body?: unknown) => {
    const answer = await sendConfirmed(server, victim, method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.body;
  };

  const steal = (name: RouteName) => {
    const call = calls.get(name);
    if (call === undefined) throw new Error(`No call of ${name}`);
    const body = call.body === undefined ? {} : { body: call.body };
    return server.send(call.route.method, addressOf(call), { token: victim.token, ...body });
  };

  const readAgent = async (id: string) => {
    const { rows } = await database.pool.query(
      `select market_id, interval, venue, network, slippage_bps, position_size_percent,
         max_signal_age_seconds, auto_trade, webhook_token_version, owner_limits,
         (select json_agg((name, condition) order by seq) from alerts where agent_id = agents.id) as alerts,
         (select json_agg((rules.id, action, alert_id, required_count)) from rules join rule_conditions
           on rule_id = rules.id where agent_id = agents.id) as rules
       from agents where id = $1`,
      [id],
    );
    return rows[0];
  };

  beforeAll(async () => {
    victim = await signIn(server);
    ids = await seedObjects(server, victim);
    await database.pool.query("update agents set name = 'On', name_key = 'on'");
    draft = await seedObjects(server, victim);
    const { agent } = ids!;
    await confirmed("PUT", `/api/agents/${agent}/limits`, { limits: { tradesPerDay: 5 } });
    await database.pool.query("update agents set auto_trade = 'on' where id = $1", [agent]);
    ({ token: webhookToken } = await confirmed("GET", `/api/agents/${agent}/webhook`));
    const channel = { kind: "webhook", url: "https://hooks.example/x", events: ["trade_filled"] };
    const { id: channelId } = await confirmed("POST", "/api/notices/channels", channel);
    ({ token: readToken } = await confirmed("POST", "/api/read-tokens", { name: "tax", days: 9 }));

    const proposed = await server.send("POST", "/api/proposals", {
      token: victim.token,
      body: { draft: buildCompleteDraft({ agent: { agentName: "Proposed" } }) },
    });

    const back = "https://assistant.example/back";
    const client = await server.send("POST", "/oauth/register", {
      body: { redirect_uris: [back] },
    });
    const asked = await server.send("POST", "/api/connections", {
      token: victim.token,
      body: {
        clientId: client.body.client_id,
        redirectUri: back,
        responseType: "code",
        codeChallenge: "c".repeat(43),
        codeChallengeMethod: "S256",
      },
    });

    const moved = buildCompleteDraft({ agent: { assetPair: "BTC-PERP" } });
    const bodies: Partial<Record<RouteName, unknown>> = {
      updateCompleteAgent: moved,
      saveAgent: { agent: moved.agent },
      setOwnerLimits: { limits: {} },
      signOutEverywhere: { tokens: "replace" },
    };
    const expendable = new Map(plainCalls(draft!).map((call) => [call.name, call]));
    calls = new Map(
      plainCalls(ids!).map((call) => [
        call.name,
        {
          ...(["deleteChat", "deleteAgent"].includes(call.name)
            ? expendable.get(call.name)!
            : call),
          ...(call.name in bodies && { body: bodies[call.name] }),
          ...(call.name === "approveProposal" && {
            path: `/api/proposals/${proposed.body.id}/approve`,
            body: { digest: proposed.body.digest },
          }),
          ...(call.name === "approveConnection" && {
            path: `/api/connections/${asked.body.id}/approve`,
          }),
          ...(call.path.includes("/notices/channels/") && {
            path: call.path.replace(agent, channelId),
          }),
        },
      ]),
    );
  });

  it.each(ofSession.filter((name) => ROUTES[name].bearer !== "free"))(
    "%s asks for the wallet's signature and does nothing",
    async (name) => {
      const before = await hashTables(database);
      const answer = await steal(name);
      expect([answer.status, answer.body.code]).toEqual([403, "confirmation_needed"]);
      expect(await hashTables(database)).toEqual(before);
    },
  );

  // An endless answer; it tells which topics are stale and nothing of them
  const free = ofSession.filter(
    (name) => ROUTES[name].bearer === "free" && name !== "streamEvents",
  );

  it.each(free)(
    "%s is free, changes nothing the agent trades by and reveals no secret",
    async (name) => {
      const before = await readAgent(ids!.agent);
      const answer = await steal(name);
      expect(answer.body?.code).not.toBe("confirmation_needed");
      expect(answer.status).not.toBe(500);
      expect(await readAgent(ids!.agent)).toEqual(before);
      expect(answer.text).not.toContain(webhookToken);
      expect(answer.text).not.toContain(readToken);
    },
  );

  it("and nothing of it trades or reveals afterwards", async () => {
    const fire = async (name: string) => {
      const timestamp = new Date(server.clock.now()).toISOString();
      const body = { agentId: ids!.agent, alertName: name, timestamp, token: webhookToken };
      return (await server.send("POST", `/webhook/${ids!.agent}`, { body })).status;
    };
    expect(await fire("breakout")).toBe(202);
    const path = "/api/auth/sign-out-everywhere";
    const body = { tokens: "replace" };
    const here = await signIn(server, victim);
    const asked = await server.send("POST", path, { token: here.token, body });
    expect(asked.body.confirm.message).toMatch(
      /^Sign out everywhere and replace the webhook tokens of \d agents?: ".+"\. Alerts with the old ones stop working\. All read tokens end, 1 token: "tax"\.$/m,
    );
    const headers = { "x-wheelhouse-confirmation": proofOf(asked, victim) };
    const done = await server.send("POST", path, { token: here.token, body, headers });
    expect(done.status).toBe(200);

    for (const name of ofSession) expect([name, (await steal(name)).status]).toEqual([name, 401]);
    const renewal = {
      token: victim.token,
      headers: { cookie: victim.cookie, "x-wheelhouse": "1" },
    };
    expect((await server.send("POST", "/api/auth/refresh", renewal)).status).toBe(401);
    const ledger = `/api/ledger/agent?agentId=${ids!.agent}`;
    expect((await server.send("GET", ledger, { token: readToken })).status).toBe(401);
    expect(await fire("breakdown")).toBe(404);
  });

  it("leaves tokens as they are where that is not asked for, without a signature", async () => {
    const one = await signIn(server);
    const { agent } = await seedObjects(server, one);
    const before = await readAgent(agent);
    const path = "/api/auth/sign-out-everywhere";
    expect((await server.send("POST", path, { token: one.token })).status).toBe(200);
    expect(await readAgent(agent)).toEqual(before);
  });

  it("says when all are signed out what each browser and assistant changed, of this wallet and seven days", async () => {
    const chrome = "Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0.0.0 Safari/537.36";
    const owner = await signIn(server);
    const { agent } = await seedObjects(server, owner);
    const change = async (who: SignedIn, method: string, path: string, body: object) => {
      const answer = await server.send(method, `/api/${path}`, { token: who.token, body });
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    };
    const quiet = { quietHours: { fromMinute: 0, toMinute: 1_439, zone: "UTC" } };
    await change(owner, "PUT", "notices/quiet-hours", {});
    server.clock.advance(7 * 24 * 3_600_000);
    const here = await signIn(server, owner);
    const stranger = await signIn(server);
    const thief = await signIn(server, owner, { "user-agent": chrome });
    const since = new Date(server.clock.now()).toISOString();
    server.clock.advance(60_000);
    const at = new Date(server.clock.now()).toISOString();
    await change(thief, "PUT", "notices/quiet-hours", quiet);
    await change(thief, "PUT", "notices/quiet-hours", quiet);
    await change(thief, "PUT", `agents/add-prompts-to-agent/${agent}`, {
      agent: { buyReportPrompt: "x", sellReportPrompt: "y" },
    });
    await change(thief, "PUT", `agents/update-hypothesis-status/${agent}`, {
      hypothesisStatus: "on",
    });
    // Gone by himself before the owner looks
    await change(thief, "POST", "auth/logout", {});
    await change(here, "POST", "chats/add-chat", { title: "mine", walletAddress: here.address });
    await change(stranger, "PUT", "notices/quiet-hours", quiet);

    const out = await server.send("POST", "/api/auth/sign-out-everywhere", { token: here.token });
    const by = {
      isAssistant: false,
      name: "Chrome on Linux",
      since,
      isCurrent: false,
      times: 1,
      at,
    };
    expect(out.body.changes).toEqual([
      expect.objectContaining({ ...by, what: "quiet_hours_set", times: 2 }),
      expect.objectContaining({ ...by, what: "agent_saved", subject: "Agent ** SOL-1h", times: 2 }),
      expect.objectContaining({ what: "chat_created", isCurrent: true }),
    ]);
    expect(out.body.changes[1].fields.toSorted()).toEqual([
      "buyReportPrompt",
      "hypothesisStatus",
      "sellReportPrompt",
    ]);
    const others = await server.send("POST", "/api/auth/sign-out-everywhere", {
      token: stranger.token,
    });
    expect(others.body.changes).toHaveLength(1);
  });
});
