import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
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
          /It fires by itself, by 1 alert: the alert "breakout" at 08:00 UTC\.$/m,
        );
        await set("on");
        const before = await hashTables(database);
        const answer = await send(change(), token);
        expectAsked(answer);
        expect(answer.body.confirm.message).toMatch(
          /by itself it fires, by 1 alert: the alert "breakout( two)?" at \d\d:00 UTC\.$/m,
        );
        expect(await hashTables(database)).toEqual(before);
        expect((await send(saveWith(daily), token)).status).toBe(200);
        expectAsked(await send(saveWith(null), token));
        await set("off");
        expect((await send(saveWith(null), token)).status).toBe(200);
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

  it("needs a signature of its own, which is used once", async () => {
    const { token } = await freshSession();
    const rename = (id: string, name: string) =>
      database.pool.query("update agents set name = $2, name_key = lower($2) where id = $1", [
        id,
        name,
      ]);
    await rename(agentId, "First");
    const other = (await seedObjects(server, { ...wallet, token })).agent;
    await rename(other, "Second");
    await rename(agentId, "Agent ** SOL-1h");
    const elsewhere = { method: "POST", path: `/api/agents/${other}/webhook/rotate` };
    const proof = proofOf(await send(rotate(), token), wallet);
    const others = [elsewhere, turn("on"), save({ slippageTolerance: "5" })];
    for (const change of others) expectAsked(await send(change, token, proof));
    expect((await send(rotate(), token, proof)).status).toBe(200);
    for (const change of [rotate(), ...others]) {
      expectAsked(await send(change, token, proof));
      expectAsked(await send(change, token));
    }
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

describe("what an agent trades by", () => {
  const set = (state: "on" | "off") =>
    database.pool.query("update agents set auto_trade = $2 where id = $1", [agentId, state]);
  const draft = buildCompleteDraft();
  const withRules = (rules: object[]): Change => ({
    method: "PUT",
    path: `/api/agents/update-complete-agent/${agentId}`,
    body: { ...draft, rules },
  });
  const alert = (method: string, name: string, body?: object): Change => ({
    method,
    path: name === "" ? "/api/alerts" : `/api/alerts/${agentId}/${encodeURIComponent(name)}`,
    ...(body && { body }),
  });

  let token: string;

  beforeAll(async () => {
    ({ token } = await freshSession());
  });
  beforeEach(async () => {
    await set("off");
    expect((await send(saveAll({}), token)).status).toBe(200);
    await set("on");
  });
  afterEach(() => set("off"));

  it.each<[string, () => Change, string]>([
    [
      "another market and interval",
      () => saveAll({ assetPair: "BTC-PERP", interval: "4h" }),
      "market from SOL-PERP to BTC-PERP, interval from 1h to 4h.",
    ],
    [
      "the fields alone",
      () => save({ assetPair: "ETH-PERP" }),
      "market from SOL-PERP to ETH-PERP.",
    ],
    [
      "another count, and the exit gone",
      () => withRules([{ ...draft.rules[0], conditions: [{ alertName: "breakout" }] }]),
      'with 1 rule (1 to open long): open long after "breakout", without 2 rules (1 to open long, 1 to close long): open long after "breakout" 2 times; close long after "breakdown".',
    ],
    [
      "a new alert",
      () => alert("POST", "", { agentId, name: 'a "quoted" one' }),
      String.raw`with the alert "a \"quoted\" one".`,
    ],
    [
      "an alert's name",
      () => alert("PUT", "breakout", { name: "breakdance" }),
      'the alert "breakout" is called "breakdance".',
    ],
    [
      "an alert gone",
      () => alert("DELETE", "breakdown"),
      'without the alert "breakdown" and what counts it alone.',
    ],
    [
      "a new rule",
      () => ({
        method: "POST",
        path: "/api/rules",
        body: { agentId, conditions: [{ alertName: "breakdown" }], action: "RESET_OPEN_LONG" },
      }),
      'with 1 rule (1 to reset open long): reset open long after "breakdown".',
    ],
    [
      "its exits ended",
      () => ({ method: "POST", path: `/api/agents/${agentId}/end-exits` }),
      "Stop closing the position of the agent",
    ],
  ])("is changed by %s only with a signature while it is on", async (_name, change, text) => {
    const before = await hashTables(database);
    const answer = await send(change(), token);
    expectAsked(answer);
    expect(answer.body.confirm.message).toContain(text);
    expect(await hashTables(database)).toEqual(before);
  });

  it("takes one signature for a whole save, and none for what keeps or tightens it", async () => {
    const whole = saveAll({ assetPair: "BTC-PERP", slippageTolerance: "1" });
    const proof = proofOf(await send(whole, token), wallet);
    expectAsked(
      await send(saveAll({ assetPair: "BTC-PERP", slippageTolerance: "2" }), token, proof),
    );
    expect((await send(whole, token, proof)).status).toBe(200);
    const tighter = saveAll({
      assetPair: "BTC-PERP",
      agentName: "Another name",
      slippageTolerance: "0.1",
      positionSizePercent: 10,
    });
    expect((await send(tighter, token)).status).toBe(200);
    expect((await send(turn("off"), token)).status).toBe(200);
  });

  it("shows rules that exchange their ids as changed", async () => {
    const { body: rules } = await server.send("GET", `/api/rules/${agentId}`, { token });
    const ids = rules.map(({ _id }: { _id: string }) => _id);
    const asSaved = draft.rules.map((rule, index) => ({ ...rule, id: ids[index] }));
    const swapped = draft.rules.map((rule, index) => ({ ...rule, id: ids[1 - index] }));
    expect((await send(withRules(asSaved), token)).status).toBe(200);
    expectAsked(await send(withRules(swapped), token));
  });

  it("is free while the agent is off, and whole in the text that turns it on", async () => {
    await set("off");
    expect((await send(saveAll({ assetPair: "BTC-PERP" }), token)).status).toBe(200);
    const asked = await send(turn("on"), token);
    expect(asked.body.confirm.message).toContain(
      'It trades BTC-PERP on drift (practice), interval "1h", slippage 0.5%, position size 100%, alerts up to 300 seconds old. Its 2 rules (1 to open long, 1 to close long): open long after "breakout" 2 times; close long after "breakdown".',
    );
    // What a thief prepares after the text was shown is not turned on with it
    expect((await send(saveAll({ assetPair: "ETH-PERP" }), token)).status).toBe(200);
    const proof = proofOf(asked, wallet);
    const again = await send(turn("on"), token, proof);
    expectAsked(again);
    expect(again.body.confirm.message).toContain("ETH-PERP on drift");
  });

  it("is signed before the first deposit, and changed only with a signature from then on", async () => {
    await set("off");
    const deposit = { intent: "deposit", agentId, amount: "8.2" };
    const asked = await send({ method: "POST", path: "/api/tx/prepare", body: deposit }, token);
    expectAsked(asked);
    expect(asked.body.confirm.message).toMatch(
      /^Turn on auto-trade of the agent "[^"]+" with its first deposit\. It trades SOL-PERP on drift/m,
    );
    await database.pool.query(
      "update custody_transactions set intent = 'deposit', settled_at = null, state = 'prepared' where agent_id = $1",
      [agentId],
    );
    expectAsked(await send(saveAll({ assetPair: "BTC-PERP" }), token));
    await database.pool.query("delete from custody_transactions where agent_id = $1", [agentId]);
  });

  it("is judged again under the agent's lock, so that no save slips in as it is turned on", async () => {
    await set("off");
    const holder = await database.pool.connect();
    try {
      await holder.query("begin");
      await holder.query("select from lanes where agent_id = $1 for update", [agentId]);
      const saving = send(saveAll({ assetPair: "BTC-PERP" }), token);
      await expect
        .poll(async () => {
          const waiting = await database.pool.query(
            "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
          );
          return waiting.rowCount;
        })
        .toBe(1);
      await holder.query("update agents set auto_trade = 'on' where id = $1", [agentId]);
      await holder.query("commit");
      const answer = await saving;
      expect([answer.status, answer.body.code]).toEqual([409, "agent_changed"]);
    } finally {
      holder.release();
    }
  });

  it("names what opens first, with counts, however many rules hide it", async () => {
    const closing = Array.from({ length: 39 }, (_, at) => ({
      action: "CLOSE_LONG",
      conditions: [{ alertName: "breakdown", requiredCount: at + 2 }],
    }));
    const opening = { action: "OPEN_SHORT", conditions: [{ alertName: "breakout" }] };
    const { body } = await send(withRules([...draft.rules, ...closing, opening]), token);
    expect(body.confirm.message).toContain(
      'with 40 rules (1 to open short, 39 to close long): open short after "breakout"; close long after "breakdown" 2 times',
    );
    expect(body.confirm.message).toContain('close long after "breakdown" 40 times.');
  });

  it("is refused where the wallet's window would not show all of it", async () => {
    const names = Array.from({ length: 60 }, (_, index) => `${"n".repeat(90)} ${index}`);
    const before = await hashTables(database);
    const answer = await send(
      {
        method: "PUT",
        path: `/api/agents/update-complete-agent/${agentId}`,
        body: { ...draft, alerts: [...draft.alerts, ...names.map((name) => ({ name }))] },
      },
      token,
    );
    expect([answer.status, answer.body.code]).toEqual([422, "validation_failed"]);
    expect(answer.body.message).toMatch(
      /^The wallet would have to sign \d+ characters, and 4000 is/,
    );
    expect(await hashTables(database)).toEqual(before);
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

  it("that was used confirms nothing again, nor in another session", async () => {
    const first = await freshSession();
    const proof = proofOf(await send(rotate(), first.token), wallet);
    const answers = await Promise.all([
      send(rotate(), first.token, proof),
      send(rotate(), first.token, proof),
    ]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 403]));
    expectAsked(await send(rotate(), (await freshSession()).token, proof));
  });
});
