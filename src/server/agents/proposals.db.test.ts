import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/database.ts";
import { buildCompleteDraft } from "../../../test/drafts.ts";
import { useServer } from "../../../test/server.ts";
import { hashTables } from "../../../test/table-hashes.ts";
import { proofOf, sendConfirmed, signIn, type SignedIn } from "../../../test/wallet.ts";
import { type ObjectIds, seedObjects } from "../../../test/world.ts";
import type { Answer } from "../../../test/server.ts";
import { MAX_OPEN_PROPOSALS } from "../../contract/proposals.ts";

const MINUTE_MS = 60_000;

const database = useDatabase();
const server = useServer(database);
let owner: SignedIn;
let ids: ObjectIds;

beforeEach(async () => {
  owner = await signIn(server);
  ids = await seedObjects(server, owner);
});

type Draft = Parameters<typeof buildCompleteDraft>[0];

const propose = (changes: Draft, more: object = {}, by = owner) =>
  server.send("POST", "/api/proposals", {
    token: by.token,
    body: { draft: buildCompleteDraft(changes), ...more },
  });

/** The proposer, named by the session. */
const pageChat = () => {
  const at = new Date(server.clock.now()).toISOString();
  return `The page's chat, in a browser signed in on ${at.slice(0, 10)} at ${at.slice(11, 16)} UTC`;
};

const NEW: Draft = { agent: { agentName: "Proposed" } };
const WIDER: Draft = { agent: { slippageTolerance: "2" } };

const made = async (changes: Draft = NEW, more: object = {}) => {
  const { status, body } = await propose(changes, more);
  expect(status).toBe(201);
  return body as { id: string; digest: string };
};

const addressOf = ({ id }: { id: string }) => `/api/proposals/${id}/approve`;

const approve = (of: { id: string; digest: string }, by = owner): Promise<Answer> =>
  sendConfirmed(server, by, "POST", addressOf(of), { digest: of.digest });

/** Returns the text that the wallet is shown, and what sends the approval signed. */
const asked = async (of: { id: string; digest: string }) => {
  const call = { token: owner.token, body: { digest: of.digest } };
  const answer = await server.send("POST", addressOf(of), call);
  expect([answer.status, answer.body.code]).toEqual([403, "confirmation_needed"]);
  const headers = { "x-wheelhouse-confirmation": proofOf(answer, owner) };
  return {
    text: answer.body.confirm.message as string,
    send: () => server.send("POST", addressOf(of), { ...call, headers }),
  };
};

const agents = async () => {
  const { rows } = await database.pool.query<{ name: string; slippage_bps: number }>(
    "select name, slippage_bps from agents where owner = $1 order by name",
    [owner.address],
  );
  return rows.map(({ name, slippage_bps: bps }) => `${name} ${bps}`);
};

const NOT_DONE = ["Agent ** SOL-1h 50"];

