import { readyFigures } from "../../../test/readiness-figures.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/database.ts";
import { buildCompleteDraft } from "../../../test/drafts.ts";
import { buildNetworks } from "../../../test/networks.ts";
import { useServer } from "../../../test/server.ts";
import { hashTables } from "../../../test/table-hashes.ts";
import { proofOf, signIn, type SignedIn } from "../../../test/wallet.ts";

const database = useDatabase();
const server = useServer(database, { networks: buildNetworks(["paper", "practice", "devnet"]) });

const READY = readyFigures();

let owner: SignedIn;
let agentId: string;

beforeEach(async () => {
  owner = await signIn(server);
  const plan = { stop: { at: { percent: 5 } } };
  const draft = buildCompleteDraft({
    agent: { agentName: "Dip", network: "paper", positionSizePercent: 60, plan },
  });
  const made = await send("POST", "/api/agents/create-complete-agent", draft);
  expect(made.status).toBe(201);
  agentId = made.body.agent.botId;
});

const send = (method: string, path: string, body?: object, proof?: string, who = owner) =>
  server.send(method, path, {
    token: who.token,
    ...(body && { body }),
    ...(proof !== undefined && { headers: { "x-wheelhouse-confirmation": proof } }),
  });

const live = (figures: object = {}, changes: object = {}, proof?: string) =>
  send(
    "POST",
    `/api/agents/${agentId}/go-live`,
    { name: "Dip live", network: "devnet", figures: { ...READY, ...figures }, ...changes },
    proof,
  );

const readiness = async () => (await send("GET", `/api/agents/${agentId}/readiness`)).body;

describe("going live", () => {
  it("makes an agent on the real network from the same rules and plan, small, off and without money", async () => {
    await database.pool.query("update agents set owner_limits = $1 where id = $2", [
      JSON.stringify({ tradesPerDay: 4, dayLossBps: null }),
      agentId,
    ]);
    const made = await live();
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      agentName: "Dip live",
      network: "devnet",
      positionSizePercent: 10,
      limits: { dayLossBps: 1_000, tradesPerDay: 4 },
      tradingStatus: "off",
      plan: { stop: { at: { percent: 5 } } },
    });
    expect(made.body.number).toBeUndefined();
    expect(made.body.squadsMultisig).toBeUndefined();
    const setUp = async (id: string) => {
      const [alerts, rules] = await Promise.all(
        ["alerts", "rules"].map((what) => send("GET", `/api/${what}/${id}`)),
      );
      return JSON.stringify([alerts?.body, rules?.body]).replaceAll(
        /"(id|_id|botId|agentId|updatedAt|createdAt)":"[^"]*"/g,
        "",
      );
    };
    expect(await setUp(made.body.botId)).toBe(await setUp(agentId));
    const { live: copies } = await readiness();
    expect(copies).toMatchObject([
      { agentId: made.body.botId, name: "Dip live", network: "devnet" },
    ]);
    const back = await send("GET", `/api/agents/${made.body.botId}/readiness`);
    expect(back.body.twin).toMatchObject({ agentId, name: "Dip", network: "paper" });
  });

  it("below the bar has the wallet sign what is missing, and does nothing before", async () => {
    const before = await hashTables(database);
    const figures = { days: 3, trades: 2, luck: null };
    const asked = await live(figures);
    expect([asked.status, asked.body.code]).toEqual([403, "confirmation_needed"]);
    expect(asked.body.confirm.message).toContain(
      'Make an agent on devnet from the agent "Dip" although it is below your bar. Missing: lived: 3 of 14 days, 2 of 20 closed trades; overfit: too little history to tell its result from luck.',
    );
    expect(await hashTables(database)).toEqual(before);
    // The signature is over these figures and no others
    const other = await live({ ...figures, days: 4 }, {}, proofOf(asked, owner));
    expect(other.status).toBe(403);
    const again = await live(figures);
    expect((await live(figures, {}, proofOf(again, owner))).status).toBe(201);
    const { rows } = await database.pool.query("select below from live_copies where twin_id = $1", [
      agentId,
    ]);
    expect(rows[0].below).toContain("lived: 3 of 14 days");
  });

  it("holds the figures against the owner's own bar", async () => {
    const bar = { days: 30, trades: 5, fallPercent: 20, matchedPercent: 95, luckPercent: 95 };
    expect((await readiness()).bar.days).toBe(14);
    expect((await send("PUT", "/api/readiness-bar", { bar })).body).toEqual(bar);
    expect((await readiness()).bar).toEqual(bar);
    expect((await live()).body.code).toBe("confirmation_needed");
    await send("PUT", "/api/readiness-bar", { bar: { ...bar, days: 20 } });
    expect((await live()).status).toBe(201);
    // Another owner's stays
    const stranger = await signIn(server);
    expect(
      (await send("GET", `/api/agents/${agentId}/readiness`, undefined, undefined, stranger))
        .status,
    ).toBe(404);
  });

  it.each([
    ["a network with play money", { network: "practice" }, 422, "validation_failed"],
    ["a network that is not enabled", { network: "mainnet" }, 422, "network_disabled"],
    ["its own name", { name: "Dip" }, 409, "agent_already_exists"],
    ["a figure that is text", { figures: { ...READY, days: "20" } }, 422, undefined],
  ])("refuses %s", async (_, changes, status, code) => {
    const answer = await live({}, changes);
    expect([answer.status, code === undefined ? code : answer.body.code]).toEqual([status, code]);
  });

  it("refuses an agent that is live already", async () => {
    const { body } = await live();
    agentId = body.botId;
    expect((await live({}, { name: "Again" })).body).toMatchObject({ code: "conflict" });
  });
});

