import { createHash, randomBytes } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import { once } from "node:events";
import { type AddressInfo, createServer as createSocketServer } from "node:net";
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { share, useDatabase } from "../../../test/database.ts";
import { createFullServer, type FullServer } from "../../../test/full-server.ts";
import { sendConfirmed, signIn, type SignedIn } from "../../../test/wallet.ts";
import { seedObjects } from "../../../test/world.ts";
import { MAX_CLIENTS } from "../auth/connection-clients.ts";
import { createFetchOutside } from "../notices/post-outside.ts";

const HOUR_MS = 3_600_000;
const BACK = "https://assistant.example/back";

const database = useDatabase();
let server: FullServer;
let owner: SignedIn;
/** What the descriptions of programs say, by address; anything else is fetched as in the product. */
const described = new Map<string, unknown>();

/** Returns a port that nobody listens on. */
async function freePort(): Promise<number> {
  const probe = createSocketServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

const guarded = createFetchOutside();
const shared = share(
  async () =>
    createFullServer(database, {
      publicUrl: `http://127.0.0.1:${await freePort()}`,
      fetchOutside: async (address) => described.get(address) ?? guarded(address),
    }),
  (made) => made.close(),
);

beforeEach(async () => {
  server = shared;
  owner = await signIn(server);
});

const verifier = randomBytes(32).toString("base64url");
const codeChallenge = createHash("sha256").update(verifier).digest("base64url");

const register = async (metadata: object = { client_name: "Claude", redirect_uris: [BACK] }) =>
  server.send("POST", "/oauth/register", { body: metadata });

const clientId = async (redirectUri = BACK): Promise<string> =>
  (await register({ client_name: "Claude", redirect_uris: [redirectUri] })).body.client_id;

const ask = (changes: Record<string, string>, by = owner) =>
  server.send("POST", "/api/connections", {
    token: by.token,
    body: {
      redirectUri: BACK,
      responseType: "code",
      codeChallenge,
      codeChallengeMethod: "S256",
      scope: "read simulate propose",
      state: "s t/1",
      resource: `${server.publicUrl.origin}/mcp`,
      ...changes,
    },
  });

const approve = async (id: string, scopes: readonly string[] = ["read"], by = owner) =>
  sendConfirmed(server, by, "POST", `/api/connections/${id}/approve`, { scopes });

/** Lets a program in and returns its code. */
const codeFor = async (client: string, scopes?: readonly string[]): Promise<string> => {
  const asked = await ask({ clientId: client });
  const answer = await approve(asked.body.id, scopes);
  expect(answer.status).toBe(200);
  return new URL(answer.body.redirectTo).searchParams.get("code") ?? "";
};

const send = async (path: string, form: Record<string, string>) =>
  server.send("POST", path, {
    raw: new URLSearchParams(form).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });

const exchange = (client: string, code: string, changes: Record<string, string> = {}) =>
  send("/oauth/token", {
    grant_type: "authorization_code",
    client_id: client,
    code,
    code_verifier: verifier,
    redirect_uri: BACK,
    ...changes,
  });

const renew = (client: string, token: string, changes: Record<string, string> = {}) =>
  send("/oauth/token", {
    grant_type: "refresh_token",
    client_id: client,
    refresh_token: token,
    ...changes,
  });

const tools = async (token: string) => {
  const answer = await server.send("POST", "/mcp", {
    token,
    body: { jsonrpc: "2.0", id: 1, method: "tools/list" },
    headers: { accept: "application/json, text/event-stream" },
  });
  return answer.status;
};

/** Remembers what a client of the protocol has to, as a program does in its files. */
function createMemory(redirectUrl: string, name = "Claude") {
  const kept: Record<string, unknown> = {};
  let askedAt: URL | null = null;
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { client_name: name, redirect_uris: [redirectUrl] },
    state: () => "its own state",
    clientInformation: () => kept["client"] as never,
    saveClientInformation: (client) => void (kept["client"] = client),
    tokens: () => kept["tokens"] as never,
    saveTokens: (tokens) => void (kept["tokens"] = tokens),
    redirectToAuthorization: (url) => void (askedAt = url),
    saveCodeVerifier: (word) => void (kept["verifier"] = word),
    codeVerifier: () => kept["verifier"] as string,
    saveDiscoveryState: (state) => void (kept["discovery"] = state),
    discoveryState: () => kept["discovery"] as never,
  };
  return { provider, kept, askedAt: () => askedAt };
}

