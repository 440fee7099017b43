import { readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ALERT_SHAPES, type AlertShape } from "../../../test/alert-shapes.ts";
import { type AlertWorld, createAlertWorld } from "../../../test/alert-world.ts";
import { sendConfirmed, signIn } from "../../../test/wallet.ts";
import type { Webhook } from "../../contract/agent-webhook.ts";
import type { ReceivedSignal } from "../../contract/signals.ts";
import { reasonText } from "../../domain/reasons.ts";

let world: AlertWorld;
let other: { readonly id: string; readonly token: string };

beforeAll(async () => {
  world = await createAlertWorld({
    limits: { alertsPerMinute: 100_000, deliveriesPerMinute: 100_000 },
  });
  const id = await world.createAgent("Another agent");
  const { body } = await sendConfirmed(
    world.server,
    world.wallet,
    "GET",
    `/api/agents/${id}/webhook`,
  );
  other = { id, token: body.token };
});

beforeEach(() => world.renewAgent());

afterAll(() => world.close());

/** Returns a shape's text for the agent of this test. */
function textOf({ body, time = (ms) => new Date(ms).toISOString() }: AlertShape): string {
  return body
    .replaceAll("$AGENT", world.agentId)
    .replaceAll("$ALERT", "breakout")
    .replaceAll("$NOW", String(time(world.server.clock.now())))
    .replaceAll("$TOKEN", world.token)
    .replaceAll("$OTHERS", other.token)
    .replaceAll("$OTHER", other.id);
}

interface Answer {
  readonly status: number | undefined;
  readonly body: Record<string, string>;
}

/** Sends exactly these headers and bytes, as no client of a higher level would. */
function post(
  bytes: Uint8Array,
  { headers = { "content-type": "application/json" }, behind = "" }: Partial<AlertShape> = {},
  agentId: string = world.agentId,
): Promise<Answer> {
  const { hostname, port } = new URL(world.server.url);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        hostname,
        port,
        method: "POST",
        path: `/webhook/${agentId}${behind}`,
        headers: { ...headers, "content-length": bytes.length },
      },
      async (response) => {
        const parts = await response.toArray();
        const text = Buffer.concat(parts).toString();
        resolve({ status: response.statusCode, body: JSON.parse(text) as Record<string, string> });
      },
    );
    sent.on("error", reject);
    sent.end(bytes);
  });
}

const asOwner = async <T>(path: string): Promise<T> =>
  (
    await world.server.send("GET", `/api/agents/${world.agentId}${path}`, {
      token: world.wallet.token,
    })
  ).body as T;

const state = () => asOwner<Webhook>("/webhook/state");

/** Waits for what the owner reads of the last unreadable delivery. */
async function unreadable(): Promise<NonNullable<Webhook["unreadable"]>> {
  await expect.poll(async () => (await state()).unreadable, { timeout: 5_000 }).toBeDefined();
  return (await state()).unreadable as NonNullable<Webhook["unreadable"]>;
}

const preview = async (text: string) =>
  (
    await world.server.send("POST", `/api/agents/${world.agentId}/webhook/preview`, {
      token: world.wallet.token,
      body: { text },
    })
  ).body as { readonly outcome: string; readonly words: string };