describe("what was recorded of the machine", () => {
  it("counts alerts that came too late and exits that took longer than a minute", async () => {
    const event = (reason: string | null) =>
      database.pool.query(
        `insert into alert_events (id, agent_id, alert_name, received_at, outcome, reason)
         values (gen_random_uuid(), $1, 'a', now(), 'denied', $2)`,
        [agentId, reason],
      );
    for (const reason of ["bar_missed", "stale_signal", "trading_off", null]) await event(reason);
    const exit = (id: string, seconds: number) =>
      database.pool.query(
        `insert into exits (id, agent_id, market_id, side, asked_by, asked_at, state, next_attempt_at, limit_bps, ended_at)
         values ($1, $2, 'SOL-PERP', 'long', 'alert', now(), 'done', now(), 50, now() + $3 * interval '1 second')`,
        [`${agentId}${id}`, agentId, seconds],
      );
    await exit("1", 59);
    await exit("2", 61);
    expect(await readiness()).toMatchObject({ missedAlerts: 2, waitedExits: 1, live: [] });
  });

  it("names the times without prices of its asset on paper, since it was made", async () => {
    const gap = (asset: string, from: string, to: string) =>
      database.pool.query("insert into price_gaps values ($1, $2, $3)", [asset, from, to]);
    await database.pool.query("update agents set created_at = '2026-11-20T00:00Z' where id = $1", [
      agentId,
    ]);
    await gap("SOL", "2026-11-19T08:00:00Z", "2026-11-19T09:00:00Z");
    await gap("SOL", "2026-11-20T08:00:00Z", "2026-11-20T18:00:00Z");
    await gap("BTC", "2026-11-20T08:00:00Z", "2026-11-20T18:00:00Z");
    const expected = [{ from: "2026-11-20T08:00:00.000Z", to: "2026-11-20T18:00:00.000Z" }];
    expect((await readiness()).withoutPrices).toEqual(expected);
    await database.pool.query("update agents set network = 'practice' where id = $1", [agentId]);
    expect((await readiness()).withoutPrices).toEqual([]);
  });
});
