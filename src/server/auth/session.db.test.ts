import { SignJWT, UnsecuredJWT, type JWTPayload } from "jose";
import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/database.ts";
import { useServer } from "../../../test/server.ts";
import { cookieOf, signIn, type SignedIn } from "../../../test/wallet.ts";

const HOUR_MS = 3600_000;

describe("Sessions", () => {
  const database = useDatabase();
  const server = useServer(database);

  const chatsWith = (wallet: SignedIn, headers: Record<string, string>, query = "") =>
    server.send("GET", `/api/chats/wallet/${wallet.address}/agents${query}`, { headers });

  const statusWith = async (wallet: SignedIn, token: string) =>
    (await chatsWith(wallet, { authorization: `Bearer ${token}` })).status;

  const refresh = (token: string, cookie: string, headers: Record<string, string> = {}) =>
    server.send("POST", "/api/auth/refresh", {
      token,
      headers: { cookie, "x-wheelhouse": "1", ...headers },
    });

  const claimsOf = (token: string): JWTPayload =>
    JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());

  const forge = (claims: JWTPayload, header: object = {}, secret = server.secret) =>
    new SignJWT(claims).setProtectedHeader({ alg: "HS256", typ: "at+jwt", ...header }).sign(secret);

  it("accepts its own token and the same claims signed again, as a control for the refusals below", async () => {
    const wallet = await signIn(server);
    expect(await statusWith(wallet, wallet.token)).toBe(200);
    expect(await statusWith(wallet, await forge(claimsOf(wallet.token)))).toBe(200);
  });

  it("refuses every token that was changed or signed elsewhere (A14)", async () => {
    const wallet = await signIn(server);
    const claims = claimsOf(wallet.token);
    const now = Math.floor(server.clock.now() / 1000);
    const { jti: _jti, ...withoutId } = claims;
    const forged = [
      new UnsecuredJWT(claims).encode(),
      await forge(claims, {}, Buffer.from(wallet.address.padEnd(32, "1"))),
      await forge(claims, { kid: "../../x" }),
      await forge({ ...claims, exp: now - 1 }),
      await forge({ ...claims, nbf: now + 60 }),
      await forge({ ...claims, aud: "http://evil.example" }),
      await forge({ ...claims, iss: "evil" }),
      await forge({ ...claims, typ: "refresh" }),
      await forge(claims, { typ: "rt+jwt" }),
      await forge({ ...claims, sid: "0".repeat(32) }),
      await forge({ ...claims, sub: "someone else" }),
      await forge(withoutId),
      `${wallet.token.slice(0, -2)}xx`,
    ];
    for (const token of forged) expect(await statusWith(wallet, token)).toBe(401);
  });

  it("accepts a token from a single Authorization header only (A19)", async () => {
    const wallet = await signIn(server);
    const path = `/api/chats/wallet/${wallet.address}/agents`;
    expect((await chatsWith(wallet, {}, `?token=${wallet.token}`)).status).toBe(401);
    expect((await chatsWith(wallet, { authorization: "Bearer" })).status).toBe(401);
    expect((await chatsWith(wallet, { authorization: "Bearer " })).status).toBe(401);
    expect((await chatsWith(wallet, { authorization: `Basic ${wallet.token}` })).status).toBe(401);
    const twice = await rawGet(server.url, path, [
      `Authorization: Bearer ${wallet.token}`,
      `Authorization: Bearer ${wallet.token}`,
    ]);
    expect(twice).toMatch(/^HTTP\/1\.1 401 /);
    expect(await rawGet(server.url, path, [`Authorization: Bearer ${wallet.token}`])).toMatch(
      /^HTTP\/1\.1 200 /,
    );
  });

  it("ends a token after ten minutes", async () => {
    const wallet = await signIn(server);
    server.clock.advance(10 * 60_000 - 1_000);
    expect(await statusWith(wallet, wallet.token)).toBe(200);
    server.clock.advance(1_000);
    expect(await statusWith(wallet, wallet.token)).toBe(401);
  });

  it("ends token and cookie at logout (A15)", async () => {
    const wallet = await signIn(server);
    const answer = await server.send("POST", "/api/auth/logout", {
      token: wallet.token,
      body: {},
      headers: { cookie: wallet.cookie },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("set-cookie")).toMatch(
      /wheelhouse_refresh=;.*Expires=Thu, 01 Jan 1970/,
    );
    expect(await statusWith(wallet, wallet.token)).toBe(401);
    expect((await refresh(wallet.token, wallet.cookie)).status).toBe(401);
  });

  it("allows logout by cookie alone only with our header", async () => {
    const wallet = await signIn(server);
    const logout = (headers: Record<string, string>) =>
      server.send("POST", "/api/auth/logout", { headers: { cookie: wallet.cookie, ...headers } });
    await logout({});
    expect(await statusWith(wallet, wallet.token)).toBe(200);
    await logout({ "x-wheelhouse": "1" });
    expect(await statusWith(wallet, wallet.token)).toBe(401);
  });

  it("rotates the cookie and ends the session when an old cookie is reused (A16)", async () => {
    const wallet = await signIn(server);
    const second = await refresh(wallet.token, wallet.cookie);
    expect(second.status).toBe(200);
    const third = await refresh(second.body.token, cookieOf(second.headers));
    expect(third.status).toBe(200);
    expect(await statusWith(wallet, third.body.token)).toBe(200);

    expect((await refresh(wallet.token, wallet.cookie)).status).toBe(401);

    expect(await statusWith(wallet, third.body.token)).toBe(401);
    expect((await refresh(third.body.token, cookieOf(third.headers))).status).toBe(401);
    const audit = await database.pool.query(
      "select wallet from audit_log where action = 'refresh_reuse' and wallet = $1",
      [wallet.address],
    );
    expect(audit.rowCount).toBe(1);
  });

  it("gives racing tabs the same successor (A17)", async () => {
    const wallet = await signIn(server);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => refresh(wallet.token, wallet.cookie)),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
    const cookies = new Set(answers.map((answer) => cookieOf(answer.headers)));
    expect(cookies.size).toBe(1);
    expect([...cookies][0]).not.toBe(wallet.cookie);
  });

  it("accepts the previous cookie for ten seconds only", async () => {
    const wallet = await signIn(server);
    await refresh(wallet.token, wallet.cookie);
    server.clock.advance(10_000);
    expect((await refresh(wallet.token, wallet.cookie)).status).toBe(200);
    server.clock.advance(1);
    expect((await refresh(wallet.token, wallet.cookie)).status).toBe(401);
  });

  it("refreshes only for our own page (A18)", async () => {
    const wallet = await signIn(server);
    const evil = await refresh(wallet.token, wallet.cookie, { origin: "https://evil.example" });
    expect(evil.status).toBe(403);
    const bare = await server.send("POST", "/api/auth/refresh", {
      token: wallet.token,
      headers: { cookie: wallet.cookie },
    });
    expect(bare.status).toBe(403);
    const rotated = await database.pool.query(
      "select 1 from refresh_tokens join sessions on id = session_id where wallet = $1",
      [wallet.address],
    );
    expect(rotated.rowCount).toBe(1);
    const own = await refresh(wallet.token, wallet.cookie, { origin: "http://app.test" });
    expect(own.status).toBe(200);
  });

  it("requires the bearer token of the same session, expired or not", async () => {
    const [wallet, other] = [await signIn(server), await signIn(server)];
    expect((await refresh(other.token, wallet.cookie)).status).toBe(401);
    const without = await server.send("POST", "/api/auth/refresh", {
      headers: { cookie: wallet.cookie, "x-wheelhouse": "1" },
    });
    expect(without.status).toBe(401);
    server.clock.advance(HOUR_MS);
    expect((await refresh(wallet.token, wallet.cookie)).status).toBe(200);
  });

  it("ends after a day without a refresh and after seven days in any case", async () => {
    const idle = await signIn(server);
    const busy = await signIn(server);
    let [token, cookie] = [busy.token, busy.cookie];
    for (let hours = 23; hours < 7 * 24; hours += 23) {
      server.clock.advance(23 * HOUR_MS);
      const answer = await refresh(token, cookie);
      expect(answer.status).toBe(200);
      [token, cookie] = [answer.body.token, cookieOf(answer.headers)];
    }
    expect((await refresh(idle.token, idle.cookie)).status).toBe(401);
    server.clock.advance(8 * HOUR_MS);
    expect((await refresh(token, cookie)).status).toBe(401);
  });

  it("lists the wallet's open sessions, this one marked, and nobody else's", async () => {
    const agent =
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36";
    const first = await signIn(server, undefined, { "user-agent": agent });
    server.clock.advance(60_000);
    const second = await signIn(server, first, { "user-agent": "curl/8" });
    const ended = await signIn(server, first);
    await server.send("POST", "/api/auth/logout", { token: ended.token, body: {} });
    await signIn(server);
    const { body } = await server.send("GET", "/api/auth/sessions", { token: first.token });
    const at = (ms: number) => new Date(server.clock.now() - ms).toISOString();
    expect(body).toEqual([
      { browser: "Unknown browser", openedAt: at(0), lastUsedAt: at(0), isCurrent: false },
      {
        browser: "Chrome on Linux",
        openedAt: at(60_000),
        lastUsedAt: at(60_000),
        isCurrent: true,
      },
    ]);
    expect(await statusWith(second, second.token)).toBe(200);
  });

  it("lists no session that was unused for a day", async () => {
    const idle = await signIn(server);
    server.clock.advance(24 * HOUR_MS);
    const { token } = await signIn(server, idle);
    const { body } = await server.send("GET", "/api/auth/sessions", { token });
    expect(body).toHaveLength(1);
  });

  it("signs out all sessions of this wallet only", async () => {
    const [here, other] = [await signIn(server), await signIn(server)];
    const there = await signIn(server, here);
    const answer = await server.send("POST", "/api/auth/sign-out-everywhere", {
      token: here.token,
    });
    expect(answer.status).toBe(200);
    for (const { token, cookie } of [here, there]) {
      expect(await statusWith(here, token)).toBe(401);
      expect((await refresh(token, cookie)).status).toBe(401);
    }
    expect(await statusWith(other, other.token)).toBe(200);
    const audit = await database.pool.query(
      "select detail from audit_log where action = 'signed_out_everywhere' and wallet = $1",
      [here.address],
    );
    expect(audit.rows).toEqual([{ detail: { sessions: 2, replaceTokens: false } }]);
  });
});

/** Sends header lines as they are, which fetch would merge. */
async function rawGet(url: string, path: string, lines: readonly string[]): Promise<string> {
  const { connect } = await import("node:net");
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        [`GET ${path} HTTP/1.1`, "Host: app.test", "Connection: close", ...lines, "", ""].join(
          "\r\n",
        ),
      );
    });
    socket.on("data", (chunk) => (text += chunk.toString()));
    socket.on("end", () => resolve(text));
    socket.on("error", reject);
  });
}