describe("An alert as people send it", () => {
  it.each(ALERT_SHAPES.map((shape) => [shape.name, shape] as const))("%s", async (_, shape) => {
    const text = textOf(shape);
    const told = shape.told?.replace("$LENGTH", String(text.length));
    const isBytes = shape.encoding === "utf16le" || shape.encoding === "latin1";
    if (!isBytes && text.length <= 16_384) {
      // The box on the page says what the door then does
      const said = await preview(text);
      const isFilled = shape.code === "timestamp_placeholder";
      expect(said.outcome).toBe(shape.status === 202 || isFilled ? "accepted" : "refused");
      if (told !== undefined && !isFilled) expect(said.words).toBe(told);
      expect(await world.outcomes()).toEqual([]);
      expect(await world.counters()).toMatchObject({ OPEN_LONG: [0] });
    }
    const answer = await post(Buffer.from(text, shape.encoding ?? "utf8"), shape);
    expect([answer.status, answer.body["code"]]).toEqual([shape.status, shape.code]);
    expect(await world.counters()).toMatchObject({ OPEN_LONG: [shape.status === 202 ? 1 : 0] });
    if (told === undefined) {
      expect((await state()).unreadable).toBeUndefined();
      return;
    }
    if (shape.status === 422) {
      const [received] = await asOwner<readonly ReceivedSignal[]>("/signals");
      expect(reasonText(received?.reason ?? "")).toBe(told);
      return;
    }
    const shown = await unreadable();
    expect(shown).toMatchObject({ deliveries: 1, problem: told, isPast: false });
    if (shape.status === 400) {
      expect(answer.body["message"]).toBe(`The alert could not be read: ${told}`);
    }
    const { sample } = shown;
    if (shape.isShown === true && text !== "") expect(sample?.length).toBeGreaterThan(20);
    else expect(sample ?? "").toBe("");
    expect(sample?.length ?? 0).toBeLessThanOrEqual(200);
    for (const { length } of [world.token]) {
      for (let from = 0; from + 24 <= length; from += 1) {
        expect(sample ?? "").not.toContain(world.token.slice(from, from + 24));
      }
    }
    expect(JSON.stringify(await asOwner("/webhook/state"))).not.toContain(other.token.slice(0, 24));
  });

  it("counts once however its time is spelled", async () => {
    const now = Math.floor(world.server.clock.now() / 1_000) * 1_000;
    const shapes = ALERT_SHAPES.filter(({ name }) =>
      /offset of another|without a colon/.test(name),
    );
    const times = [
      new Date(now).toISOString(),
      now,
      now / 1_000,
      ...shapes.map(({ time }) => time?.(now)),
    ];
    for (const timestamp of times) await world.post(world.message({ timestamp }));
    expect(await world.counters()).toMatchObject({ OPEN_LONG: [1] });
    expect((await world.outcomes()).filter((outcome) => outcome === "accepted")).toHaveLength(1);
    const [repeat] = times;
    expect((await world.post(world.message({ timestamp: repeat }))).body.status).toBe("duplicate");
  });

  it("says the same in the documentation", () => {
    const page = join(import.meta.dirname, "../../../docs/alerts.md");
    const [before = "", , after = ""] = readFileSync(page, "utf8").split(
      /<!-- shapes[^>]*-->|<!-- end -->/,
    );
    const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ");
    const rows = ALERT_SHAPES.map((shape) => {
      const body = shape.body.length > 500 ? "…" : shape.body.replace(/^\ufeff/, "");
      const time = shape.shownTime ?? "$NOW";
      const headers = Object.values(shape.headers ?? { "content-type": "application/json" });
      const happens = shape.status === 202 ? "accepted" : `${shape.status} \`${shape.code}\``;
      const told = (shape.told ?? "").replace("$LENGTH", "140");
      const short = told.replace(/ Send the alert text as the agent's page shows it:.*/, " …");
      return `| ${shape.name} | \`${cell(body.replace("$NOW", time)) || " "}\` | ${headers.join() || "none"} | ${happens} | ${cell(short)} |`;
    });
    const table = [
      "| Shape | Body | Content type | What happens | What the owner reads |",
      "|---|---|---|---|---|",
      ...rows,
    ].join("\n");
    const right = `${before}<!-- shapes: written from test/alert-shapes.ts by RECORD_SHAPES=1 -->\n\n${table}\n\n<!-- end -->${after}`;
    if (process.env["RECORD_SHAPES"] === "1") writeFileSync(page, right);
    expect(readFileSync(page, "utf8")).toBe(right);
  });
});

describe("Deliveries that could not be read", () => {
  const words = Buffer.from("SOLUSDT Crossing 150.00");

  it("are past once a later one was taken, and begin anew", async () => {
    await post(words);
    expect((await unreadable()).isPast).toBe(false);
    world.server.clock.advance(1_000);
    expect((await world.post(world.message())).status).toBe(202);
    expect((await unreadable()).isPast).toBe(true);
    world.server.clock.advance(1_000);
    await post(Buffer.from(""));
    await expect
      .poll(async () => (await state()).unreadable, { timeout: 5_000 })
      .toMatchObject({
        deliveries: 2,
        isPast: false,
        problem: expect.stringMatching(/^it is empty/),
      });
    const ago =
      "update unreadable_deliveries set last_at = last_at - $1::interval where agent_id = $2";
    await world.database.pool.query(ago, ["2 days", world.agentId]);
    await post(words);
    await expect
      .poll(async () => (await state()).unreadable?.deliveries, { timeout: 5_000 })
      .toBe(1);
    await world.database.pool.query(ago, ["8 days", world.agentId]);
    expect((await state()).unreadable).toBeUndefined();
  });

  it("of a stranger fill one row of that agent, and none of an agent that is not there", async () => {
    const rows = async () =>
      (await world.database.pool.query("select deliveries from unreadable_deliveries")).rows;
    const writes = async () => {
      const { rows: tables } = await world.database.pool.query<{ writes: string }>(
        "select n_tup_ins + n_tup_upd as writes from pg_stat_user_tables where relname = 'unreadable_deliveries'",
      );
      return Number(tables[0]?.writes);
    };
    const before = (await rows()).length;
    const writtenBefore = await writes();
    const began = performance.now();
    await post(words, {}, "f".repeat(32));
    await post(words, {}, "nobody");
    const senders = Array.from({ length: 8 }, async () => {
      for (let sent = 0; sent < 1_250; sent += 1) await post(words);
    });
    await Promise.all(senders);
    await expect
      .poll(async () => (await state()).unreadable?.deliveries, { timeout: 10_000 })
      .toBe(10_000);
    expect((await rows()).length).toBe(before + 1);
    const seconds = (performance.now() - began) / 1_000;
    expect((await writes()) - writtenBefore).toBeLessThan(seconds + 5);
  }, 120_000);

  it("never show a token, however it is broken", async () => {
    const { token } = world;
    const [seal = ""] = token.split(".");
    const broken = [
      token,
      `${token.slice(0, 20)}\n${token.slice(20)}`,
      `${seal.slice(0, 22)}\u0000\u202e${token.slice(22)}`,
      token.split("").join("\u200b"),
      `x${"y".repeat(150)} ${token}`,
    ];
    for (const text of broken) {
      await post(Buffer.from(text));
      await expect
        .poll(async () => (await state()).unreadable?.sample, { timeout: 5_000 })
        .toContain("(hidden)");
      const { sample } = await unreadable();
      expect(sample).not.toContain(seal.slice(0, 24));
      expect(sample).not.toContain(seal.slice(-24));
      expect(sample).toMatch(/^[\x20-\x7e]*$/);
      world.server.clock.advance(1);
    }
  });
});

describe("What an alert would do", () => {
  it("is told of rules that it completes, of repeats and of agents that are off", async () => {
    const text = (alertName: string) => JSON.stringify(world.message({ alertName }));
    expect(await preview(text("breakdown"))).toEqual({
      outcome: "accepted",
      words: 'It would be accepted as the alert "breakdown" and close long.',
    });
    expect((await preview(text("breakout"))).words).toBe(
      'It would be accepted as the alert "breakout" and count; no rule would be complete yet.',
    );
    const copied = text("breakout").replace(/"20[^"]+"/, '"{{timenow}}"');
    expect((await preview(copied)).words).toMatch(/TradingView writes the time in place/);
    await world.post(text("breakout"));
    expect((await preview(text("breakout"))).outcome).toBe("duplicate");
    await world.turn(world.agentId, "off");
    expect(await preview(text("breakdown"))).toEqual({
      outcome: "ignored",
      words:
        'It is the alert "breakdown". It would be ignored and not count, because Auto-Trade is off.',
    });
    expect(await world.outcomes()).toEqual(["accepted"]);
    const orders = await world.database.pool.query("select from orders where agent_id = $1", [
      world.agentId,
    ]);
    expect(orders.rowCount).toBe(0);
  });

  it("is told to the agent's owner alone", async () => {
    const stranger = await signIn(world.server);
    const answer = await world.server.send("POST", `/api/agents/${world.agentId}/webhook/preview`, {
      token: stranger.token,
      body: { text: JSON.stringify(world.message()) },
    });
    expect(answer.status).toBe(404);
  });
});
