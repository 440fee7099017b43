import { request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AlertWorld, createAlertWorld } from "../../../test/alert-world.ts";
import { proofOf, sendConfirmed } from "../../../test/wallet.ts";

let world: AlertWorld;

beforeAll(async () => {
  world = await createAlertWorld({ arrivalTimeoutMs: 2_000 });
});

beforeEach(() => world.renewAgent());

afterAll(() => world.close());

const at = (offsetSeconds: number) =>
  new Date(world.server.clock.now() + offsetSeconds * 1_000).toISOString();

const plannedSignals = async (): Promise<string[]> => {
  const orders = await world.database.db
    .selectFrom("orders")
    .select("signal")
    .where("agent_id", "=", world.agentId)
    .execute();
  return orders.map((order) => order.signal);
};

const withoutId = (text: string) => text.replace(/"requestId":"[0-9a-f]+"/, "");

describe("an alert", () => {
  it("is counted before it is answered", async () => {
    const answer = await world.post(world.message());
    expect([answer.status, answer.body]).toEqual([
      202,
      { status: "accepted", eventId: expect.stringMatching(/^[0-9a-f]{32}$/) },
    ]);
    expect(await world.counters()).toEqual({ OPEN_LONG: [1], CLOSE_LONG: [0] });
  });

  it("counts once for any number of deliveries", async () => {
    const first = await world.post(world.message());
    for (let repeat = 0; repeat < 3; repeat += 1) {
      const again = await world.post(world.message());
      expect([again.status, again.body]).toEqual([
        200,
        { status: "duplicate", eventId: first.body.eventId },
      ]);
    }
    expect(await world.counters()).toMatchObject({ OPEN_LONG: [1] });
    expect(await world.outcomes()).toEqual(["accepted", "duplicate", "duplicate", "duplicate"]);
  });

  it("counts once for a hundred simultaneous deliveries and plans one order", async () => {
    const message = world.message({ alertName: "breakdown" });
    const answers = await Promise.all(Array.from({ length: 100 }, () => world.post(message)));
    const statuses = answers.map((answer) => answer.body.status);
    expect(statuses.filter((status) => status === "accepted")).toHaveLength(1);
    expect(statuses.filter((status) => status === "duplicate")).toHaveLength(99);
    expect(new Set(answers.map((answer) => answer.body.eventId)).size).toBe(1);
    expect(await plannedSignals()).toEqual(["CLOSE_LONG"]);
  });

  it("counts again a second later", async () => {
    await world.post(world.message({ timestamp: at(-1) }));
    await world.post(world.message({ timestamp: at(0) }));
    // Two are needed: the rule fired and starts again
    expect(await world.counters()).toMatchObject({ OPEN_LONG: [0] });
    expect(await plannedSignals()).toEqual(["OPEN_LONG"]);
  });

  it("is accepted as text that contains JSON, and in Unix time", async () => {
    const send = (message: unknown, type: string) =>
      world.server.send("POST", `/webhook/${world.agentId}`, {
        raw: JSON.stringify(message),
        headers: { "content-type": type },
      });
    const seconds = Math.floor(world.server.clock.now() / 1_000);
    const answers = [
      await send(world.message(), "text/plain"),
      await send(world.message({ timestamp: seconds - 1 }), "text/plain; charset=utf-8"),
      await send(world.message({ timestamp: (seconds - 2) * 1_000 }), "application/json"),
      await send(world.message({ timestamp: `${seconds - 3}` }), "application/json; charset=UTF-8"),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([202, 202, 202, 202]);
  });

  it.each([" Breakout ", "BREAKOUT", "ｂｒｅａｋｏｕｔ"])(
    "is recognised as %j too",
    async (alertName) => {
      expect((await world.post(world.message({ alertName }))).status).toBe(202);
      expect(await world.counters()).toMatchObject({ OPEN_LONG: [1] });
    },
  );

  it("with other content under the same name and time is refused", async () => {
    await world.post(world.message());
    const other = await world.post(world.message({ alertName: "BREAKOUT" }));
    expect([other.status, other.body.code]).toEqual([409, "dedup_mismatch"]);
    expect(await world.outcomes()).toEqual(["accepted", "refused dedup_mismatch"]);
    expect(await world.counters()).toMatchObject({ OPEN_LONG: [1] });
  });
});

describe("freshness", () => {
  it("refuses an alert 301 s old or 61 s ahead and shows it to the owner", async () => {
    for (const offset of [-301, 61]) {
      const answer = await world.post(world.message({ timestamp: at(offset) }));
      expect([answer.status, answer.body.code]).toEqual([422, "stale_signal"]);
    }
    for (const offset of [-300, 60]) {
      expect((await world.post(world.message({ timestamp: at(offset) }))).status).toBe(202);
    }
    expect(await world.outcomes()).toEqual([
      "refused stale_signal",
      "refused stale_signal",
      "accepted",
      "accepted",
    ]);
  });

  it("counts for closings whatever the stamp: a clock may be wrong, and no sender repeats after a 422", async () => {
    for (const offset of [-301, 86_400]) {
      const late = await world.post(
        world.message({ alertName: "breakdown", timestamp: at(offset) }),
      );
      expect([late.status, late.body.status]).toEqual([202, "accepted"]);
    }
    const ancient = world.message({ alertName: "breakdown", timestamp: at(-15 * 86_400) });
    expect((await world.post(ancient)).status).toBe(422);
    expect(await plannedSignals()).toEqual(["CLOSE_LONG", "CLOSE_LONG"]);
    expect(await world.outcomes()).toEqual([
      "accepted closings_only",
      "accepted closings_only",
      "refused stale_signal",
    ]);
  });

  it("counts for its closings alone where a late alert is of other rules too", async () => {
    await world.database.pool.query(
      `with closing as (insert into rules (id, agent_id, action)
         values (replace(gen_random_uuid()::text, '-', ''), $1, 'CLOSE_SHORT') returning id)
       insert into rule_conditions (rule_id, alert_id, required_count)
         select closing.id, alerts.id, 2 from closing, alerts
         where agent_id = $1 and name = 'breakout'`,
      [world.agentId],
    );
    const late = await world.post(world.message({ timestamp: at(-400) }));
    expect(late.status).toBe(202);
    expect(await world.counters()).toEqual({ OPEN_LONG: [0], CLOSE_LONG: [0], CLOSE_SHORT: [1] });
  });

  it("is as strict as the agent's setting", async () => {
    await world.database.db
      .updateTable("agents")
      .set({ max_signal_age_seconds: 10 })
      .where("id", "=", world.agentId)
      .execute();
    expect((await world.post(world.message({ timestamp: at(-11) }))).status).toBe(422);
    expect((await world.post(world.message({ timestamp: at(-10) }))).status).toBe(202);
  });

  it("names a placeholder that was not replaced", async () => {
    const answer = await world.post(world.message({ timestamp: "{{timenow}}" }));
    expect([answer.status, answer.body.code]).toEqual([422, "timestamp_placeholder"]);
    expect(answer.body.message).toContain("{{timenow}}");
    expect(await world.outcomes()).toEqual(["refused timestamp_placeholder"]);
  });

  it.each([
    ["", 422],
    ["2026-02-30T00:00:00Z", 422],
    ["2026-11-21T08:00:00", 422],
    ["2026-11-21 08:00:00Z", 422],
    ["yesterday", 422],
    [0, 422],
    [-1, 422],
    [1.5, 422],
    [null, 400],
    [true, 400],
    [[], 400],
    [{}, 400],
  ])("answers the time %j with %i", async (timestamp, status) => {
    expect((await world.post(world.message({ timestamp }))).status).toBe(status);
    expect(await world.counters()).toMatchObject({ OPEN_LONG: [0] });
  });
});

describe("a stranger", () => {
  it("gets the same answer for every fault", async () => {
    const other = await world.createAgent("Another agent");
    const gone = await world.createAgent("A third agent");
    const token = (await tokenOf(gone)) ?? "";
    await world.server.send("DELETE", `/api/agents/delete-agent/${gone}/complete`, {
      token: world.wallet.token,
    });
    const unknownId = "0".repeat(32);
    const answers = [
      await world.post(world.message({ agentId: unknownId }), unknownId),
      await world.post(world.message({ token: "x".repeat(45) })),
      await world.post(world.message({ token: "" })),
      await world.post(world.message({ token: `${world.token.split(".")[0]}.2` })),
      await world.post(world.message({ agentId: gone, token }), gone),
      await world.post(world.message({ token: await tokenOf(other) })),
      await world.post(world.message(), other),
      await world.post(world.message({ agentId: "unknown" }), "unknown"),
    ];
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 404));
    expect(new Set(answers.map((answer) => withoutId(answer.text))).size).toBe(1);
    expect(await world.outcomes()).toEqual([]);
  });

  it("cannot use a token after it was replaced", async () => {
    const path = `/api/agents/${world.agentId}/webhook/rotate`;
    const rotated = await sendConfirmed(world.server, world.wallet, "POST", path);
    expect((await world.post(world.message())).status).toBe(404);
    expect((await world.post(world.message({ token: rotated.body.token }))).status).toBe(202);
  });

  const tokenOf = async (agentId: string): Promise<string | undefined> => {
    const path = `/api/agents/${agentId}/webhook`;
    const answer = await sendConfirmed(world.server, world.wallet, "GET", path);
    return answer.body.token;
  };
});