describe("A proposal", () => {
  it("does nothing until the wallet signed all of it, and then exactly that", async () => {
    const of = await made();
    expect(await agents()).toEqual(NOT_DONE);
    const { text, send } = await asked(of);
    expect(text).toContain(`Create the agent "Proposed", as "${pageChat()}" proposed.`);
    expect(text).toContain("It trades SOL-PERP on drift (practice)");
    expect(text).toContain('open long after "breakout" 2 times');
    expect(text).toContain(of.digest);
    expect(await agents()).toEqual(NOT_DONE);
    const saved = await send();
    expect([saved.status, saved.body.agentName]).toEqual([200, "Proposed"]);
    expect(await agents()).toEqual([...NOT_DONE, "Proposed 50"]);
    const list = await server.send("GET", "/api/proposals", { token: owner.token });
    expect(list.body).toEqual([]);
  });

  it("changes an agent as it is shown, and is written down with the assistant's name", async () => {
    const of = await made(WIDER, { agentId: ids.agent });
    const { text, send } = await asked(of);
    expect(text).toContain("slippage 2%");
    expect((await send()).status).toBe(200);
    expect(await agents()).toEqual(["Agent ** SOL-1h 200"]);
    const { rows } = await database.pool.query(
      "select action, detail->>'assistant' as by from audit_log where object = $1 and action like 'proposal%' order by seq",
      [ids.agent],
    );
    const by = pageChat();
    expect(rows).toEqual([
      { action: "proposal_made", by },
      { action: "proposal_approved", by },
    ]);
  });

  it("names its plan in what is signed, and saves it; without one the agent's own stays", async () => {
    const plan = { stop: { at: { percent: 3 } } };
    const of = await made({ agent: { plan } }, { agentId: ids.agent });
    const { text, send } = await asked(of);
    expect(text).toContain("Plan: ");
    const saved = await send();
    expect([saved.status, saved.body.plan]).toEqual([200, plan]);
    const later = await made(WIDER, { agentId: ids.agent });
    expect((await asked(later)).text).toContain("Plan: ");
    expect((await approve(later)).body.plan).toEqual(plan);
    const wide = await propose({
      agent: { plan: { targets: [{ at: { percent: 4 }, close: 101 }] } },
    });
    expect(wide.status).toBe(422);
  });

  it("ends with the session that made it, however that ends, and names when it was opened", async () => {
    const list = async () =>
      (await server.send("GET", "/api/proposals", { token: owner.token })).body as {
        assistant: string;
      }[];
    const openedAs = pageChat();
    const thief = await signIn(server, owner);
    await propose(NEW, {}, thief);
    expect((await list()).map(({ assistant }) => assistant)).toEqual([openedAs]);
    server.clock.advance(MINUTE_MS);
    const of = await made(WIDER, { agentId: ids.agent });
    await server.send("POST", "/api/auth/logout", {
      token: thief.token,
      headers: { "x-wheelhouse": "1" },
    });
    expect(await list()).toMatchObject([{ assistant: openedAs, agentId: ids.agent }]);
    await server.send("POST", "/api/auth/sign-out-everywhere", { token: owner.token, body: {} });
    owner = await signIn(server, owner);
    expect(await list()).toEqual([]);
    expect((await approve(of)).status).toBe(409);
  });

  it("is refused once it has expired", async () => {
    const of = await made(NEW, { minutes: 10 });
    server.clock.advance(9 * MINUTE_MS);
    owner = await signIn(server, owner);
    const { send } = await asked(of);
    server.clock.advance(MINUTE_MS);
    const late = await send();
    expect([late.status, late.body.code]).toEqual([409, "conflict"]);
    expect((await approve(of)).status).toBe(409);
    expect(await agents()).toEqual(NOT_DONE);
  });

  it("is refused with another digest, and once a byte of it was altered where it is stored", async () => {
    const of = await made();
    const other = await approve({ ...of, digest: "0".repeat(64) });
    expect([other.status, other.body.message]).toEqual([
      409,
      "This is not what was proposed. Nothing was done.",
    ]);
    const { send } = await asked(of);
    await database.pool.query(
      "update proposals set change = replace(change, 'SOL-PERP', 'BTC-PERP') where id = $1",
      [of.id],
    );
    expect((await send()).status).toBe(409);
    expect((await approve(of)).status).toBe(409);
    expect(await agents()).toEqual(NOT_DONE);
  });

  it("is done once, however often and at once it is approved", async () => {
    const of = await made(WIDER, { agentId: ids.agent });
    const approvals = await Promise.all([asked(of), asked(of), asked(of)]);
    const answers = await Promise.all(approvals.map(({ send }) => send()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(2);
    const [first] = approvals;
    expect((await first!.send()).status).toBe(409);
    const { rows } = await database.pool.query(
      "select 1 from audit_log where action = 'proposal_approved' and object = $1",
      [ids.agent],
    );
    expect(rows).toHaveLength(1);
  });

  it("is refused where the agent was changed since", async () => {
    const of = await made(WIDER, { agentId: ids.agent });
    server.clock.advance(1_000);
    const path = `/api/agents/update-complete-agent/${ids.agent}`;
    const body = buildCompleteDraft({ agent: { agentName: "Renamed" } });
    expect((await server.send("PUT", path, { token: owner.token, body })).status).toBe(200);
    const late = await approve(of);
    expect([late.status, late.body.code]).toEqual([409, "agent_changed"]);
    expect(await agents()).toEqual(["Renamed 50"]);
  });

  it("is another owner's neither to see, nor to approve, nor to decline, nor to make", async () => {
    const of = await made(WIDER, { agentId: ids.agent });
    const other = await signIn(server);
    const before = await hashTables(database);
    const list = await server.send("GET", "/api/proposals", { token: other.token });
    expect(list.body).toEqual([]);
    expect((await approve(of, other)).status).toBe(409);
    const declined = await server.send("POST", `/api/proposals/${of.id}/decline`, {
      token: other.token,
    });
    expect(declined.status).toBe(404);
    expect((await propose(WIDER, { agentId: ids.agent }, other)).status).toBe(404);
    expect(await hashTables(database)).toEqual(before);
  });

  it("ends when it is declined", async () => {
    const of = await made();
    const path = `/api/proposals/${of.id}/decline`;
    expect((await server.send("POST", path, { token: owner.token })).status).toBe(204);
    expect((await approve(of)).status).toBe(409);
  });

  it("is refused where it could not be saved, or sets what the owner is not shown", async () => {
    const unknown = await propose({ agent: { assetPair: "NOPE" } });
    expect([unknown.status, unknown.body.code]).toEqual([422, "market_unknown"]);
    const hidden = await propose({ agent: { buyReportPrompt: "Say what I say" } });
    expect([hidden.status, hidden.body.message]).toEqual([
      422,
      "A proposal cannot set buyReportPrompt: do that in the agent's form.",
    ]);
  });

  it("is refused where the wallet's window would end before what it opens", async () => {
    const before = await hashTables(database);
    const closing = Array.from({ length: 39 }, (_, at) => ({
      action: "CLOSE_LONG",
      conditions: [{ alertName: "n".repeat(100), requiredCount: at + 1 }],
    }));
    const hidden = await propose({
      ...NEW,
      alerts: [{ name: "n".repeat(100) }, { name: "up" }],
      rules: [...closing, { action: "OPEN_SHORT", conditions: [{ alertName: "up" }] }],
    } as never);
    expect([hidden.status, hidden.body.code]).toEqual([422, "validation_failed"]);
    expect(hidden.body.message).toContain("4000 is the most an owner is asked to read");
    expect(await hashTables(database)).toEqual(before);
  });

  it(`is one of at most ${MAX_OPEN_PROPOSALS} open ones`, async () => {
    const answers = await Promise.all(
      Array.from({ length: MAX_OPEN_PROPOSALS + 5 }, (_, at) =>
        propose({ ...NEW, agent: { ...NEW.agent, agentName: `Proposed ${at}` } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(MAX_OPEN_PROPOSALS);
    expect(answers.find(({ status }) => status !== 201)?.body.code).toBe("quota_exceeded");
  });

  it("is stored once, however often it is made, until it has ended", async () => {
    const [first, again] = [await propose(NEW), await propose(NEW)];
    expect([again.status, again.body]).toEqual([201, first.body]);
    await server.send("POST", `/api/proposals/${first.body.id}/decline`, { token: owner.token });
    const later = await propose(NEW);
    expect([later.status, later.body.id === first.body.id]).toEqual([201, false]);
    const other = await propose({ ...NEW, agent: { ...NEW.agent, agentName: "Another" } });
    expect(other.body.id).not.toBe(later.body.id);
    const list = await server.send("GET", "/api/proposals", { token: owner.token });
    expect(list.body).toHaveLength(2);
  });

  it("tells the owner where notices go", async () => {
    await database.pool.query(
      `insert into notice_channels (id, owner, kind, label, target, events, created_at)
       values ('c', $1, 'webhook', 'x', '', '{proposal_made}', now())`,
      [owner.address],
    );
    await made();
    const { rows } = await database.pool.query("select kind, facts from notice_events");
    expect(rows).toEqual([
      {
        kind: "proposal_made",
        facts: { agent: "Proposed", assistant: pageChat() },
      },
    ]);
  });
});

describe("A proposed act", () => {
  const act = async (what: object, by = owner) =>
    server.send("POST", "/api/proposals", {
      token: by.token,
      body: { agentId: ids.agent, act: what },
    });
  const limits = { dayLossBps: 500, tradesPerDay: 20 };
  const stored = async () => {
    const { rows } = await database.pool.query<{ owner_limits: object; buy_report_prompt: string }>(
      "select owner_limits, buy_report_prompt from agents where id = $1",
      [ids.agent],
    );
    return rows[0];
  };

  it("sets limits once the wallet has signed all of them, tighter ones too", async () => {
    const { status, body } = await act({ kind: "limits", limits });
    expect([status, body.act, body.draft]).toEqual([201, { kind: "limits", limits }, undefined]);
    const { text, send } = await asked(body);
    expect(text).toContain("largest loss a day from no limit to 5%");
    expect(text).toContain("losses in a row before a pause stays no limit");
    expect(text).toContain(`SHA-256 of the proposal: ${body.digest}`);
    expect((await send()).status).toBe(200);
    expect((await stored())?.owner_limits).toMatchObject(limits);
    expect((await approve(body)).status).toBe(409);
  });

  it("replaces the texts of hypotheses, and ends with the change", async () => {
    const texts = { buyReportPrompt: "Why buy?", sellReportPrompt: "Why sell?" };
    const { body } = await act({ kind: "prompts", ...texts });
    expect((await asked(body)).text).toContain('For buys: "Why buy?". For sells: "Why sell?".');
    expect((await approve(body)).status).toBe(200);
    expect((await stored())?.buy_report_prompt).toBe("Why buy?");
    expect((await approve(body)).status).toBe(409);
  });

  it("is of an agent of the owner's, and stands alone", async () => {
    const other = await signIn(server);
    expect((await act({ kind: "limits", limits }, other)).status).toBe(404);
    const draft = buildCompleteDraft(NEW);
    const both = { agentId: ids.agent, draft, act: { kind: "limits", limits } };
    const whose = [
      { act: { kind: "limits", limits } },
      { agentId: ids.agent, act: { kind: "stop_all" } },
    ];
    for (const body of [both, { agentId: ids.agent }, ...whose]) {
      const answer = await server.send("POST", "/api/proposals", { token: owner.token, body });
      expect([answer.status, answer.body.message]).toEqual([
        422,
        "Propose either a draft, or an act of an agent. Only stop_all is of all agents and names none.",
      ]);
    }
  });

  const MONEY = [
    [
      { kind: "deposit", amount: "200" },
      'deposit 200 USDC from this wallet into the vault of the agent "Agent ** SOL-1h"',
    ],
    [
      { kind: "withdraw", amount: "8.5" },
      'withdraw 8.5 USDC from the agent "Agent ** SOL-1h" to this wallet',
    ],
    [{ kind: "delete" }, 'delete the agent "Agent ** SOL-1h" with its rules, its log and its chat'],
  ] as const;

  it.each(MONEY)(
    "%o is signed and agreed to once, and moves and deletes nothing itself",
    async (what, words) => {
      const { status, body } = await act(what);
      expect([status, body.act]).toEqual([201, what]);
      const approvals = await Promise.all([asked(body), asked(body), asked(body)]);
      expect(approvals[0]?.text).toContain(words);
      expect(approvals[0]?.text).toContain(`SHA-256 of the proposal: ${body.digest}`);
      const before = await hashTables(database);
      const answers = await Promise.all(approvals.map(({ send }) => send()));
      expect(answers.map(({ status: each }) => each).toSorted((a, b) => a - b)).toEqual([
        200, 409, 409,
      ]);
      // Who locks a lane raises its version
      const same = { audit_log: "", lanes: "", proposals: "", used_nonces: "" };
      expect({ ...(await hashTables(database)), ...same }).toEqual({ ...before, ...same });
      const { rows } = await database.pool.query(
        "select detail->>'assistant' as by, detail->>'intent' as intent from audit_log where action = 'proposal_approved' and object = $1",
        [ids.agent],
      );
      expect(rows).toEqual([{ by: pageChat(), intent: what.kind }]);
    },
  );

  it.each(MONEY)("%o is refused once its agent was changed or it has expired", async (what) => {
    const late = (await act(what)).body;
    server.clock.advance(1_000);
    const path = `/api/agents/update-complete-agent/${ids.agent}`;
    const draft = buildCompleteDraft({ agent: { agentName: "Renamed" } });
    const saved = await server.send("PUT", path, { token: owner.token, body: draft });
    expect(saved.status).toBe(200);
    const answer = await approve(late);
    expect([answer.status, answer.body.code]).toEqual([409, "agent_changed"]);
    const fresh = (await act(what)).body;
    server.clock.advance(24 * 60 * MINUTE_MS);
    owner = await signIn(server, owner);
    expect((await approve(fresh)).body.code).toBe("conflict");
  });

  it("takes nothing from an agent that is on, and no amount that cannot be paid", async () => {
    for (const amount of ["0", "1.1234567"]) {
      const answer = await act({ kind: "deposit", amount });
      expect([answer.status, answer.body.code]).toEqual([422, "amount_invalid"]);
    }
    const early = (await act({ kind: "delete" })).body;
    await database.pool.query("update agents set auto_trade = 'on' where id = $1", [ids.agent]);
    for (const what of [{ kind: "withdraw", amount: "1" }, { kind: "delete" }]) {
      expect((await act(what)).body.code).toBe("withdraw_while_on");
    }
    expect((await approve(early)).body.code).toBe("withdraw_while_on");
  });

  it("that was altered where it is stored is refused", async () => {
    const { body } = await act({ kind: "limits", limits });
    await database.pool.query(
      "update proposals set change = replace(change, '500', '900') where id = $1",
      [body.id],
    );
    expect((await approve(body)).status).toBe(409);
    expect((await stored())?.owner_limits).not.toMatchObject({ dayLossBps: 900 });
  });
});
