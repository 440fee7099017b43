import { randomBytes, verify, createPublicKey } from "node:crypto";
import { createServer, type Server, type Socket } from "node:net";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type MailServer, startMailServer } from "../../../test/mail-server.ts";
import {
  createPushBrowser,
  type NoticeTarget,
  startNoticeTarget,
} from "../../../test/notice-targets.ts";
import { createTradingWorld, type TradingWorld } from "../../../test/trading-world.ts";
import { savePlan } from "../../../test/save-plan.ts";
import { newTestId } from "../../../test/world.ts";
import { createKeeper } from "../../practice/programs/drift/keeper.ts";
import { DRIFT_V2_INSTANCE } from "../../venues/drift/instance.ts";
import type { ChannelKind } from "../../contract/notice-channels/list.ts";
import type { NoticeKind } from "../../domain/notice.ts";
import { insertCustodyFlag } from "../store/custody/custody-notices.ts";
import { insertChannel, listChannels, writeQuietHours } from "../store/notices/notice-channels.ts";
import { insertLowSolNotices } from "../store/notices/notice-watch.ts";
import { listNotices } from "../store/notices/notices.ts";
import { insertSession } from "../store/auth/sessions.ts";
import { signWebhook } from "./channels/webhook.ts";
import { createAddressCodes } from "./confirm-address.ts";
import { PAUSES_MS } from "./dispatcher.ts";
import { createTargetCipher, deriveNoticeKeys } from "./encrypt-target.ts";
import { openNotices } from "../main/open-notices.ts";
import { watchPlans } from "../trading/lanes/watch-plans.ts";
import { createPostOutside } from "./post-outside.ts";
import { setExchangePaused } from "../../../test/practice-operator.ts";

const PUSH_SECRET = randomBytes(32);
const NOTICE_KEYS = { ...deriveNoticeKeys(randomBytes(32)), push: PUSH_SECRET };
const TRADES: readonly NoticeKind[] = ["trade_filled", "trade_failed", "limit_reached"];

let world: TradingWorld;
let target: NoticeTarget;
const failures: unknown[] = [];

beforeEach(async () => {
  world = await createTradingWorld();
  target = await startNoticeTarget();
});

afterEach(async () => {
  await target.close();
  await world.database.drop();
  expect(failures.splice(0)).toEqual([]);
});

/** Returns the dependencies of one server process; each call is another process on the same database. */
function open(mailUrl?: string, timeoutMs = 500) {
  return openNotices({
    db: world.database.as("trading").db,
    clock: world.clock,
    random: randomBytes,
    publicUrl: new URL("https://trade.example"),
    noticeKeys: NOTICE_KEYS,
    mail: mailUrl === undefined ? undefined : { smtpUrl: mailUrl, from: "W <w@trade.example>" },
    mailTimeoutMs: 300,
    onFailure: (error) => failures.push(error),
    post: createPostOutside({ allowsPlain: true, isAllowed: () => true, timeoutMs }),
    telegramUrl: target.url,
  });
}

async function addChannel(
  kind: ChannelKind,
  sealed: object,
  events: readonly NoticeKind[] = TRADES,
): Promise<string> {
  const id = newTestId();
  const createdAt = new Date(world.clock.now());
  const channel = {
    id,
    owner: world.owner.address,
    kind,
    label: kind,
    target: open().routes.seal.seal(id, JSON.stringify(sealed)),
    events,
    createdAt,
    confirmedAt: createdAt,
  };
  await world.database.db.transaction().execute((tx) => insertChannel(tx, channel, 10));
  return id;
}

const addWebhook = (events?: readonly NoticeKind[]) =>
  addChannel("webhook", { url: `${target.url}/hook`, secret: "s3cret" }, events);

const bodies = () => target.received.map(({ body }) => JSON.parse(body.toString("utf8")));
const titles = () => bodies().map(({ title }) => title);
const history = async () => listNotices(world.database.db, world.owner.address, 50);
const states = async () => (await history()).map(({ state }) => state);

