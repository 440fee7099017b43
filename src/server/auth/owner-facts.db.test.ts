import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/database.ts";
import { buildCompleteDraft } from "../../../test/drafts.ts";
import { useFullServer } from "../../../test/full-server.ts";
import {
  createEnvelopeWallet,
  proofOf,
  sendConfirmed,
  signIn,
  type SignedIn,
} from "../../../test/wallet.ts";
import { seedObjects } from "../../../test/world.ts";
import { ownerText } from "../../domain/owner-text.ts";
import { isSignedBy } from "./wallet-key.ts";

const MULTISIG = "GSjWrP25HdLdo7RQiZgLRAVctM1ZjpkXa2y3h9SPZcJS";
const VAULT = "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin";
const KEY = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T";

const database = useDatabase();
const server = useFullServer(database);
let wallet: SignedIn;
let agentId: string;

const facts = async () =>
  (await server.send("GET", `/api/agents/${agentId}/owner-facts`, { token: wallet.token })).body;

const call = (method: string, path: string, body?: unknown) =>
  sendConfirmed(server, wallet, method, path, body);

const turn = (tradingStatus: "on" | "off") =>
  call("PUT", `/api/agents/${agentId}/trading-status`, { tradingStatus });

const save = (changes: object) =>
  call("PUT", `/api/agents/save-or-update-agent/${agentId}`, {
    agent: buildCompleteDraft({ agent: changes }).agent,
  });

const set = (text: string) => database.pool.query(`update agents set ${text}`);

beforeAll(async () => {
  wallet = await signIn(server);
  agentId = (await seedObjects(server, wallet)).agent;
  await database.pool.query("delete from custody_transactions");
  await database.pool.query(
    `insert into multisigs (agent_id, multisig, vault, create_key, delegate, members, threshold, status, delegated, created_at)
     values ($1, $2, $3, $4, $4, $5, 1, 'active', true, now())`,
    [agentId, MULTISIG, VAULT, KEY, [wallet.address]],
  );
});

beforeEach(async () => {
  await set("auto_trade = 'off', sub_account_id = 0, slippage_bps = 50");
  await database.pool.query("delete from owner_facts");
});