describe.each(["2026-07-28", "2025-11-25"] as const)(
  "The official client, protocol %s",
  (version) => {
    it("finds where to sign in, is let in by the wallet, calls, renews, and is out once it was revoked", async () => {
      const { agent } = await seedObjects(server, owner);
      const memory = createMemory("http://127.0.0.1:7777/callback");
      const connect = async () => {
        const negotiation =
          version === "2026-07-28" ? { versionNegotiation: { mode: { pin: version } } } : {};
        const client = new Client({ name: "test", version: "1" }, negotiation);
        const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
          authProvider: memory.provider,
        });
        await client.connect(transport);
        return client;
      };
      await expect(connect()).rejects.toThrow(UnauthorizedError);
      const asked = memory.askedAt()?.searchParams;
      expect(memory.askedAt()?.pathname).toBe("/connect");
      const field = (name: string) => asked?.get(name) ?? "";
      const request = await server.send("POST", "/api/connections", {
        token: owner.token,
        body: {
          clientId: field("client_id"),
          redirectUri: field("redirect_uri"),
          responseType: field("response_type"),
          codeChallenge: field("code_challenge"),
          codeChallengeMethod: field("code_challenge_method"),
          scope: field("scope"),
          state: field("state"),
          resource: field("resource"),
        },
      });
      expect(request.body).toMatchObject({
        name: "Claude",
        returnsTo: "127.0.0.1:7777",
        scopes: ["read", "simulate", "propose"],
      });
      const answer = await approve(request.body.id, ["read", "simulate"]);
      const callback = new URL(answer.body.redirectTo).searchParams;
      expect(callback.get("state")).toBe("its own state");
      const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
        authProvider: memory.provider,
      });
      await transport.finishAuth(callback);

      const client = await connect();
      const listed = async (by: Client) => {
        const { content } = await by.callTool({ name: "list_agents", arguments: {} });
        const [first] = content;
        return JSON.parse(first?.type === "text" ? first.text : "").data.agents;
      };
      expect(await listed(client)).toEqual([expect.objectContaining({ id: agent })]);
      expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain(
        "propose_agent",
      );

      // The access token ends within the hour, and the client renews it by itself
      const before = memory.kept["tokens"];
      server.clock.advance(HOUR_MS + 1_000);
      owner = await signIn(server, owner);
      expect(await listed(client)).toHaveLength(1);
      expect(memory.kept["tokens"]).not.toEqual(before);

      const [token] = (await server.send("GET", "/api/read-tokens", { token: owner.token })).body;
      expect(token).toMatchObject({
        name: "Claude",
        connectedFrom: "127.0.0.1:7777",
        scopes: ["read", "simulate"],
        lastUsedAt: expect.any(String),
      });
      await server.send("DELETE", `/api/read-tokens/${token.id}`, { token: owner.token });
      await expect(listed(client)).rejects.toThrow("The refresh token is unknown, used or ended.");
    });
  },
);

describe("What programs are told", () => {
  it("answers an unknown description with JSON, and takes an address that ends in a slash", async () => {
    for (const path of ["openid-configuration", "oauth-authorization-server/mcp", "x/y"]) {
      const answer = await server.send("GET", `/.well-known/${path}`);
      expect([answer.status, answer.body.code]).toEqual([404, "not_found"]);
    }
    const client = await clientId();
    const resource = `${server.publicUrl.origin}/mcp/`;
    expect((await ask({ clientId: client, resource })).status).toBe(201);
    const code = await codeFor(client);
    expect((await exchange(client, code, { resource })).status).toBe(200);
  });

  it("names the server, its scopes and where to sign in, as the standards say", async () => {
    const { origin } = server.publicUrl;
    const refused = await server.send("POST", "/mcp", { body: {} });
    const [, metadata = ""] =
      /resource_metadata="([^"]+)"/.exec(refused.headers.get("www-authenticate") ?? "") ?? [];
    const resource = await (await fetch(metadata)).json();
    expect(resource).toMatchObject({ resource: `${origin}/mcp`, authorization_servers: [origin] });
    const { body } = await server.send("GET", "/.well-known/oauth-authorization-server");
    expect(body).toMatchObject({
      issuer: origin,
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    });
  });
});