async function trade(alert: "long" | "close long" | "short" = "long"): Promise<void> {
  await world.fire(alert);
  await world.run();
}

describe("a trade's notice", () => {
  it("goes to a webhook, signed, with the fill, once it is filled and not before", async () => {
    await addWebhook();
    const { dispatcher } = open();
    await world.fire("long");
    await dispatcher.run();
    expect(target.received).toEqual([]);
    await world.run();
    await dispatcher.run();
    const [call] = target.received;
    const body = JSON.parse(call?.body.toString("utf8") ?? "");
    expect(body).toMatchObject({ event: "trade_filled", agentId: world.agentId });
    expect(body.title).toMatch(/^Practice: .+: traded$/);
    expect(body.text).toMatch(/^Open long SOL-PERP: [\d.]+ at \$\d+\.\d+\.$/);
    // Discord shows `content`, Slack `blocks` before `text`
    const message = `${body.title}\n${body.text}\n${body.url}`;
    expect(body).toMatchObject({ content: message, allowed_mentions: { parse: [] } });
    expect(body.blocks).toEqual([{ type: "section", text: { type: "plain_text", text: message } }]);
    const signature = String(call?.headers["x-wheelhouse-signature"]);
    const seconds = Number(/^t=(\d+),/.exec(signature)?.[1]);
    expect(signature).toBe(signWebhook("s3cret", seconds, call?.body.toString("utf8") ?? ""));
    expect(await dispatcher.run()).toBe(0);
    expect(await states()).toEqual(["sent"]);
  });

  it("is never sent when its record is rolled back", async () => {
    await addWebhook();
    await world.fire("long");
    const { db } = world.database;
    await db
      .transaction()
      .execute(async (tx) => {
        await tx.updateTable("trade_log").set({ status: "success" }).execute();
        throw new Error("the process dies here");
      })
      .catch(() => {});
    await open().dispatcher.run();
    expect(target.received).toEqual([]);
  });

  it("is sent by the next server when the recording one died before sending", async () => {
    await addWebhook();
    await trade();
    // Nobody sent it; a process that starts now finds it
    await open().dispatcher.run();
    expect(titles()).toHaveLength(1);
  });

  it("is repeated when a server died between sending and recording", async () => {
    await addWebhook();
    await trade();
    target.answers.push("hang");
    const dying = open().dispatcher.run();
    await expect.poll(() => target.received.length).toBe(1);
    // Another server leaves it alone for as long as the first may be at it
    await open().dispatcher.run();
    expect(target.received).toHaveLength(1);
    await dying;
    world.clock.advance(PAUSES_MS[0] ?? 0);
    await open().dispatcher.run();
    expect(new Set(bodies().map(({ id }) => id)).size).toBe(1);
    expect(target.received).toHaveLength(2);
    expect(await states()).toEqual(["sent"]);
  });

  it("keeps the order behind one that is retried", async () => {
    await addWebhook();
    await trade();
    await trade("close long");
    target.answers.push({ status: 500 }, { status: 503 });
    const { dispatcher } = open();
    await dispatcher.run();
    expect(titles()).toHaveLength(1);
    world.clock.advance(PAUSES_MS[0] ?? 0);
    await dispatcher.run();
    expect(titles()).toHaveLength(2);
    world.clock.advance(PAUSES_MS[1] ?? 0);
    await dispatcher.run();
    const texts = bodies().map(({ text }) => /^\w+ \w+/.exec(text)?.[0]);
    expect(texts).toEqual(["Open long", "Open long", "Open long", "Close long"]);
  });

  it("is retried until it is given up, which the owner sees with the reason", async () => {
    await addWebhook();
    await trade();
    const { dispatcher } = open();
    for (const pause of [...PAUSES_MS, 0]) {
      target.answers.push({ status: 500 });
      await dispatcher.run();
      world.clock.advance(pause);
    }
    expect(await history()).toMatchObject([
      { state: "given_up", attempts: PAUSES_MS.length + 1, lastError: "The address answered 500." },
    ]);
    const [channel] = await listChannels(world.database.db, world.owner.address);
    expect(channel?.lastError).toBe("The address answered 500.");
  });

  it("is dropped when it is too old, so that a dead target gathers no messages", async () => {
    await addWebhook();
    await trade();
    // The database's clock wrote the event, which the test's does not follow
    await world.database.pool.query("update notice_events set at = $1", [
      new Date(world.clock.now()),
    ]);
    target.answers.push({ status: 500 }, { status: 500 });
    const { dispatcher } = open();
    await dispatcher.run();
    world.clock.advance(36 * 3_600_000 + 1);
    await dispatcher.run();
    expect(await history()).toMatchObject([{ state: "given_up", attempts: 2 }]);
  });

  it("reaches one channel while another one's target hangs", async () => {
    await addWebhook();
    await addWebhook();
    await trade();
    await trade("close long");
    target.answers.push("hang");
    const running = open(undefined, 60_000).dispatcher.run();
    await expect.poll(() => target.received.length).toBe(3);
    // What was received is recorded as sent a moment later
    await expect
      .poll(async () => (await states()).toSorted())
      .toEqual(["sent", "sent", "waiting", "waiting"]);
    target.breakOff();
    await running;
    expect(titles()).toHaveLength(3);
  });

  it("keeps the order when two servers process events at the same moment", async () => {
    await addWebhook();
    await trade();
    const other = await world.database.pool.connect();
    try {
      await other.query("begin");
      await other.query("select from notice_events where not is_spread for update");
      await trade("close long");
      const running = open().dispatcher.run();
      await expect
        .poll(async () => {
          const { rows } = await world.database.pool.query(
            "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
          );
          return rows.length + target.received.length;
        })
        .toBeGreaterThan(0);
      await other.query("rollback");
      await running;
    } finally {
      other.release();
    }
    const texts = bodies().map(({ text }) => /^\w+ \w+/.exec(text)?.[0]);
    expect(texts).toEqual(["Open long", "Close long"]);
  });

  it("is sent at once by another server when one is stopped", async () => {
    await addWebhook();
    await trade();
    const { dispatcher } = open();
    await dispatcher.stop();
    expect(await dispatcher.run()).toBe(0);
    expect(await open().dispatcher.run()).toBe(1);
  });

  it("does not follow a redirect, even to a reachable address", async () => {
    await addWebhook();
    await trade();
    target.answers.push({ status: 302, headers: { location: `${target.url}/elsewhere` } });
    await open().dispatcher.run();
    expect(target.received.map(({ path }) => path)).toEqual(["/hook"]);
    const [row] = await history();
    expect(row?.lastError).toBe("The address sends on to another one, which is not followed.");
  });

  it("is not sent to a channel that wants only failures and limits", async () => {
    await addWebhook(["trade_failed", "limit_reached"]);
    await trade();
    await trade();
    expect((await world.story()).at(-1)).toMatch(/already_long/);
    await open().dispatcher.run();
    expect(target.received).toEqual([]);
  });

  it("is of the kind limit_reached when a limit denied the order", async () => {
    await addWebhook(["limit_reached"]);
    await world.fire("long");
    await world.database.db
      .updateTable("trade_log")
      .set({ status: "failed", reason: "loss_limit" })
      .execute();
    await open().dispatcher.run();
    expect(bodies()).toMatchObject([{ event: "limit_reached" }]);
  });
});

