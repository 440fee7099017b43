import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/database.ts";
import { buildCompleteDraft } from "../../../test/drafts.ts";
import { buildNetworks } from "../../../test/networks.ts";
import { useServer } from "../../../test/server.ts";
import { hashTables } from "../../../test/table-hashes.ts";
import { createTestWallet, sendConfirmed, signIn, type SignedIn } from "../../../test/wallet.ts";
import { newTestId } from "../../../test/world.ts";

describe("Saving an agent", () => {
  const database = useDatabase();
  const networks = buildNetworks(["practice", "devnet"], ["drift", "jupiter"]);
  const server = useServer(database, { networks });
  let wallet: SignedIn;

  beforeEach(async () => {
    wallet = await signIn(server);
  });

  const send = (method: string, path: string, body?: unknown) =>
    server.send(method, path, { token: wallet.token, ...(body === undefined ? {} : { body }) });

  const create = (changes?: Parameters<typeof buildCompleteDraft>[0]) =>
    send("POST", "/api/agents/create-complete-agent", buildCompleteDraft(changes));

  const update = (botId: string, changes?: Parameters<typeof buildCompleteDraft>[0]) =>
    send("PUT", `/api/agents/update-complete-agent/${botId}`, buildCompleteDraft(changes));

  const countTo = (ruleId: string, count: number) =>
    database.pool.query("update rule_conditions set count = $2 where rule_id = $1", [
      ruleId,
      count,
    ]);

  const attachCustody = async (botId: string, subAccountId: number | null) => {
    await database.db
      .insertInto("multisigs")
      .values({
        agent_id: botId,
        multisig: createTestWallet().address,
        vault: createTestWallet().address,
        create_key: createTestWallet().address,
        delegate: wallet.address,
        members: [wallet.address],
        threshold: 1,
        status: "active",
        created_at: new Date(server.clock.now()),
        last_used_at: null,
      })
      .execute();
    await database.pool.query("update agents set sub_account_id = $2 where id = $1", [
      botId,
      subAccountId,
    ]);
  };

  it("creates agent, chat, alerts and rules and returns what it stored", async () => {
    const { status, body } = await create();
    expect(status).toBe(201);
    expect(body.agent).toEqual({
      botId: expect.stringMatching(/^[0-9a-f]{32}$/),
      chatId: expect.stringMatching(/^[0-9a-f]{32}$/),
      agentName: "Agent ** SOL-1h",
      assetPair: "SOL-PERP",
      interval: "1h",
      venue: "drift",
      network: "practice",
      pubkey: wallet.address,
      tradingStatus: "off",
      stopping: false,
      slippageTolerance: 0.5,
      positionSizePercent: 100,
      maxSignalAgeSeconds: 300,
      hypothesisStatus: "off",
      buyReportPrompt: "",
      sellReportPrompt: "",
      updatedAt: new Date(server.clock.now()).toISOString(),
    });
    expect(body.alerts).toMatchObject([
      { name: "breakout", description: "" },
      { name: "breakdown", description: "exit" },
    ]);
    expect(body.rules).toMatchObject([
      {
        agentId: body.agent.botId,
        action: "OPEN_LONG",
        conditions: [{ alertName: "breakout", requiredCount: 2, count: 0 }],
      },
      {
        action: "CLOSE_LONG",
        conditions: [{ alertName: "breakdown", requiredCount: 1, count: 0 }],
      },
    ]);
    const chats = await send("GET", `/api/chats/wallet/${wallet.address}/agents`);
    expect(chats.body).toMatchObject([{ title: "My New Chat", agent: body.agent }]);
    const found = await send("GET", `/api/agents/get-agentBychatId/${body.agent.chatId}`);
    expect(found.body).toEqual(body.agent);
  });

  it("keeps the part of the position that a closing rule closes", async () => {
    const rulesWith = (portion?: number) => [
      { conditions: [{ alertName: "breakout" }], action: "OPEN_LONG" as const },
      { conditions: [{ alertName: "breakdown" }], action: "CLOSE_LONG" as const, portion },
    ];
    const { body } = await create({ rules: rulesWith(25) });
    expect(body.rules.map((rule: { portion?: number }) => rule.portion)).toEqual([undefined, 25]);
    await countTo(body.rules[1]._id, 1);
    const same = await update(body.agent.botId, { rules: rulesWith(25) });
    expect(same.body.rules[1]).toMatchObject({ portion: 25, conditions: [{ count: 1 }] });
    const half = await update(body.agent.botId, { rules: rulesWith(50) });
    expect(half.body.rules[1]).toMatchObject({ portion: 50, conditions: [{ count: 0 }] });
    const whole = await update(body.agent.botId, { rules: rulesWith() });
    expect(whole.body.rules[1]).not.toHaveProperty("portion");
    expect((await create({ rules: rulesWith(101) })).status).toBe(422);
    const opening = [{ ...rulesWith(50)[1], action: "OPEN_LONG" as const }];
    const refused = await create({ rules: opening as never });
    expect(Object.keys(refused.body.fields)).toEqual(["rules.0.portion"]);
  });

  it("refuses a plan beside the field, and a stop at or behind the liquidation of the market's own margin", async () => {
    const stop = (percent: number) => ({ stop: { at: { percent } } });
    const wide = { plan: stop(10), leverage: 5 };
    const answers = [
      await create({ agent: { plan: stop(0) } }),
      await create({ agent: wide }),
      await create({ agent: { leverage: 2 } }),
      await create({ agent: { venue: "jupiter", assetPair: "SOL", leverage: 2 } }),
      await create({ agent: { plan: stop(9.09), leverage: 5 } }),
      await create({ agent: { plan: { stop: { at: { atr: 14, times: 2 } } }, leverage: 2 } }),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
      answers.map(() => [422, "plan_invalid"]),
    );
    expect(answers.map(({ body }) => body.fields)).toEqual([
      { "agent.plan.stop.at": "Choose 0.1 % to 50 %." },
      {
        "agent.plan.stop.at":
          "A short is liquidated 9.09 % away from its entry: the stop has to be nearer.",
      },
      { "agent.leverage": "Leverage above 1 needs a stop in the plan." },
      { "agent.leverage": "Jupiter is spot only: leverage needs a perpetuals venue." },
      {
        "agent.plan.stop.at":
          "A short is liquidated 9.09 % away from its entry: the stop has to be nearer.",
      },
      {
        "agent.plan.stop.at":
          "With leverage above 1 the stop is a percentage, so that it can be compared with the liquidation price.",
      },
    ]);
    const trail = { after: 2, by: { percent: 0.1 }, step: 0.1 };
    const half = { at: { percent: 4 }, close: 60 };
    const senseless: readonly [object, string, string][] = [
      [{ stop: { at: { percent: -3 } } }, "stop.at.percent", "Must be at least 0."],
      [
        { stop: { at: { percent: 3 }, trail } },
        "stop.trail.by",
        "That is tighter than the spread of 0.1 %: it would close at once.",
      ],
      [
        { targets: [half, half] },
        "targets.1.close",
        "The targets close 120 % together; at most 100 % is held.",
      ],
      [
        { adds: { on: "signal", times: 2, size: 50 }, maxPosition: 100 },
        "adds.times",
        "With all adds the position is 200 % of the collateral; the largest position is 100 %.",
      ],
    ];
    for (const [plan, field, message] of senseless) {
      const { status, body } = await create({ agent: { plan } as never });
      expect([status, body.fields]).toEqual([422, { [`agent.plan.${field}`]: message }]);
    }
    const kept = await create({ agent: { plan: stop(3) } });
    expect([kept.status, kept.body.agent.plan]).toEqual([201, stop(3)]);
  });

  it("saves leverage with a stop nearer than the liquidation that the market has now", async () => {
    const stop = (percent: number) => ({ stop: { at: { percent } } });
    const { status, body } = await create({ agent: { plan: stop(9), leverage: 5 } });
    expect([status, body.agent.plan, body.agent.leverage]).toEqual([201, stop(9), 5]);
    const change = (agent: object) => update(body.agent.botId, { agent } as never);
    // The market asks for more margin from now on
    const venue = networks.get("practice")?.venues.get("drift");
    const costs = await venue?.tradingCosts("SOL-PERP");
    Object.assign(venue ?? {}, {
      tradingCosts: async () => ({ ...costs, maintenancePpm: 120_000 }),
    });
    try {
      const behind = await change({ maxSignalAgeSeconds: 60 });
      expect([behind.status, behind.body.fields]).toEqual([
        422,
        {
          "agent.plan.stop.at":
            "A short is liquidated 7.14 % away from its entry: the stop has to be nearer.",
        },
      ]);
      expect((await change({ leverage: 3 })).body.agent.leverage).toBe(3);
      // Without an answer nobody knows
      const failing = async () => Promise.reject(new Error("no node"));
      Object.assign(venue ?? {}, { tradingCosts: failing });
      expect((await change({ plan: stop(2) })).status).toBe(503);
      expect((await change({ leverage: 2 })).status).toBe(503);
      // What the answer has nothing to say about is saved without it
      expect((await change({ maxSignalAgeSeconds: 50 })).status).toBe(200);
      expect((await change({ plan: stop(9), leverage: 3 })).status).toBe(200);
      const none = await change({ leverage: 1 });
      expect([none.status, none.body.agent.leverage]).toEqual([200, undefined]);
    } finally {
      Object.assign(venue ?? {}, { tradingCosts: async () => costs });
    }
  });

  it("shows a stored plan in percents", async () => {
    const { body } = await create();
    const plan = { stop: { at: { kind: "percent", bps: 250 } }, holdBars: 9 };
    await database.pool.query("update agents set plan = $2, leverage = 3 where id = $1", [
      body.agent.botId,
      plan,
    ]);
    const found = await send("GET", `/api/agents/get-agentBychatId/${body.agent.chatId}`);
    const shown = { plan: { stop: { at: { percent: 2.5 } }, hold: 9 }, leverage: 3 };
    expect(found.body).toMatchObject(shown);
  });

  it("says what it left out", async () => {
    const { body } = await create({
      alerts: [{ name: "breakout" }, { name: "  " }],
      rules: [
        { conditions: [], action: "OPEN_LONG" },
        { conditions: [{ alertName: "breakout" }], action: "CLOSE_LONG" },
        { conditions: [], action: "" },
      ],
    });
    expect(body.dropped).toEqual({
      alerts: 1,
      rules: [
        { index: 0, reason: "no_conditions" },
        { index: 2, reason: "no_action" },
      ],
    });
    expect([body.alerts.length, body.rules.length]).toEqual([1, 1]);
  });

  it("stores nothing when a step fails", async () => {
    await database.pool.query(`
      create function fail() returns trigger language plpgsql as
        $$ begin raise exception 'no room'; end $$;
      create trigger fail before insert on rule_conditions for each row
        when (new.required_count = 59) execute function fail()`);
    const { body: kept } = await create({ agent: { agentName: "kept" } });
    const before = await hashTables(database);
    const rules = [
      { conditions: [{ alertName: "breakdown" }], action: "OPEN_SHORT" as const },
      { conditions: [{ alertName: "breakout", requiredCount: 59 }], action: "CLOSE_LONG" as const },
    ];
    const created = await create({ agent: { agentName: "lost" }, rules });
    expect([created.status, created.body.code]).toEqual([500, "internal"]);
    const updated = await update(kept.agent.botId, {
      agent: { agentName: "lost" },
      alerts: [{ name: "breakdown" }, { name: "breakout" }, { name: "new" }],
      rules,
    });
    expect(updated.status).toBe(500);
    expect(await hashTables(database)).toEqual(before);
    await database.pool.query("drop trigger fail on rule_conditions; drop function fail()");
  });

  it.each([
    ["alerts_missing", { alerts: [{ name: " " }] }],
    ["rule_action_missing", { rules: [{ conditions: [{ alertName: "breakout" }], action: "" }] }],
    ["agent_incomplete", { agent: { assetPair: "" } }],
    ["agent_incomplete", { agent: { agentName: "" } }],
    ["venue_missing", { agent: { venue: "" } }],
    ["interval_missing", { agent: { interval: "" } }],
    ["interval_out_of_range", { agent: { interval: "27m" } }],
    ["alert_name_duplicate", { alerts: [{ name: "breakout" }, { name: " BREAKOUT " }] }],
    ["market_unknown", { agent: { assetPair: "SOL-PERP'; DROP TABLE agents;--" } }],
    ["market_unknown", { agent: { assetPair: "AAPLx" } }],
    ["slippage_out_of_range", { agent: { slippageTolerance: "5.01" } }],
    ["alert_unknown", { alerts: [{ name: "other" }] }],
    [
      "alert_name_invalid",
      { alerts: [{ name: "break\u200Bout" }, { name: "breakdown" }], rules: [] },
    ],
    ["validation_failed", { agent: { venue: "ftx" } }],
    ["validation_failed", { agent: { venue: "Drift " } }],
    ["validation_failed", { agent: { hypothesisStatus: true } }],
    ["validation_failed", { agent: { slippageTolerance: "0.5%" } }],
    [
      "validation_failed",
      {
        rules: [
          { conditions: [{ alertName: "breakout", requiredCount: "3" }], action: "OPEN_LONG" },
        ],
      },
    ],
    [
      "validation_failed",
      {
        rules: [
          { conditions: [{ alertName: "breakout", requiredCount: 61 }], action: "OPEN_LONG" },
        ],
      },
    ],
    ["network_disabled", { agent: { network: "mainnet" } }],
    [
      "short_needs_perpetuals",
      {
        agent: { venue: "jupiter", assetPair: "SOL" },
        rules: [{ conditions: [{ alertName: "breakout" }], action: "OPEN_SHORT" }],
      },
    ],
  ])("refuses with %s: %j", async (code, changes) => {
    const before = await hashTables(database);
    const { status, body } = await create(changes as Parameters<typeof create>[0]);
    expect([status, body.code]).toEqual([422, code]);
    expect(await hashTables(database)).toEqual(before);
  });

  it("keeps names unique per wallet, however they are spelled", async () => {
    await create({ agent: { agentName: "Turtle" } });
    const again = await create({ agent: { agentName: " TURTLE " } });
    expect([again.status, again.body.code]).toEqual([409, "agent_already_exists"]);
    expect(again.body.message).toMatch(/agent.*already exists/);
    wallet = await signIn(server);
    expect((await create({ agent: { agentName: "Turtle" } })).status).toBe(201);
  });

  it("accepts only one of ten simultaneous identical agents", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => create()));
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(answers.filter((answer) => answer.body.code === "agent_already_exists")).toHaveLength(9);
  });

  it("allows one agent per chat", async () => {
    const { body } = await create();
    const { chatId } = body.agent;
    const second = await create({ agent: { chatId, agentName: "second" } });
    expect([second.status, second.body.code]).toEqual([409, "chat_has_agent"]);
    const unknown = await create({ agent: { chatId: newTestId(), agentName: "third" } });
    expect(unknown.status).toBe(404);
  });

  it("keeps the counters of an unchanged rule and starts a changed one at 0", async () => {
    const { body } = await create({
      rules: [
        { conditions: [{ alertName: "breakout", requiredCount: 9 }], action: "OPEN_LONG" },
        { conditions: [{ alertName: "breakdown", requiredCount: 9 }], action: "CLOSE_LONG" },
      ],
    });
    const [open, close] = body.rules;
    await countTo(open._id, 5);
    await countTo(close._id, 5);
    const saved = await update(body.agent.botId, {
      rules: [
        { conditions: [{ alertName: "breakout", requiredCount: 9 }], action: "OPEN_LONG" },
        {
          id: close._id,
          conditions: [{ alertName: "breakdown", requiredCount: 8 }],
          action: "CLOSE_LONG",
        },
      ],
    });
    expect(saved.body.rules).toMatchObject([
      { _id: open._id, conditions: [{ requiredCount: 9, count: 5 }] },
      { _id: close._id, conditions: [{ requiredCount: 8, count: 0 }] },
    ]);
  });

  it("keeps rules and counters of renamed alerts, even of swapped ones", async () => {
    const { body } = await create();
    const [first, second] = body.alerts;
    await countTo(body.rules[0]._id, 1);
    const saved = await update(body.agent.botId, {
      alerts: [
        { id: first._id, name: "breakdown" },
        { id: second._id, name: "breakout" },
      ],
      rules: [
        { conditions: [{ alertName: "breakdown", requiredCount: 2 }], action: "OPEN_LONG" },
        { conditions: [{ alertName: "breakout" }], action: "CLOSE_LONG" },
      ],
    });
    expect(saved.status).toBe(200);
    expect(saved.body.alerts).toEqual([
      { _id: first._id, name: "breakdown", description: "" },
      { _id: second._id, name: "breakout", description: "exit" },
    ]);
    expect(saved.body.rules).toMatchObject([
      { _id: body.rules[0]._id, conditions: [{ alertName: "breakdown", count: 1 }] },
      { _id: body.rules[1]._id, conditions: [{ alertName: "breakout" }] },
    ]);
  });

  it("removes parts missing from the draft", async () => {
    const { body } = await create();
    const saved = await update(body.agent.botId, { alerts: [{ name: "breakdown" }], rules: [] });
    expect(saved.body.alerts).toHaveLength(1);
    expect(saved.body.rules).toEqual([]);
    expect((await send("GET", `/api/rules/${body.agent.botId}`)).body).toEqual([]);
  });

  it("leaves fields alone that a save does not contain", async () => {
    const { body } = await create({
      agent: { slippageTolerance: "0.1", positionSizePercent: 40, maxSignalAgeSeconds: 60 },
    });
    const saved = await update(body.agent.botId, { agent: { agentName: "Renamed" } });
    const { updatedAt, ...agent } = saved.body.agent;
    expect({ ...agent, updatedAt: body.agent.updatedAt }).toEqual({
      ...body.agent,
      agentName: "Renamed",
    });
    expect(updatedAt > body.agent.updatedAt).toBe(true);
  });

  it.each([
    [0.5, 0.5],
    ["0.5", 0.5],
    [0.01, 0.01],
    [".3", 0.3],
    [5, 5],
    ["4.99", 4.99],
  ])("accepts a slippage of %j and returns the number", async (slippageTolerance, answered) => {
    const { body } = await create({ agent: { slippageTolerance } });
    expect(body.agent.slippageTolerance).toBe(answered);
  });

  it.each([0, -0.5, 5.01, 0.005, 1e-7, 1e21])("refuses a slippage of %j", async (number) => {
    const { body } = await create({ agent: { slippageTolerance: number } });
    expect(body.code).toBe("slippage_out_of_range");
  });

  describe("a form opened before the last change", () => {
    const saveAs = (botId: string, updatedAt: string) =>
      send("PUT", `/api/agents/update-complete-agent/${botId}`, {
        ...buildCompleteDraft({ agent: { agentName: newTestId() } }),
        updatedAt,
      });

    it("is refused and changes nothing; the present version can be saved", async () => {
      const { body } = await create();
      const { botId, chatId, updatedAt } = body.agent;
      const first = await saveAs(botId, updatedAt);
      expect(first.status).toBe(200);
      const second = await saveAs(botId, updatedAt);
      expect([second.status, second.body.code]).toEqual([409, "agent_changed"]);
      const alone = await send("PUT", `/api/agents/save-or-update-agent/${botId}`, {
        ...buildCompleteDraft(),
        alerts: undefined,
        rules: undefined,
        updatedAt,
      });
      expect(alone.body.code).toBe("agent_changed");
      const { body: now } = await send("GET", `/api/agents/get-agentBychatId/${chatId}`);
      expect(now).toEqual(first.body.agent);
      expect((await saveAs(botId, now.updatedAt)).status).toBe(200);
    });

    it.each([
      [
        "an alert",
        (botId: string) => send("POST", "/api/alerts", { agentId: botId, name: "late" }),
      ],
      [
        "a rule",
        (botId: string) =>
          send("POST", "/api/rules", {
            agentId: botId,
            conditions: [{ alertName: "breakdown" }],
            action: "RESET_OPEN_LONG",
          }),
      ],
    ])("is refused after %s was added separately", async (_what, add) => {
      const { body } = await create();
      expect((await add(body.agent.botId)).status).toBeLessThan(300);
      const saved = await saveAs(body.agent.botId, body.agent.updatedAt);
      expect(saved.body.code).toBe("agent_changed");
    });
  });

  it("locks the venue after the first deposit and the network after custody", async () => {
    const { body } = await create({ rules: [] });
    const { botId } = body.agent;
    await attachCustody(botId, null);
    const jupiter = { venue: "jupiter", assetPair: "SOL" } as const;
    expect((await update(botId, { agent: { network: "devnet" }, rules: [] })).status).toBe(409);
    expect((await update(botId, { agent: jupiter, rules: [] })).status).toBe(200);
    expect((await update(botId, { rules: [] })).status).toBe(200);
    await database.pool.query("update agents set sub_account_id = 0 where id = $1", [botId]);
    const locked = await update(botId, { agent: jupiter, rules: [] });
    expect([locked.status, locked.body.code]).toEqual([409, "venue_locked"]);
    const alone = await send("PUT", `/api/agents/save-or-update-agent/${botId}`, {
      agent: buildCompleteDraft({ agent: jupiter }).agent,
    });
    expect([alone.status, alone.body.code]).toEqual([409, "venue_locked"]);
  });

  it("shows custody and the sub-account once they exist", async () => {
    const { body } = await create();
    await attachCustody(body.agent.botId, 0);
    const { body: agent } = await send("GET", `/api/agents/get-agentBychatId/${body.agent.chatId}`);
    expect(agent).toMatchObject({
      number: 0,
      squadsMultisig: { vaultIndex: 0, members: [wallet.address], threshold: 1, status: "active" },
    });
  });

  it("checks changed fields against the agent's existing rules", async () => {
    const { body } = await create({
      rules: [{ conditions: [{ alertName: "breakout" }], action: "OPEN_SHORT" }],
    });
    const path = `/api/agents/save-or-update-agent/${body.agent.botId}`;
    const { agent } = buildCompleteDraft({ agent: { slippageTolerance: "5" } });
    expect(
      (await sendConfirmed(server, wallet, "PUT", path, { agent })).body.slippageTolerance,
    ).toBe(5);
    const moved = await send("PUT", path, {
      agent: { ...agent, venue: "jupiter", assetPair: "SOL" },
    });
    expect(moved.body).toMatchObject({
      code: "short_needs_perpetuals",
      message: "Jupiter is spot only: short actions need a perpetuals venue.",
    });
    const stolen = await send("PUT", path, { agent: { ...agent, chatId: newTestId() } });
    expect([stolen.status, Object.keys(stolen.body.fields)]).toEqual([422, ["agent.chatId"]]);
  });

  it("renames, sets prompts and the hypothesis status", async () => {
    const { body } = await create();
    const { botId, chatId } = body.agent;
    const rename = (name: string) =>
      send("PUT", `/api/agents/update-agent-name/${chatId}`, { name });
    expect((await rename(" Turtle ")).body.agentName).toBe("Turtle");
    for (const blank of ["", "  "]) {
      const refused = await rename(blank);
      expect([refused.status, refused.body.fields]).toEqual([
        422,
        { name: "Agent name is required" },
      ]);
    }
    for (const hidden of ["Tur\u200btle", "Turtle\u202e", "\u2066Turtle"]) {
      const refused = await rename(hidden);
      expect([refused.status, refused.body.fields]).toEqual([
        422,
        { name: "Invisible characters are not allowed." },
      ]);
    }
    // A name of an earlier version still loads
    const old = "Tur\u200btle";
    await database.pool.query("update agents set name = $1 where id = $2", [old, botId]);
    const agentPath = `/api/agents/get-agentBychatId/${chatId}`;
    expect((await send("GET", agentPath)).body.agentName).toBe(old);
    await create({ agent: { agentName: "Hare" } });
    expect((await rename("HARE")).body.code).toBe("agent_already_exists");
    const prompts = { buyReportPrompt: "why\nbuy", sellReportPrompt: "why sell" };
    const path = `/api/agents/add-prompts-to-agent/${botId}`;
    expect((await send("PUT", path, { agent: prompts })).body).toMatchObject(prompts);
    const status = `/api/agents/update-hypothesis-status/${botId}`;
    expect((await send("PUT", status, { hypothesisStatus: "on" })).body.hypothesisStatus).toBe(
      "on",
    );
    for (const wrong of [true, 1, "ON "]) {
      expect((await send("PUT", status, { hypothesisStatus: wrong })).status).toBe(422);
    }
  });

  it("deletes nothing while an owner's transaction has not settled", async () => {
    const { body } = await create();
    const { botId, chatId } = body.agent;
    await database.pool.query(
      `insert into custody_transactions (id, agent_id, owner, intent, step, step_count, label, state,
         message, expects, costs, last_valid_block_height, prepared_at)
       values ($1, $2, $3, 'set-up', 1, 3, 'x', 'sent', '', '[]', '{}', 1, now())`,
      [newTestId(), botId, wallet.address],
    );
    for (const path of [`/api/agents/delete-agent/${botId}/complete`, `/api/chats/${chatId}`]) {
      const refused = await send("DELETE", path);
      expect([refused.status, refused.body.code]).toEqual([409, "transaction_open"]);
    }
  });

  it("returns null for a chat without an agent", async () => {
    const { body } = await send("POST", "/api/chats/add-chat", { walletAddress: wallet.address });
    for (const [method, path, payload] of [
      ["GET", `/api/agents/get-agentBychatId/${body._id}`, undefined],
      ["PUT", `/api/agents/update-agent-name/${body._id}`, { name: "x" }],
    ] as const) {
      const answer = await send(method, path, payload);
      expect([answer.status, answer.text]).toEqual([200, "null"]);
    }
  });

  it("deletes the records only when no money is reachable through them (B18)", async () => {
    const { body } = await create();
    const { botId, chatId } = body.agent;
    await attachCustody(botId, 0);
    for (const path of [`/api/agents/delete-agent/${botId}/complete`, `/api/chats/${chatId}`]) {
      const refused = await send("DELETE", path);
      expect([refused.status, refused.body.code]).toEqual([409, "funds_remaining"]);
    }
    await database.pool.query("update multisigs set status = 'closed' where agent_id = $1", [
      botId,
    ]);
    expect((await send("DELETE", `/api/agents/delete-agent/${botId}/complete`)).status).toBe(204);
    expect((await send("GET", `/api/alerts/${botId}`)).status).toBe(404);
    expect((await send("GET", `/api/agents/get-agentBychatId/${chatId}`)).text).toBe("null");
    const [rule] = body.rules;
    expect((await send("DELETE", `/api/rules/${rule._id}`)).status).toBe(404);
  });
});