describe("A request of an assistant", () => {
  it("is refused in words where it departs from the standard, and nobody is sent anywhere", async () => {
    const client = await clientId();
    const wrong: readonly [Record<string, string>, RegExp][] = [
      [{ clientId: "f".repeat(32) }, /not registered/],
      [{ redirectUri: "https://evil.example/back" }, /address to return to/],
      [{ redirectUri: `${BACK}/more` }, /address to return to/],
      [{ redirectUri: "javascript://assistant.example/%0aalert(1)" }, /address to return to/],
      [{ responseType: "token" }, /something else than a code/],
      [{ codeChallengeMethod: "plain" }, /PKCE/],
      [{ codeChallenge: "short" }, /PKCE/],
      [{ resource: "https://other.example/mcp" }, /another server/],
      [{ scope: "admin" }, /nothing that it could be given/],
    ];
    for (const [changes, words] of wrong) {
      const answer = await ask({ clientId: client, ...changes });
      expect([answer.status, answer.body.message]).toEqual([422, expect.stringMatching(words)]);
      expect(answer.text).not.toContain("evil.example");
    }
  });

  it.each([
    "https://assistant.example/a/../back",
    "HTTPS://assistant.example/back",
    "https://assistant.example:443/back",
  ])("comes back to %s only where exactly that was registered", async (redirectUri) => {
    const answer = await ask({ clientId: await clientId(), redirectUri });
    expect([answer.status, answer.body.message]).toEqual([
      422,
      expect.stringMatching(/address to return to/),
    ]);
  });

  it("ends with the session that made it", async () => {
    const { body } = await ask({ clientId: await clientId() });
    await server.send("POST", "/api/auth/sign-out-everywhere", { token: owner.token, body: {} });
    owner = await signIn(server, owner);
    expect((await approve(body.id)).status).toBe(409);
  });

  it("is approved only by the wallet it was made for, with its signature, once", async () => {
    const client = await clientId();
    const { body } = await ask({ clientId: client });
    const path = `/api/connections/${body.id}/approve`;
    const bare = await server.send("POST", path, {
      token: owner.token,
      body: { scopes: ["read"] },
    });
    expect([bare.status, bare.body.code]).toEqual([403, "confirmation_needed"]);
    expect(bare.body.confirm.message).toContain(
      'Connect the assistant "Claude", at "assistant.example", for 90 days: it sees the trades',
    );
    const other = await signIn(server);
    expect((await approve(body.id, ["read"], other)).status).toBe(409);
    expect((await approve(body.id)).status).toBe(200);
    expect((await approve(body.id)).status).toBe(409);
    const late = await ask({ clientId: client });
    server.clock.advance(11 * 60_000);
    owner = await signIn(server, owner);
    expect((await approve(late.body.id)).status).toBe(409);
  });

  it("sends the owner back with who answers, also when declined", async () => {
    const { body } = await ask({ clientId: await clientId() });
    const declined = new URL(body.declineTo);
    expect(Object.fromEntries(declined.searchParams)).toEqual({
      error: "access_denied",
      iss: server.publicUrl.origin,
      state: "s t/1",
    });
    const approved = new URL((await approve(body.id)).body.redirectTo);
    expect(Object.fromEntries(approved.searchParams)).toEqual({
      code: expect.stringMatching(/^whc_/),
      iss: server.publicUrl.origin,
      state: "s t/1",
    });
  });
});