describe("Telegram", () => {
  const add = () => addChannel("telegram", { token: "12345:abc", chatId: "-77" });

  it("receives a message from the owner's bot, later if it asks to wait", async () => {
    await add();
    await trade();
    target.answers.push(
      { status: 429, body: { ok: false, parameters: { retry_after: 40 } } },
      { status: 502, body: "bad gateway" },
    );
    const { dispatcher } = open();
    await dispatcher.run();
    world.clock.advance(39_999);
    await dispatcher.run();
    expect(target.received).toHaveLength(1);
    world.clock.advance(1);
    await dispatcher.run();
    world.clock.advance(PAUSES_MS[1] ?? 0);
    await dispatcher.run();
    expect(target.received.map(({ path }) => path)).toEqual(
      Array(3).fill("/bot12345:abc/sendMessage"),
    );
    expect(bodies().at(-1)).toMatchObject({ chat_id: "-77" });
    expect(await states()).toEqual(["sent"]);
  });

  it("follows a group that became a supergroup", async () => {
    await add();
    await trade();
    target.answers.push({
      status: 400,
      body: {
        ok: false,
        error_code: 400,
        description: "Bad Request: group chat was upgraded to a supergroup chat",
        parameters: { migrate_to_chat_id: -1_001_234_567_890 },
      },
    });
    await open().dispatcher.run();
    expect(bodies().map(({ chat_id: chat }) => chat)).toEqual(["-77", "-1001234567890"]);
    expect(await states()).toEqual(["sent"]);
  });

  it("is given up at once where the bot was blocked, in Telegram's words", async () => {
    await add();
    await trade();
    target.answers.push({ status: 403, body: { description: "bot was blocked by the user" } });
    await open().dispatcher.run();
    expect(await history()).toMatchObject([
      { state: "given_up", lastError: "Telegram answered 403: bot was blocked by the user" },
    ]);
  });
});