describe("bad input", () => {
  it.each<[string, () => string, number]>([
    ["no JSON", () => "BUY SOL", 400],
    ["nothing", () => "", 400],
    [
      "a key that stands twice",
      () => JSON.stringify(world.message()).replace("{", '{"alertName":"buy",'),
      400,
    ],
    [
      "a prototype",
      () => JSON.stringify(world.message()).replace("{", '{"__proto__":{"isAdmin":true},'),
      400,
    ],
    ["a missing field", () => JSON.stringify(world.message({ alertName: undefined })), 400],
    ["a list", () => "[]", 400],
    ["null", () => "null", 400],
    ["nesting without end", () => "[".repeat(5_000), 400],
    [
      "a number without end",
      () => JSON.stringify(world.message({ timestamp: 1 })).replace(":1,", ":1e309,"),
      400,
    ],
    [
      "half a character",
      () => JSON.stringify(world.message({ alertName: "x" })).replace('"x"', '"\\ud800"'),
      400,
    ],
    [
      "16 KiB and a byte",
      () => JSON.stringify(world.message({ alertName: "x".repeat(16_384) })),
      413,
    ],
    [
      "an invisible name",
      () => JSON.stringify(world.message({ alertName: "break\u200bout" })),
      422,
    ],
    ["a control character", () => JSON.stringify(world.message({ alertName: "a\u0000b" })), 422],
    ["an alert of nobody", () => JSON.stringify(world.message({ alertName: "sideways" })), 422],
  ])("%s is refused and counts nothing", async (_name, body, status) => {
    expect((await world.post(body())).status).toBe(status);
    expect(await world.counters()).toMatchObject({ OPEN_LONG: [0] });
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect((await world.post(world.message())).status).toBe(202);
  });

  it("accepts exactly 16 KiB", async () => {
    const short = JSON.stringify(world.message());
    expect((await world.post(`${short}${" ".repeat(16_384 - short.length)}`)).status).toBe(202);
  });

  it("refuses other methods", async () => {
    const path = `/webhook/${world.agentId}`;
    for (const method of ["GET", "HEAD", "PUT", "OPTIONS", "DELETE"]) {
      const answer = await world.server.send(method, path);
      expect(answer.status).toBe(405);
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  it("shows the owner what was refused, without the token", async () => {
    await world.post(world.message({ alertName: "sideways" }));
    await world.post(world.message({ alertName: `a\u202e${"b".repeat(200)}` }));
    const answer = await world.server.send("GET", `/api/agents/${world.agentId}/signals`, {
      token: world.wallet.token,
    });
    expect(answer.body).toMatchObject([
      { outcome: "refused", reason: "alert_name_invalid", alertName: `a\ufffd${"b".repeat(98)}` },
      { outcome: "refused", reason: "alert_unknown", alertName: "sideways", orders: [] },
    ]);
    expect(answer.text).not.toContain(world.token);
  });

  it("closes the connection on an endless body", async () => {
    const { hostname, port } = new URL(world.server.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /webhook/${world.agentId} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`,
    );
    socket.on("error", () => {});
    await new Promise((resolve) => {
      socket.once("close", resolve);
      socket.resume();
    });
    expect((await world.post(world.message())).status).toBe(202);
  });
});

describe("auto-trade off", () => {
  it.each(["off", "stopping"] as const)(
    "ignores alerts while %s and does not trade later",
    async (status) => {
      await world.turn(world.agentId, status);
      for (const seconds of [1, 2, 3]) {
        const answer = await world.post(world.message({ timestamp: at(-seconds) }));
        expect([answer.status, answer.body]).toEqual([
          202,
          { status: "ignored", reason: "trading_off" },
        ]);
      }
      await world.turn(world.agentId, "on");
      expect((await world.post(world.message({ timestamp: at(-1) }))).body.status).toBe(
        "duplicate",
      );
      expect(await world.counters()).toMatchObject({ OPEN_LONG: [0] });
      expect(await plannedSignals()).toEqual([]);
    },
  );
});

describe("without a database", () => {
  it("asks the sender to retry, and then accepts the alert", async () => {
    await world.setDatabaseReachable(false);
    const answer = await world.post(world.message());
    expect([answer.status, answer.body.code]).toEqual([503, "unavailable"]);
    expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
    await world.setDatabaseReachable(true);
    expect((await world.post(world.message())).body.status).toBe("accepted");
    expect(await world.counters()).toMatchObject({ OPEN_LONG: [1] });
  });

  it("does not wait for a held lane", async () => {
    const answer = await world.database.db.transaction().execute(async (transaction) => {
      await transaction.selectFrom("lanes").selectAll().forUpdate().execute();
      return world.post(world.message());
    });
    expect(answer.status).toBe(503);
    expect((await world.post(world.message())).status).toBe(202);
  });
});

describe("alerts with a replaced token", () => {
  const asOwner = async (method: "GET" | "POST", path: string) => {
    const url = `/api/agents/${world.agentId}/webhook${path}`;
    return (await sendConfirmed(world.server, world.wallet, method, url)).body;
  };

  it("are refused, counted since the replacement, and shown to the owner", async () => {
    const old = world.token;
    const { token } = await asOwner("POST", "/rotate");
    const since = at(0);
    expect((await asOwner("GET", "/state")).replacedToken).toBeUndefined();
    for (let second = 0; second < 7; second += 1) {
      const late = world.message({ timestamp: at(-second), token: old });
      expect((await world.post(late)).status).toBe(404);
    }
    expect((await world.post(world.message({ token }))).status).toBe(202);
    const shown = { alerts: 7, since, lastAt: since };
    await expect.poll(async () => (await asOwner("GET", "/state")).replacedToken).toEqual(shown);
    expect(await world.outcomes()).toEqual(["accepted"]);
    const kept = await world.database.db.selectFrom("replaced_token_alerts").selectAll().execute();
    expect(JSON.stringify(kept)).not.toContain(old.slice(0, 20));

    world.server.clock.advance(60_000);
    await asOwner("POST", "/rotate");
    expect((await asOwner("GET", "/state")).replacedToken).toBeUndefined();
    expect((await world.post(world.message({ token }))).status).toBe(404);
    const anew = { alerts: 1, since: at(0), lastAt: at(0) };
    await expect.poll(async () => (await asOwner("GET", "/state")).replacedToken).toEqual(anew);
  });

  it("do not count against the agent's own limit", async () => {
    const old = world.token;
    const { token } = await asOwner("POST", "/rotate");
    const statuses: number[] = [];
    for (let second = 0; second < 62; second += 1) {
      const late = world.message({ timestamp: at(-second), token: old });
      statuses.push((await world.post(late)).status);
    }
    expect(statuses.slice(-2)).toEqual([429, 429]);
    const own = world.message({ timestamp: at(-100), token });
    expect((await world.post(own)).status).toBe(202);
    expect(await world.outcomes()).toEqual(["accepted"]);
  });
});

describe("a test alert", () => {
  const path = () => `/api/agents/${world.agentId}/test-alert`;

  it("is fired with the owner's signature over what it does, and shows no token", async () => {
    const { token } = world.wallet;
    const body = { alertName: "breakout" };
    const asked = await world.server.send("POST", path(), { token, body });
    expect([asked.status, asked.body.code]).toEqual([403, "confirmation_needed"]);
    expect(asked.body.confirm.message).toMatch(
      /^Fire the alert "breakout" of the agent ".+" once, as a test: it counts, and while auto-trade is on the agent may trade on it\.$/m,
    );
    expect(await world.outcomes()).toEqual([]);
    const headers = { "x-wheelhouse-confirmation": proofOf(asked, world.wallet) };
    const fired = await world.server.send("POST", path(), { token, body, headers });
    expect([fired.status, fired.body.status]).toEqual([200, "accepted"]);
    expect(fired.text).not.toContain(world.token);
    expect(await world.outcomes()).toEqual(["accepted"]);
    const again = await world.server.send("POST", path(), { token, body, headers });
    expect(again.status).toBe(403);
    expect(await world.outcomes()).toEqual(["accepted"]);
  });

  it("of a name that no alert has is refused and recorded", async () => {
    const body = { alertName: "nothing" };
    const fired = await sendConfirmed(world.server, world.wallet, "POST", path(), body);
    expect(fired.status).toBe(422);
    expect(await world.outcomes()).toEqual(["refused alert_unknown"]);
  });
});

describe("limits", () => {
  it("refuse the 61st alert of a minute, for that agent only", async () => {
    const other = await world.createAgent("An agent beside it");
    const statuses: number[] = [];
    for (let second = 0; second < 62; second += 1) {
      statuses.push((await world.post(world.message({ timestamp: at(-second) }))).status);
    }
    expect(statuses.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 202));
    expect(statuses.slice(60)).toEqual([429, 429]);
    const limited = await world.post(world.message({ timestamp: at(-100) }));
    expect(limited.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    const repeat = await world.post(world.message({ timestamp: at(0) }));
    expect(repeat.body.status).toBe("duplicate");
    const outcomes = await world.outcomes();
    expect(outcomes.filter((outcome) => outcome === "refused rate_limited")).toHaveLength(1);
    const path = `/api/agents/${other}/webhook`;
    const { token } = (await sendConfirmed(world.server, world.wallet, "GET", path)).body;
    expect((await world.post(world.message({ agentId: other, token }), other)).status).toBe(202);
  });

  it("can restrict the sending addresses, which a signed test of the owner does not need", async () => {
    const closed = await createAlertWorld({ senders: new Set(["52.89.214.238"]) });
    const open = await createAlertWorld({ senders: new Set(["127.0.0.1"]) });
    try {
      const answer = await closed.server.send("POST", `/webhook/${closed.agentId}`, {
        body: closed.message(),
        headers: { "x-forwarded-for": "52.89.214.238" },
      });
      expect(answer.status).toBe(404);
      const path = `/api/agents/${closed.agentId}/test-alert`;
      const body = { alertName: "breakout" };
      const test = await sendConfirmed(closed.server, closed.wallet, "POST", path, body);
      expect([test.status, test.body.status]).toEqual([200, "accepted"]);
      expect((await open.post(open.message())).status).toBe(202);
    } finally {
      await closed.close();
      await open.close();
    }
  });

  it("close a connection that lies about its length", async () => {
    const { hostname, port } = new URL(world.server.url);
    const status = await new Promise((resolve) => {
      const sending = request(
        {
          hostname,
          port,
          method: "POST",
          path: `/webhook/${world.agentId}`,
          headers: { "content-type": "application/json", "content-length": "20000" },
        },
        (response) => resolve(response.statusCode),
      );
      sending.on("error", resolve);
      sending.write("{}");
    });
    expect(status).toBe(413);
  });
});

describe("the alert text", () => {
  it("is accepted by the webhook", async () => {
    const path = `/api/agents/${world.agentId}/webhook`;
    const { body } = await sendConfirmed(world.server, world.wallet, "GET", path);
    const state = await world.server.send("GET", `${path}/state`, { token: world.wallet.token });
    const { token, ...shown } = body;
    expect(state.body).toEqual({
      ...shown,
      alertText: shown.alertText.replace(token, "{{token}}"),
    });
    expect(body.url).toBe(`http://app.test/webhook/${world.agentId}`);
    const text = body.alertText
      .replace("{{alertName}}", "breakout")
      .replace("{{timenow}}", at(0).replace(".000Z", "Z"));
    expect((await world.post(text)).status).toBe(202);
  });
});