describe("A code", () => {
  it("is exchanged once, by the program it was made for, with its secret word", async () => {
    const client = await clientId();
    const code = await codeFor(client, ["read", "simulate"]);
    const another = await clientId();
    const wrong = { client_id: another };
    for (const changes of [
      wrong,
      { code_verifier: "x".repeat(43) },
      { redirect_uri: "https://assistant.example/other" },
      { code: "whc_none" },
    ]) {
      const answer = await exchange(client, code, changes as Record<string, string>);
      expect([answer.status, answer.body.error]).toEqual([400, "invalid_grant"]);
    }
    const target = await exchange(client, code, { resource: "https://other.example/mcp" });
    expect(target.body.error).toBe("invalid_target");
    const first = await exchange(client, code);
    expect(first.body).toMatchObject({ token_type: "Bearer", scope: "read simulate" });
    expect(await tools(first.body.access_token)).toBe(200);
    // Somebody else has the code: what it began ends
    expect((await exchange(client, code)).status).toBe(400);
    expect(await tools(first.body.access_token)).toBe(401);
    expect((await renew(client, first.body.refresh_token)).status).toBe(400);
  });

  it("has a secret word of its own, which is not empty", async () => {
    const client = await clientId();
    const nothing = createHash("sha256").update("").digest("base64url");
    const { body } = await ask({ clientId: client, codeChallenge: nothing });
    const { redirectTo } = (await approve(body.id)).body;
    const code = new URL(redirectTo).searchParams.get("code") ?? "";
    for (const changes of [{ code_verifier: "" }, { code_verifier: undefined }]) {
      const answer = await exchange(client, code, JSON.parse(JSON.stringify(changes)));
      expect(answer.body.error).toBe("invalid_grant");
    }
  });

  it("ends with the session that gave it", async () => {
    const client = await clientId();
    const code = await codeFor(client);
    await server.send("POST", "/api/auth/sign-out-everywhere", { token: owner.token, body: {} });
    expect((await exchange(client, code)).body.error).toBe("invalid_grant");
  });

  it("ends after two minutes", async () => {
    const client = await clientId();
    const code = await codeFor(client);
    server.clock.advance(121_000);
    expect((await exchange(client, code)).body.error).toBe("invalid_grant");
  });

  it("exchanged by many at once gives tokens to one of them", async () => {
    const client = await clientId();
    const code = await codeFor(client);
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(client, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe("A connection's tokens", () => {
  const connected = async (scopes = ["read"]) => {
    const client = await clientId();
    const { body } = await exchange(client, await codeFor(client, scopes));
    return { client, access: body.access_token as string, refresh: body.refresh_token as string };
  };

  it("are the same for two windows that renew at once, and where an answer was lost", async () => {
    const { client, refresh } = await connected();
    const both = await Promise.all([renew(client, refresh), renew(client, refresh)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(both[0].body).toEqual(both[1].body);
    server.clock.advance(60_000);
    const again = await renew(client, refresh);
    expect(again.body).toEqual({ ...both[0].body, expires_in: 3_540 });
    expect(await tools(again.body.access_token)).toBe(200);
    expect((await renew(await clientId(), refresh)).body.error).toBe("invalid_grant");
    const next = await renew(client, again.body.refresh_token);
    expect(next.body.refresh_token).not.toBe(again.body.refresh_token);
    expect(await tools(next.body.access_token)).toBe(200);
  });

  it("rotate, and a refresh token that comes again after a minute ends the connection", async () => {
    const { client, access, refresh } = await connected();
    const { body } = await renew(client, refresh);
    expect(await tools(access)).toBe(401);
    expect(await tools(body.access_token)).toBe(200);
    server.clock.advance(60_001);
    expect((await renew(client, refresh)).body.error).toBe("invalid_grant");
    expect(await tools(body.access_token)).toBe(401);
    expect((await renew(client, body.refresh_token)).body.error).toBe("invalid_grant");
  });

  it("open no more scopes than were given, at nobody else's request, and no other call", async () => {
    const { client, access, refresh } = await connected();
    const more = await renew(client, refresh, { scope: "read propose" });
    expect(more.body.error).toBe("invalid_scope");
    expect((await renew(await clientId(), refresh)).body.error).toBe("invalid_grant");
    expect((await renew(client, refresh, { grant_type: "password" })).body.error).toBe(
      "unsupported_grant_type",
    );
    const ledger = await server.send(
      "GET",
      `/api/ledger/wallet?pubkey=${owner.address}&network=practice`,
      { token: access },
    );
    expect(ledger.status).toBe(401);
    expect(await tools(access)).toBe(200);
  });

  it("have all scopes that were given, or are refused", async () => {
    const { client, access, refresh } = await connected(["read", "propose"]);
    const narrower = await renew(client, refresh, { scope: "read" });
    expect([narrower.status, narrower.body.error]).toEqual([400, "invalid_scope"]);
    expect(await tools(access)).toBe(200);
    const same = await renew(client, refresh, { scope: "propose read" });
    expect(same.body.scope).toBe("read propose");
  });

  it("are revoked by the program, by its owner, and by signing out everywhere", async () => {
    const first = await connected();
    await send("/oauth/revoke", { token: first.refresh });
    expect(await tools(first.access)).toBe(401);
    const second = await connected();
    await send("/oauth/revoke", { token: second.access });
    expect((await renew(second.client, second.refresh)).status).toBe(400);
    expect((await send("/oauth/revoke", { token: "who_none" })).status).toBe(200);
    const third = await connected();
    await server.send("POST", "/api/auth/sign-out-everywhere", { token: owner.token, body: {} });
    expect(await tools(third.access)).toBe(401);
    expect((await renew(third.client, third.refresh)).status).toBe(400);
  });

  it("lie in the database as digests only", async () => {
    const { access, refresh } = await connected();
    for (const table of ["read_tokens", "connection_refresh_tokens", "connection_requests"]) {
      const { rows } = await database.pool.query(`select * from ${table}`);
      const text = JSON.stringify(rows);
      expect([table, text.includes(access), text.includes(refresh)]).toEqual([table, false, false]);
      expect(text).not.toMatch(/wh[ocf]_/);
    }
  });
});

describe("Registering", () => {
  it("cuts a long name, and no character in half", async () => {
    const { body } = await register({
      client_name: `${"x".repeat(59)}\u{1f600} and more`,
      redirect_uris: [BACK],
    });
    expect(body.client_name).toBe("x".repeat(59));
  });

  it.each([
    "The page's chat",
    "THE PAGE\u2019S CHAT",
    "Th\u0435 page's ch\u0430t",
    "Wheelhouse",
    "A browser signed in at 14:02",
  ])("refuses the name %j, which only this page has", async (name) => {
    const answer = await register({ client_name: name, redirect_uris: [BACK] });
    expect([answer.status, answer.body.error]).toEqual([400, "invalid_client_metadata"]);
    const address = "https://named.example/client.json";
    described.set(address, { client_id: address, client_name: name, redirect_uris: [BACK] });
    expect((await ask({ clientId: address })).body.message).toMatch(/only this page has/);
    described.delete(address);
  });

  it("refuses addresses that nobody may be sent to", async () => {
    const bad = [
      "javascript:alert(1)",
      "data:text/html,x",
      "http://evil.example/back",
      "https://a@evil.example/",
      "https://evil.example/#x",
      "ms-msdt://evil.example/",
      "search-ms://evil.example/",
      "ssh://evil.example/",
      "nothing",
    ];
    for (const address of bad) {
      const answer = await register({ redirect_uris: [address] });
      expect([address, answer.status, answer.body.error]).toEqual([
        address,
        400,
        "invalid_redirect_uri",
      ]);
    }
    for (const body of [
      {},
      { redirect_uris: [] },
      { client_name: "x\u202e", redirect_uris: [BACK] },
    ]) {
      expect((await register(body)).status).toBe(400);
    }
    const desktop = await register({
      redirect_uris: ["cursor://anysphere.cursor-mcp/oauth/callback"],
    });
    expect(desktop.status).toBe(201);
    expect(desktop.body.token_endpoint_auth_method).toBe("none");
  });

  it(`keeps ${MAX_CLIENTS} programs, and those that owners have connected for longest`, async () => {
    const client = await clientId();
    const { body } = await exchange(client, await codeFor(client));
    await database.pool.query(
      `insert into oauth_clients select 'made-up-' || n, 'x', '{}', now() + n * interval '1 ms'
       from generate_series(1, $1) as n`,
      [MAX_CLIENTS],
    );
    for (let n = 0; n < 5; n += 1) expect((await register()).status).toBe(201);
    const { rows } = await database.pool.query<{ count: number }>(
      "select count(*)::integer as count from oauth_clients",
    );
    expect(rows[0]?.count).toBeLessThanOrEqual(MAX_CLIENTS);
    expect((await renew(client, body.refresh_token)).status).toBe(200);
    const kept = await database.pool.query("select from oauth_clients where id = $1", [client]);
    expect(kept.rowCount).toBe(1);
  });
});

describe("A program that describes itself at an address", () => {
  const address = "https://assistant.example/client.json";

  it("is let in by what stands there", async () => {
    described.set(address, {
      client_id: address,
      client_name: "Described",
      redirect_uris: [BACK],
    });
    const asked = await ask({ clientId: address });
    expect(asked.body).toMatchObject({ name: "Described", describedBy: address });
    const code = await codeFor(address);
    expect((await exchange(address, code)).status).toBe(200);
  });

  it("is refused where the description is another's, has no address to return to, or is none", async () => {
    for (const found of [
      { client_id: "https://other.example/c.json", redirect_uris: [BACK] },
      { client_id: "https://assistant.example/2.json" },
      "text",
      null,
    ]) {
      described.set("https://assistant.example/2.json", found ?? "nothing");
      const answer = await ask({ clientId: "https://assistant.example/2.json" });
      expect([answer.status, answer.body.message]).toEqual([
        422,
        expect.stringContaining("is not about itself"),
      ]);
    }
  });

  it("is never fetched from a private network", async () => {
    for (const host of [
      "127.0.0.1",
      "10.0.0.1",
      "192.168.1.1",
      "169.254.169.254",
      "[::1]",
      "localhost",
    ]) {
      const answer = await ask({ clientId: `https://${host}/client.json` });
      expect([host, answer.status, answer.body.message]).toEqual([
        host,
        422,
        expect.stringMatching(/private network/),
      ]);
    }
    expect((await ask({ clientId: "http://assistant.example/client.json" })).body.message).toMatch(
      /not registered/,
    );
  });

  it("is refused where its server redirects, never ends, or sends too much", async () => {
    const answers: Record<string, RequestListener> = {
      "/redirect": (_request, response) =>
        response.writeHead(302, { location: "https://assistant.example/client.json" }).end(),
      "/endless": (_request, response) => void response.writeHead(200).write("{"),
      "/huge": (_request, response) => response.end(`{"x":"${"y".repeat(100_000)}"}`),
      "/error": (_request, response) => response.writeHead(500).end("{}"),
    };
    const hostile = createServer((request, response) =>
      answers[request.url ?? ""]?.(request, response),
    ).listen(0, "127.0.0.1");
    await once(hostile, "listening");
    onTestFinished(() => hostile.closeAllConnections());
    onTestFinished(() => void hostile.close());
    const { port } = hostile.address() as AddressInfo;
    const fetchHere = createFetchOutside({
      isAllowed: () => true,
      allowsPlain: true,
      timeoutMs: 500,
    });
    const reasonOf = (path: string) =>
      fetchHere(`http://127.0.0.1:${port}${path}`).then(
        () => "answered",
        (error: Error) => error.message,
      );
    expect(await reasonOf("/redirect")).toMatch(/answered 302/);
    expect(await reasonOf("/endless")).toMatch(/No answer in time|The connection broke/);
    expect(await reasonOf("/huge")).toMatch(/at most 16 kB/);
    expect(await reasonOf("/error")).toMatch(/answered 500/);
  });
});