describe("a browser", () => {
  it("receives an encrypted message from a verifiable sender", async () => {
    const browser = createPushBrowser();
    await addChannel("push", {
      endpoint: `${target.url}/push/1`,
      p256dh: browser.p256dh,
      auth: browser.auth,
    });
    await trade();
    const { dispatcher, routes } = open();
    await dispatcher.run();
    const [call] = target.received;
    expect(browser.decrypt(call?.body ?? Buffer.alloc(0))).toMatchObject({
      title: expect.stringMatching(/: traded$/),
      url: "https://trade.example",
    });
    expect(call?.headers).toMatchObject({ "content-encoding": "aes128gcm", urgency: "high" });
    expect(Number(call?.headers["ttl"])).toBeGreaterThan(0);

    // RFC 8292: a JWT signed with ES256 by the key a browser subscribed with, for this push service
    const [, token = "", key = ""] =
      /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(String(call?.headers.authorization)) ?? [];
    expect(key).toBe(routes.pushKey);
    const point = Buffer.from(key, "base64url");
    const publicKey = createPublicKey({
      format: "jwk",
      key: {
        kty: "EC",
        crv: "P-256",
        x: point.subarray(1, 33).toString("base64url"),
        y: point.subarray(33).toString("base64url"),
      },
    });
    const [head, claims = "", signature = ""] = token.split(".");
    const isSigned = verify(
      "sha256",
      Buffer.from(`${head}.${claims}`),
      { key: publicKey, dsaEncoding: "ieee-p1363" },
      Buffer.from(signature, "base64url"),
    );
    expect(isSigned).toBe(true);
    const { aud, exp, sub } = JSON.parse(Buffer.from(claims, "base64url").toString("utf8"));
    expect([aud, sub]).toEqual([target.url, "https://trade.example"]);
    const seconds = world.clock.now() / 1_000;
    expect(exp).toBeGreaterThan(seconds);
    expect(exp).toBeLessThanOrEqual(seconds + 24 * 3_600);
  });

  it("is given up at once when it unsubscribed", async () => {
    const { p256dh, auth } = createPushBrowser();
    await addChannel("push", { endpoint: `${target.url}/push/1`, p256dh, auth });
    await trade();
    target.answers.push({ status: 410 });
    await open().dispatcher.run();
    expect(await states()).toEqual(["given_up"]);
  });
});

