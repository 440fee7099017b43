import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/database.ts";
import { buildCompleteDraft } from "../../../test/drafts.ts";
import { useFullServer } from "../../../test/full-server.ts";
import type { Answer } from "../../../test/server.ts";
import { hashTables } from "../../../test/table-hashes.ts";
import { createTestWallet, proofOf, signIn, type SignedIn } from "../../../test/wallet.ts";
import { seedObjects } from "../../../test/world.ts";

const MINUTE_MS = 60_000;

const database = useDatabase();
const server = useFullServer(database);
let wallet: SignedIn;
let agentId: string;

beforeAll(async () => {
  wallet = await signIn(server);
  agentId = (await seedObjects(server, wallet)).agent;
});

beforeEach(async () => {
  await database.pool.query(
    `update agents set slippage_bps = 50, position_size_percent = 100, max_signal_age_seconds = 300
      where id = $1`,
    [agentId],
  );
});

interface Change {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

const rotate = (): Change => ({ method: "POST", path: `/api/agents/${agentId}/webhook/rotate` });

const turn = (tradingStatus: "on" | "off"): Change => ({
  method: "PUT",
  path: `/api/agents/${agentId}/trading-status`,
  body: { tradingStatus },
});

const save = (changes: object): Change => ({
  method: "PUT",
  path: `/api/agents/save-or-update-agent/${agentId}`,
  body: { agent: buildCompleteDraft({ agent: changes }).agent },
});

const saveAll = (changes: object): Change => ({
  method: "PUT",
  path: `/api/agents/update-complete-agent/${agentId}`,
  body: buildCompleteDraft({ agent: changes }),
});

const send = ({ method, path, body }: Change, token: string, proof?: string): Promise<Answer> =>
  server.send(method, path, {
    token,
    ...(body === undefined ? {} : { body }),
    ...(proof === undefined ? {} : { headers: { "x-wheelhouse-confirmation": proof } }),
  });

/** A session of the same wallet that has confirmed nothing. */
const freshSession = () => signIn(server, wallet);

const expectAsked = (answer: Answer) =>
  expect([answer.status, answer.body.code]).toEqual([403, "confirmation_needed"]);

describe("a change that a bearer token alone may not make", () => {
  it.each<[string, () => Change, RegExp]>([
    ["rotating the webhook token", rotate, /^Replace the webhook token of the agent "[^"]+"/m],
    ["turning on", () => turn("on"), /^Turn on auto-trade of the agent "[^"]+"/m],
    [
      "more slippage",
      () => save({ slippageTolerance: "5" }),
      /^Change the agent "[^"]+": slippage from 0\.5% to 5%\.$/m,
    ],
    [
      "more slippage, with alerts and rules",
      () => saveAll({ slippageTolerance: "0.51" }),
      /slippage from 0\.5% to 0\.51%\.$/m,
    ],
  ])("%s asks the wallet, says why and does nothing yet", async (_name, change, text) => {
    const { token } = await freshSession();
    const before = await hashTables(database);
    const answer = await send(change(), token);
    expectAsked(answer);
    expect(await hashTables(database)).toEqual(before);
    expect(answer.body.confirm.message).toMatch(text);
    expect(answer.body.confirm.message).toContain(wallet.address);
    expect(answer.body.confirm.message).toMatch(/^app\.test asks you to confirm a change/);
  });

  it("quotes an agent's name so that it cannot pose as the server", async () => {
    const { token } = await freshSession();
    const { rows } = await database.pool.query("select name from agents where id = $1", [agentId]);
    const rename = (name: string) =>
      database.pool.query("update agents set name = $1 where id = $2", [name, agentId]);
    await rename('Turtle" is turned off. Ignore "the rest\u202e');
    const answer = await send(rotate(), token);
    await rename(rows[0].name);
    expect(answer.body.confirm.message).toContain(
      String.raw`of the agent "Turtle\" is turned off. Ignore \"the rest\u{202e}": alerts`,
    );
  });

  it("is needed for a wider or removed limit and for resuming, but not for a tighter limit", async () => {
    const { token } = await freshSession();
    const limit = (limits: object): Change => ({
      method: "PUT",
      path: `/api/agents/${agentId}/limits`,
      body: { limits },
    });
    const tight = { dayLossBps: 200, tradesPerDay: 5 };
    const set = await send(limit(tight), token);
    expect([set.status, set.body.limits]).toEqual([200, tight]);
    expect((await send(limit({ ...tight, dayLossBps: 100, fallBps: 900 }), token)).status).toBe(
      200,
    );
    const before = await hashTables(database);
    const wider = await send(limit({ dayLossBps: 300, fallBps: 900 }), token);
    expectAsked(wider);
    expect(wider.body.confirm.message).toContain(
      "largest loss a day from 1% to 3%, trades a day from 5 to no limit.",
    );
    const resumed = await send({ method: "POST", path: `/api/agents/${agentId}/resume` }, token);
    expectAsked(resumed);
    expect(resumed.body.confirm.message).toMatch(/^Let the agent "[^"]+" open positions again/m);
    expect(await hashTables(database)).toEqual(before);
    for (const out of [{ dayLossBps: 1_001 }, { tradesPerDay: 0 }, { lossesInRow: 1.5 }]) {
      expect((await send(limit(out), token)).status).toBe(422);
    }
  });

  it("is needed for a larger size and older alerts, with one text for both", async () => {
    const { token } = await freshSession();
    const changes = { positionSizePercent: 40, maxSignalAgeSeconds: 60 };
    expect((await send(save(changes), token)).status).toBe(200);
    const answer = await send(save({ positionSizePercent: 100, maxSignalAgeSeconds: 61 }), token);
    expectAsked(answer);
    expect(answer.body.confirm.message).toContain(
      "position size from 40% to 100%, age of alerts from 60 to 61 seconds.",
    );
  });

  describe("a change of a condition", () => {
    const daily = { kind: "time-of-day", atUtc: "08:00" };
    const alerts = (condition: unknown) => [{ name: "breakout", condition }, { name: "breakdown" }];
    const saveWith = (condition: unknown): Change => ({
      method: "PUT",
      path: `/api/agents/update-complete-agent/${agentId}`,
      body: { ...buildCompleteDraft(), alerts: alerts(condition) },
    });
    const set = (state: "on" | "off") =>
      database.pool.query("update agents set auto_trade = $2 where id = $1", [agentId, state]);

    it.each<[string, () => Change]>([
      ["saving the agent", () => saveWith({ ...daily, atUtc: "09:00" })],
      [
        "changing the alert",
        () => ({
          method: "PUT",
          path: `/api/alerts/${agentId}/breakout`,
          body: { name: "breakout", condition: { ...daily, atUtc: "10:00" } },
        }),
      ],
      [
        "adding an alert",
        () => ({
          method: "POST",
          path: "/api/alerts",
          body: { agentId, name: "breakout two", condition: daily },
        }),
      ],
    ])(
      "needs a confirmation by %s while the agent trades, which names the alert",
      async (_name, change) => {
        const { token } = await freshSession();
        await set("off");
        expect((await send(saveWith(daily), token)).status).toBe(200);
        const asked = await send(turn("on"), token);
        expect(asked.body.confirm.message).toMatch(
          /It fires by itself: the alert "breakout" at 08:00 UTC\.$/m,
        );
        await set("on");
        const before = await hashTables(database);
        const answer = await send(change(), token);
        expectAsked(answer);
        expect(answer.body.confirm.message).toMatch(
          /: by itself it fires the alert "breakout( two)?" at \d\d:00 UTC\.$/m,
        );
        expect(await hashTables(database)).toEqual(before);
        expect((await send(saveWith(daily), token)).status).toBe(200);
        expect((await send(saveWith(null), token)).status).toBe(200);
        await set("off");
      },
    );
  });

  it.each<[string, () => Change, number]>([
    ["turning off", () => turn("off"), 200],
    ["the same slippage", () => save({ slippageTolerance: "0.5" }), 200],
    ["less slippage", () => saveAll({ slippageTolerance: "0.1" }), 200],
    ["slippage that is not allowed", () => save({ slippageTolerance: "5.01" }), 422],
  ])("needs no confirmation for %s", async (_name, change, status) => {
    const { token } = await freshSession();
    expect((await send(change(), token)).status).toBe(status);
  });

  it("needs one signature, which the session keeps for fifteen minutes", async () => {
    const { token } = await freshSession();
    const asked = await send(rotate(), token);
    const proof = proofOf(asked, wallet);
    expect((await send(rotate(), token, proof)).status).toBe(200);

    server.clock.advance(9 * MINUTE_MS);
    expect((await send(save({ slippageTolerance: "5" }), token)).status).toBe(200);
  });

  it("needs a new signature after fifteen minutes", async () => {
    const { token, cookie } = await freshSession();
    const proof = proofOf(await send(rotate(), token), wallet);
    expect((await send(rotate(), token, proof)).status).toBe(200);
    server.clock.advance(8 * MINUTE_MS);
    const renewed = await server.send("POST", "/api/auth/refresh", {
      token,
      headers: { cookie, "x-wheelhouse": "1" },
    });
    server.clock.advance(7 * MINUTE_MS - 1);
    expect((await send(rotate(), renewed.body.token)).status).toBe(200);
    server.clock.advance(1);
    expectAsked(await send(rotate(), renewed.body.token));
    expectAsked(await send(rotate(), renewed.body.token, proof));
  });

  it("is recorded with its confirmation", async () => {
    const { token } = await freshSession();
    const proof = proofOf(await send(rotate(), token), wallet);
    await send(rotate(), token, proof);
    const { rows } = await database.pool.query(
      "select detail from audit_log where action = 'change_confirmed' order by seq desc limit 1",
    );
    expect(rows[0].detail.change).toMatch(/^Replace the webhook token of the agent "/);
  });
});

describe("a signature", () => {
  it.each<[string, (token: string) => Promise<string>]>([
    [
      "of another wallet",
      async (token) => proofOf(await send(rotate(), token), createTestWallet()),
    ],
    ["for another change", async (token) => proofOf(await send(turn("on"), token), wallet)],
    [
      "for another session of the same wallet",
      async () => proofOf(await send(rotate(), (await freshSession()).token), wallet),
    ],
    [
      "that is five minutes old",
      async (token) => {
        const proof = proofOf(await send(rotate(), token), wallet);
        server.clock.advance(5 * MINUTE_MS);
        return proof;
      },
    ],
    [
      "of the sign-in",
      async () => {
        const { body } = await server.send("POST", "/api/auth/nonce", {
          body: { walletAddress: wallet.address },
        });
        return `${body.nonce} ${wallet.sign(body.message)}`;
      },
    ],
    ["that is no signature", async () => "x y"],
    ["that is empty", async () => ""],
  ])("%s confirms nothing", async (_name, make) => {
    const { token } = await freshSession();
    expectAsked(await send(rotate(), token, await make(token)));
    expectAsked(await send(rotate(), token));
  });

  it("that was used confirms nothing after it expired, nor in another session", async () => {
    const first = await freshSession();
    const proof = proofOf(await send(rotate(), first.token), wallet);
    const answers = await Promise.all([
      send(rotate(), first.token, proof),
      send(rotate(), first.token, proof),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expectAsked(await send(rotate(), (await freshSession()).token, proof));
  });
});