describe("what an owner signed about an agent", () => {
  it("is kept with the signature over its text, which names market, slippage, limits and custody", async () => {
    await call("PUT", `/api/agents/${agentId}/limits`, { limits: { tradesPerDay: 5 } });
    expect((await turn("on")).status).toBe(200);
    const [fact, ...rest] = await facts();
    expect(rest).toEqual([]);
    expect(fact).toMatchObject({ kind: "signed", wallet: wallet.address });
    expect(fact.parts.pinned).toEqual({
      agentId,
      network: "practice",
      venue: "drift",
      marketId: "SOL-PERP",
      interval: "1h",
      autoTrade: "on",
      slippageBps: 50,
      positionSizePercent: 100,
      maxSignalAgeSeconds: 300,
      limits: {
        dayLossBps: null,
        fallBps: null,
        tradesPerDay: 5,
        lossesInRow: null,
        assetShareBps: null,
      },
      custody: { multisig: MULTISIG, vault: VAULT, tradingKey: KEY },
    });
    expect(fact.text).toBe(ownerText(fact.parts));
    await database.pool
      .query(`insert into owner_facts (agent_id, kind, at, nonce, wallet, text, signature, parts)
      select agent_id, kind, at, nonce || n, wallet, text, signature, parts from owner_facts, generate_series(1, 99) as n`);
    await set("auto_trade = 'off'");
    expect(await turn("on")).toMatchObject({ status: 409, body: { code: "quota_exceeded" } });
    for (const named of [
      "SOL-PERP on drift",
      "Slippage: 0.5%",
      "trades a day 5",
      MULTISIG,
      VAULT,
      KEY,
    ])
      expect(fact.text).toContain(named);
    expect(isSignedBy(wallet.address, Buffer.from(fact.text), fact.signature)).toBe(true);
  });

  it("is taken from a hardware wallet, which signs its envelope", async () => {
    const hardware = await signIn(server, createEnvelopeWallet());
    const path = `/api/agents/${(await seedObjects(server, hardware)).agent}`;
    const limits = { limits: { tradesPerDay: 3 } };
    expect((await sendConfirmed(server, hardware, "PUT", `${path}/limits`, limits)).status).toBe(
      200,
    );
    const loosened = { limits: { tradesPerDay: 4 } };
    const changed = await sendConfirmed(server, hardware, "PUT", `${path}/limits`, loosened);
    expect(changed.status).toBe(200);
    const { body } = await server.send("GET", `${path}/owner-facts`, { token: hardware.token });
    expect(body).toMatchObject([{ kind: "signed", wallet: hardware.address }]);
  });

  it("is followed by turning off, whoever turns the agent off", async () => {
    await turn("on");
    expect((await turn("off")).status).toBe(200);
    await turn("on");
    await set("auto_trade = 'off'");
    expect((await facts()).map(({ kind }: { kind: string }) => kind)).toEqual([
      "off",
      "signed",
      "off",
      "signed",
    ]);
  });

  it("is followed by the withdrawal of a trading key", async () => {
    await database.pool.query("update multisigs set key_revoked_at = now()");
    await database.pool.query("update multisigs set key_revoked_at = now()");
    expect(await facts()).toMatchObject([{ kind: "key_withdrawn", tradingKey: KEY }]);
    await database.pool.query("update multisigs set key_revoked_at = null");
  });

  it("holds the terms after a change of an agent that is on, and of one that stays off", async () => {
    await turn("on");
    expect((await save({ slippageTolerance: "2", assetPair: "BTC-PERP" })).status).toBe(200);
    const [on] = await facts();
    expect(on.parts.pinned).toMatchObject({
      autoTrade: "on",
      marketId: "BTC-PERP",
      slippageBps: 200,
    });
    await call("PUT", `/api/agents/${agentId}/limits`, { limits: {} });
    const [loosened] = await facts();
    expect(loosened.parts.pinned).toMatchObject({
      autoTrade: "on",
      limits: { tradesPerDay: null },
    });
    await set("auto_trade = 'off'");
    expect((await save({ slippageTolerance: "3" })).status).toBe(200);
    const [off] = await facts();
    expect(off.parts.pinned).toMatchObject({ autoTrade: "off", slippageBps: 300 });
  });

  it("is not kept for what tightens, for what pins nothing, and for a change that is refused", async () => {
    await turn("on");
    const before = await facts();
    expect((await save({ slippageTolerance: "0.1" })).status).toBe(200);
    expect((await call("POST", `/api/agents/${agentId}/webhook/rotate`)).status).toBe(200);
    const { updatedAt } = (await save({ slippageTolerance: "0.1" })).body;
    const stale = { agent: buildCompleteDraft({ agent: { slippageTolerance: "1" } }).agent };
    const refused = await call("PUT", `/api/agents/save-or-update-agent/${agentId}`, {
      ...stale,
      updatedAt: new Date(Date.parse(updatedAt) - 1).toISOString(),
    });
    expect(refused.status).toBe(409);
    expect(await facts()).toEqual(before);
  });

  it("is asked for again when the terms changed between the text and its signature", async () => {
    const path = `/api/agents/${agentId}/trading-status`;
    const { token } = wallet;
    const body = { tradingStatus: "on" };
    const asked = await server.send("PUT", path, { token, body });
    await set("slippage_bps = 500");
    const headers = { "x-wheelhouse-confirmation": proofOf(asked, wallet) };
    const answer = await server.send("PUT", path, { token, body, headers });
    expect(answer.body.code).toBe("confirmation_needed");
    expect(await facts()).toEqual([]);
  });

  it("includes a new trading key before its owner lets it trade on chain", async () => {
    await turn("on");
    const next = "8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR";
    await database.pool.query("update multisigs set delegate = $1, delegated = false", [next]);
    const body = { intent: "set-up", agentId };
    const ask = () => server.send("POST", "/api/tx/prepare", { token: wallet.token, body });
    const asked = await ask();
    expect(asked.body.confirm?.message).toContain(`Let the key ${next} trade for the agent`);
    expect(asked.body.confirm?.message).toContain(`Trading key: ${next}`);
    // Also where it never traded: the page takes no other key than a signed one
    await set("auto_trade = 'off', sub_account_id = null");
    const early = await ask();
    expect(early.body.confirm?.message).toContain(`Let the key ${next} trade for the agent`);
    expect(early.body.confirm?.message).toContain("Auto-trade: off");
    await set("sub_account_id = 0");
    await database.pool.query("update multisigs set delegate = $1, delegated = true", [KEY]);
    expect((await ask()).body.code).not.toBe("confirmation_needed");
  });
});
