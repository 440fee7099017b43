import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/database.ts";
import { buildCompleteDraft } from "../../../test/drafts.ts";
import { useServer } from "../../../test/server.ts";
import { signIn, type SignedIn } from "../../../test/wallet.ts";
import { newTestId } from "../../../test/world.ts";

describe("Alerts and rules", () => {
  const database = useDatabase();
  const server = useServer(database);
  let wallet: SignedIn;
  let agentId: string;

  beforeAll(async () => {
    wallet = await signIn(server);
  });

  beforeEach(async () => {
    const draft = buildCompleteDraft({
      agent: { agentName: `Agent ${newTestId()}` },
      rules: [],
    });
    const { body } = await send("POST", "/api/agents/create-complete-agent", draft);
    agentId = body.agent.botId;
  });

  const send = (method: string, path: string, body?: unknown) =>
    server.send(method, path, { token: wallet.token, ...(body === undefined ? {} : { body }) });

  const conditions = (...names: string[]) =>
    names.map((alertName) => ({ alertName, requiredCount: 3 }));

  const addRule = async (action: string, ...names: string[]) =>
    (await send("POST", "/api/rules", { agentId, action, conditions: conditions(...names) })).body;

  const listRules = async () => (await send("GET", `/api/rules/${agentId}`)).body;

  const countAll = () =>
    database.pool.query(
      "update rule_conditions set count = 2 where alert_id in (select id from alerts where agent_id = $1)",
      [agentId],
    );

  it("keeps the order of rules, and the counters of a rule saved unchanged", async () => {
    const open = await addRule("OPEN_LONG", "breakout", "breakdown");
    const close = await addRule("CLOSE_LONG", "breakdown");
    await countAll();
    const same = await send("PUT", `/api/rules/${open._id}`, {
      action: "OPEN_LONG",
      conditions: conditions("Breakdown", "BREAKOUT"),
    });
    expect(same.body.conditions).toEqual([
      { alertName: "breakout", requiredCount: 3, count: 2 },
      { alertName: "breakdown", requiredCount: 3, count: 2 },
    ]);
    const changed = await send("PUT", `/api/rules/${open._id}`, {
      action: "OPEN_LONG",
      conditions: conditions("breakout"),
    });
    expect(changed.body.conditions).toEqual([
      { alertName: "breakout", requiredCount: 3, count: 0 },
    ]);
    expect((await listRules()).map((rule: { _id: string }) => rule._id)).toEqual([
      open._id,
      close._id,
    ]);
  });

  it("requires an alert once by default (D04)", async () => {
    const { body } = await send("POST", "/api/rules", {
      agentId,
      action: "OPEN_LONG",
      conditions: [{ alertName: "breakout" }],
    });
    expect(body.conditions).toEqual([{ alertName: "breakout", requiredCount: 1, count: 0 }]);
    for (const requiredCount of [0, 61, 1.5, "3", -1]) {
      const answer = await send("POST", "/api/rules", {
        agentId,
        action: "OPEN_LONG",
        conditions: [{ alertName: "breakout", requiredCount }],
      });
      expect([requiredCount, answer.status, answer.body.code]).toEqual([
        requiredCount,
        422,
        "validation_failed",
      ]);
    }
  });

  it.each([
    ["rule_sides_conflict", "OPEN_SHORT", ["breakdown", "breakout"]],
    ["rule_conflict", "RESET_OPEN_LONG", ["breakout"]],
    ["alert_unknown", "CLOSE_LONG", ["nobody"]],
    ["validation_failed", "CLOSE_LONG", ["breakout", " BREAKOUT "]],
  ])("refuses a rule with %s (D07, D08)", async (code, action, names) => {
    await addRule("OPEN_LONG", "breakout", "breakdown");
    await addRule("RESET_OPEN_LONG", "breakdown");
    const answer = await send("POST", "/api/rules", {
      agentId,
      action,
      conditions: conditions(...names),
    });
    expect([answer.status, answer.body.code]).toEqual([422, code]);
    expect(await listRules()).toHaveLength(2);
  });

  it("carries a new alert name through the rules and keeps the counters", async () => {
    await addRule("OPEN_LONG", "breakout");
    await countAll();
    const renamed = await send("PUT", `/api/alerts/${agentId}/BreakOut`, { name: "Surge" });
    expect(renamed.body).toMatchObject({ name: "Surge", description: "" });
    expect((await listRules())[0].conditions).toEqual([
      { alertName: "Surge", requiredCount: 3, count: 2 },
    ]);
    const using = await send("GET", `/api/rules/${agentId}/by-alert/surge`);
    expect(using.body).toHaveLength(1);
    expect((await send("GET", `/api/rules/${agentId}/by-alert/breakout`)).status).toBe(404);
  });

  it("removes a deleted alert from its rules and resets them", async () => {
    await addRule("OPEN_LONG", "breakout", "breakdown");
    await addRule("CLOSE_LONG", "breakout");
    await countAll();
    expect((await send("DELETE", `/api/alerts/${agentId}/breakout`)).status).toBe(204);
    expect(await listRules()).toMatchObject([
      { action: "OPEN_LONG", conditions: [{ alertName: "breakdown", count: 0 }] },
    ]);
    expect((await send("DELETE", `/api/alerts/${agentId}/breakout`)).status).toBe(404);
  });

  it("deletes a rule", async () => {
    const rule = await addRule("OPEN_LONG", "breakout");
    expect((await send("DELETE", `/api/rules/${rule._id}`)).status).toBe(204);
    expect(await listRules()).toEqual([]);
    expect((await send("DELETE", `/api/rules/${rule._id}`)).status).toBe(404);
  });

  it.each(["a/b", "%2F", "by-alert", "?x=1", "100% sure", "naïve café", "ﬁsh", "#1"])(
    "an alert called %s survives a round trip through its address (D12)",
    async (name) => {
      const created = await send("POST", "/api/alerts", { agentId, name });
      expect(created.status).toBe(201);
      const path = `/api/alerts/${agentId}/${encodeURIComponent(name)}`;
      const updated = await send("PUT", path, { name, description: "found" });
      expect(updated.body).toEqual({ _id: created.body._id, name, description: "found" });
      expect((await send("DELETE", path)).status).toBe(204);
    },
  );

  it.each([
    ["alert_name_invalid", ".."],
    ["alert_name_invalid", "  "],
    ["alert_name_invalid", "break\u200Bout"],
    ["alert_name_invalid", `x${"\u0301".repeat(50)}`],
    ["alert_name_duplicate", " BREAKOUT "],
    ["validation_failed", "x".repeat(101)],
    ["validation_failed", "a\u0000b"],
  ])("refuses an alert name with %s: %j (D06, D13)", async (code, name) => {
    const answer = await send("POST", "/api/alerts", { agentId, name });
    expect([answer.status, answer.body.code]).toEqual([422, code]);
  });

  it("allows 100 alerts and 50 rules", async () => {
    const names = Array.from({ length: 98 }, (_value, index) => `alert ${index}`);
    for (const name of names) {
      expect((await send("POST", "/api/alerts", { agentId, name })).status).toBe(201);
    }
    expect((await send("POST", "/api/alerts", { agentId, name: "one more" })).status).toBe(422);
    for (const name of names.slice(0, 50)) await addRule("OPEN_LONG", name);
    const answer = await send("POST", "/api/rules", {
      agentId,
      action: "OPEN_LONG",
      conditions: conditions("breakout"),
    });
    expect(answer.status).toBe(422);
    expect(await listRules()).toHaveLength(50);
  });
});