describe("mail", () => {
  let server: MailServer;

  beforeEach(async () => {
    server = await startMailServer();
  });
  afterEach(() => server.close());

  it("is sent through the operator's server", async () => {
    await addChannel("email", { address: "owner@example.com" });
    await trade();
    await open(server.url).dispatcher.run();
    expect(server.mails.map(({ to }) => to)).toEqual(["owner@example.com"]);
    expect(server.mails[0]?.text).toMatch(/^Subject: Practice: .+ traded/m);
    expect(server.mails[0]?.text).toContain("https://trade.example");
    expect(await states()).toEqual(["sent"]);
  });

  it("is given up when the address is invalid", async () => {
    await addChannel("email", { address: "nobody@example.com" });
    await trade();
    await open(server.url).dispatcher.run();
    expect(await history()).toMatchObject([
      { state: "given_up", lastError: "The mail server answered 550." },
    ]);
  });

  it("waits for a hanging server, while other channels continue", async () => {
    const sockets: Socket[] = [];
    const hanging: Server = createServer((socket) => void sockets.push(socket));
    hanging.listen(0, "127.0.0.1");
    await once(hanging, "listening");
    const url = `smtp://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
    await addChannel("email", { address: "owner@example.com" });
    await addWebhook();
    await trade();
    await open(url).dispatcher.run();
    for (const socket of sockets) socket.destroy();
    hanging.close();
    expect(titles()).toHaveLength(1);
    expect(await history()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          channelKind: "email",
          state: "waiting",
          lastError: "The mail server could not be reached.",
        }),
        expect.objectContaining({ channelKind: "webhook", state: "sent" }),
      ]),
    );
  });
});

describe("another notice", () => {
  const tell = async () => {
    await open().dispatcher.run();
    return bodies().map(({ event, title }) => `${event} ${title.replace(/^Practice: /, "")}`);
  };

  it("reports that an agent is stopping and that it stopped", async () => {
    await addWebhook(["trading_stopped"]);
    await trade();
    await world.turn("off");
    await world.run();
    const told = (await tell()).map((line) => line.replace(/ .*: /, " "));
    expect(told[0]).toBe("trading_stopped stopping");
  });

  it("reports an external change once, even in quiet hours, while a trade waits for their end", async () => {
    await addWebhook(["custody_changed", "trade_filled"]);
    const { db } = world.database;
    await writeQuietHours(db, world.owner.address, { fromMinute: 0, toMinute: 1_439, zone: "UTC" });
    await trade();
    const flag = {
      agentId: world.agentId,
      owner: world.owner.address,
      key: "k",
      text: "A key was added.",
      atMs: world.clock.now(),
    };
    await insertCustodyFlag(db, "power", flag);
    await insertCustodyFlag(db, "power", flag);
    await tell();
    expect(bodies()).toMatchObject([{ event: "custody_changed", text: "A key was added." }]);
    await writeQuietHours(db, world.owner.address, null);
    world.clock.advance(24 * 3_600_000);
    await tell();
    expect(bodies().at(-1)).toMatchObject({ event: "trade_filled" });
    expect(target.received).toHaveLength(2);
  });

  it("reports a sign-in from a new browser", async () => {
    await addWebhook(["new_browser"]);
    const session = (browser: string) =>
      insertSession(world.database.db, {
        id: newTestId(),
        wallet: world.owner.address,
        browser,
        createdAt: world.clock.now(),
        expiresAt: world.clock.now() + 1_000,
      });
    await session("Firefox on Linux");
    await session("Firefox on Linux");
    expect(await tell()).toEqual(["new_browser Signed in from a new browser"]);
  });

  it("reports once an order whose outcome is unknown for a minute", async () => {
    await addWebhook(["order_unknown"]);
    await trade();
    await world.database.db
      .updateTable("orders")
      .set({ state: "unknown", submitted_at: new Date(world.clock.now()) })
      .execute();
    world.clock.advance(59_999);
    expect(await tell()).toEqual([]);
    world.clock.advance(20_000);
    await tell();
    world.clock.advance(20_000);
    expect(await tell()).toHaveLength(1);
  });

  it("reports a stop that was triggered at the exchange as the stop, and a target as a target", async () => {
    await addWebhook(["trade_filled", "stop_hit", "target_hit"]);
    await savePlan(world, {
      stop: { at: { kind: "percent", bps: 300 } },
      targets: [{ at: { kind: "percent", bps: 200 }, closePercent: 50 }],
    });
    await trade();
    world.clock.advance(1_000);
    world.setPrice(160_000_000n);
    await watchPlans(world.deps, "practice", () => {});
    await world.run();
    world.clock.advance(1_000);
    world.setPrice(149_000_000n);
    const keep = createKeeper(world.chain, DRIFT_V2_INSTANCE);
    await keep();
    world.clock.advance(13_000);
    await keep();
    await watchPlans(world.deps, "practice", () => {});
    await world.run();
    const told = await tell();
    expect(told).toMatchObject([
      expect.stringMatching(/^trade_filled .+: traded$/),
      expect.stringMatching(/^target_hit .+: a target was reached$/),
      expect.stringMatching(/^stop_hit .+: the stop closed the position$/),
    ]);
    expect(bodies().at(-1)?.text).toMatch(/^Stop\. Close long SOL-PERP: [\d.]+ at \$\d+\.\d+\.$/);
  });

  it("reports once a stop that the exchange refused twice", async () => {
    await addWebhook(["stop_missing"]);
    await trade();
    await setExchangePaused(world.chain, true);
    await savePlan(world, { stop: { at: { kind: "percent", bps: 300 } } });
    await world.run();
    expect(await tell()).toEqual([]);
    world.clock.advance(6_000);
    await world.run();
    await tell();
    world.clock.advance(6_000);
    await world.run();
    await tell();
    world.clock.advance(1_000);
    expect(await tell()).toEqual([expect.stringMatching(/the stop could not be placed$/)]);
    await setExchangePaused(world.chain, false);
  });

  it("reports once a day that the fee payer is low", async () => {
    await addWebhook(["low_sol"]);
    for (const day of ["2026-11-22", "2026-11-22", "2026-11-23"]) {
      await insertLowSolNotices(world.database.db, "practice", day);
    }
    expect(await tell()).toEqual(Array(2).fill("low_sol Orders on practice may stop"));
  });

  it("reports once a source that was silent for a day while trading is on", async () => {
    await addWebhook(["source_silent"]);
    await trade();
    world.clock.advance(24 * 3_600_000 - 60_000);
    expect(await tell()).toEqual([]);
    world.clock.advance(120_000);
    await tell();
    world.clock.advance(120_000);
    expect(await tell()).toHaveLength(1);
  });
});

it("stores targets encrypted, and says when they can no longer be decrypted", async () => {
  await addWebhook();
  const { rows } = await world.database.pool.query("select target from notice_channels");
  expect(rows[0].target.toString("utf8")).not.toContain("hook");
  await trade();
  const { dispatcher } = openNotices({
    db: world.database.as("trading").db,
    clock: world.clock,
    random: randomBytes,
    publicUrl: new URL("https://trade.example"),
    noticeKeys: { ...deriveNoticeKeys(randomBytes(32)), push: PUSH_SECRET },
    mail: undefined,
    onFailure: (error) => failures.push(error),
  });
  await dispatcher.run();
  expect(await history()).toMatchObject([
    { state: "given_up", lastError: "The server's secret was replaced. Add the channel again." },
  ]);
});

it("opens targets and repeats codes of earlier versions, which derived their keys from the session secret", () => {
  const keys = deriveNoticeKeys(Buffer.alloc(32, 7));
  const sealed =
    "0909090909090909090909090dd7eb145b95aec849458efe16c24c871590e7d4caa3d1d61b89afbeb2f9ce45d86914104458";
  expect(
    createTargetCipher(keys.targets, randomBytes).open("channel", Buffer.from(sealed, "hex")),
  ).toBe("https://a.example/hook");
  expect(createAddressCodes(keys.codes).codeOf("channel", "1")).toBe("534921");
});
