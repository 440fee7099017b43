import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/database.ts";
import { buildCompleteDraft } from "../../../test/drafts.ts";
import { useFullServer } from "../../../test/full-server.ts";
import { signIn, type SignedIn } from "../../../test/wallet.ts";
import type { AlertCondition } from "../../domain/condition/condition.ts";
import { listConditionAgents } from "../store/alerts/conditions.ts";

const DIP = {
  kind: "comparisons",
  all: [
    {
      left: { kind: "indicator", name: "RSI", output: "value", parameters: [14] },
      is: "crosses-above",
      right: { kind: "number", value: 29.75 },
    },
  ],
  session: { days: [1, 2, 3, 4, 5], fromUtc: "08:00", toUtc: "22:00" },
} as const satisfies AlertCondition;

const DAILY: AlertCondition = { kind: "time-of-day", atUtc: "08:00" };

describe("Conditions of alerts", () => {
  const database = useDatabase();
  const server = useFullServer(database);
  let wallet: SignedIn;
  let botId: string;

  beforeEach(async () => {
    wallet = await signIn(server);
    const { body } = await send("POST", "/api/agents/create-complete-agent", draft(DIP));
    botId = body.agent.botId;
  });

  const send = (method: string, path: string, body?: unknown) =>
    server.send(method, path, { token: wallet.token, ...(body === undefined ? {} : { body }) });

  const draft = (condition?: AlertCondition | null) =>
    buildCompleteDraft({
      alerts: [
        { name: "breakout", ...(condition === undefined ? {} : { condition }) },
        { name: "breakdown" },
      ],
    });

  const update = (condition?: AlertCondition | null) =>
    send("PUT", `/api/agents/update-complete-agent/${botId}`, draft(condition));

  const stored = async () => {
    const { body } = await send("GET", `/api/alerts/${botId}`);
    return body.map((alert: { name: string; condition?: unknown }) => [
      alert.name,
      alert.condition,
    ]);
  };

  const newestChange = async () => (await send("GET", `/api/agents/${botId}/changes`)).body[0];

  it("are stored and returned with the agent; an alert may have none", async () => {
    expect(await stored()).toEqual([
      ["breakout", DIP],
      ["breakdown", undefined],
    ]);
  });

  it("survive a save without them, and a rename", async () => {
    await update();
    expect((await newestChange()).fields).toEqual([]);
    const renamed = await send("PUT", `/api/alerts/${botId}/breakout`, { name: "dip" });
    expect(renamed.body).toMatchObject({ name: "dip", condition: DIP });
  });

  it("can be changed and removed, which the history shows", async () => {
    expect((await update(DAILY)).body.alerts[0].condition).toEqual(DAILY);
    expect((await newestChange()).fields).toEqual(["conditions"]);
    expect((await update(null)).body.alerts[0]).not.toHaveProperty("condition");
  });

  it("can be added and changed for single alerts", async () => {
    const made = await send("POST", "/api/alerts", {
      agentId: botId,
      name: "daily",
      condition: DAILY,
    });
    expect(made.body).toMatchObject({ name: "daily", condition: DAILY });
    const path = `/api/alerts/${botId}/daily`;
    expect((await send("PUT", path, { name: "daily", condition: DIP })).body.condition).toEqual(
      DIP,
    );
    expect(await newestChange()).toMatchObject({ what: "alert_updated", fields: ["conditions"] });
    const without = await send("PUT", path, { name: "daily", condition: null });
    expect(without.body).not.toHaveProperty("condition");
  });

  it("are listed for the evaluation by agent", async () => {
    const mine = (await listConditionAgents(server.deps.db)).find((each) => each.agentId === botId);
    expect(mine).toEqual({
      agentId: botId,
      owner: wallet.address,
      evaluatedTo: null,
      network: "practice",
      venue: "drift",
      marketId: "SOL-PERP",
      interval: "1h",
      autoTrade: "off",
      maxSignalAgeSeconds: 300,
      changedAt: new Date(server.clock.now()),
      alerts: [{ id: expect.any(String), name: "breakout", condition: DIP }],
    });
    await update(null);
    const listed = await listConditionAgents(server.deps.db);
    expect(listed.map((each) => each.agentId)).not.toContain(botId);
  });

  it("are refused with the name of the wrong field, and nothing is saved", async () => {
    const condition = { ...DIP, all: Array(5).fill(DIP.all[0]) };
    const answer = await update(condition);
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.fields)).toEqual(["alerts.0.condition.all"]);
    expect((await stored())[0]).toEqual(["breakout", DIP]);
  });

  it("on longer bars have to fit the agent's interval, in every call", async () => {
    const on = (interval: string) =>
      ({
        ...DIP,
        all: [{ ...DIP.all[0], left: { ...DIP.all[0].left, on: { interval } } }],
      }) as const;
    const wrong =
      "The longer interval is a multiple of the agent's, above a day in whole days: 90m is not.";
    const whole = await update(on("90m"));
    expect([whole.status, whole.body.fields]).toEqual([
      422,
      { "alerts.0.condition.all.0.left.on": wrong },
    ]);
    const path = `/api/alerts/${botId}/breakout`;
    const one = await send("PUT", path, { name: "breakout", condition: on("90m") });
    expect([one.status, one.body.fields]).toEqual([422, { "condition.all.0.left.on": wrong }]);
    const fits = await send("PUT", path, { name: "breakout", condition: on("3h") });
    expect(fits.body.condition).toEqual(on("3h"));
    // The agent's interval is changed and the alerts are kept as they are
    const kept = draft();
    const moved = { ...kept, agent: { ...kept.agent, interval: "2h" } };
    const refusedMove = await send("PUT", `/api/agents/update-complete-agent/${botId}`, moved);
    const alone = await send("PUT", `/api/agents/save-or-update-agent/${botId}`, {
      agent: moved.agent,
    });
    for (const { status, body } of [refusedMove, alone]) {
      expect([status, body.fields]).toEqual([
        422,
        { "agent.interval": wrong.replace("90m", "3h") },
      ]);
    }
    expect((await listConditionAgents(server.deps.db))[0]?.interval).toBe("1h");
  });

  it("on another asset need one that has candles, in every call", async () => {
    const on = (asset: string) =>
      ({
        ...DIP,
        all: [{ ...DIP.all[0], left: { ...DIP.all[0].left, on: { asset } } }],
      }) as const;
    const wrong = "There are no candles of DOGE.";
    const whole = await update(on("DOGE"));
    expect([whole.status, whole.body.fields]).toEqual([
      422,
      { "alerts.0.condition.all.0.left.on": wrong },
    ]);
    const path = `/api/alerts/${botId}/breakout`;
    const one = await send("PUT", path, { name: "breakout", condition: on("DOGE") });
    expect([one.status, one.body.fields]).toEqual([422, { "condition.all.0.left.on": wrong }]);
    const known = await send("PUT", path, { name: "breakout", condition: on("BTC") });
    expect(known.body.condition).toEqual(on("BTC"));
    const neither = await send("PUT", path, {
      name: "breakout",
      condition: { ...DIP, all: [{ ...DIP.all[0], left: { ...DIP.all[0].left, on: {} } }] },
    });
    expect(neither.status).toBe(422);
  });

  it("that make no sense are refused by every call, with a message for the field", async () => {
    const macd = { kind: "indicator", name: "MACD", output: "line", parameters: [26, 12, 9] };
    const condition = { kind: "comparisons", all: [{ ...DIP.all[0], left: macd }] };
    const fields = (at: string) => ({ [at]: "MACD: fast has to be shorter than slow." });
    const whole = await update(condition as unknown as AlertCondition);
    expect([whole.status, whole.body.code]).toEqual([422, "condition_invalid"]);
    expect(whole.body.fields).toEqual(fields("alerts.0.condition.all.0.left.parameters.0"));
    const path = `/api/alerts/${botId}/breakout`;
    const one = await send("PUT", path, { name: "breakout", condition });
    expect([one.status, one.body.fields]).toEqual([
      422,
      fields("condition.all.0.left.parameters.0"),
    ]);
    const made = await send("POST", "/api/alerts", { agentId: botId, name: "x", condition });
    expect(made.status).toBe(422);
  });

  it("that cost too much together are refused by every call", async () => {
    const average = { kind: "indicator", name: "ADX", output: "value", parameters: [500] } as const;
    const one = { left: average, is: "above", right: { kind: "number", value: 1 } } as const;
    const dear = { kind: "comparisons", all: Array(4).fill(one) } as unknown as AlertCondition;
    const make = (name: string) =>
      send("POST", "/api/alerts", { agentId: botId, name, condition: dear });
    for (const name of ["d1", "d2", "d3"]) expect((await make(name)).status).toBe(201);
    const refused = await make("d4");
    expect([refused.status, refused.body.code]).toEqual([422, "condition_invalid"]);
    expect(refused.body.fields["condition.all"]).toMatch(
      /^All alerts together have \d+ comparisons, .* at most 15\./,
    );
    await send("POST", "/api/alerts", { agentId: botId, name: "plain" });
    const path = `/api/alerts/${botId}/plain`;
    const changed = await send("PUT", path, { name: "plain", condition: dear });
    expect([changed.status, changed.body.code]).toEqual([422, "condition_invalid"]);
  });
});
