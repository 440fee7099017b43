import { beforeAll, expect, it } from "vitest";
import type { ChannelKind } from "../../contract/notice-channels/list.ts";
import { parseOwner } from "../../domain/ids.ts";
import { insertChannel } from "../store/notices/notice-channels.ts";
import { useDatabase } from "../../../test/database.ts";
import { useFullServer } from "../../../test/full-server.ts";
import { sendConfirmed, signIn, type SignedIn } from "../../../test/wallet.ts";

const database = useDatabase();
const server = useFullServer(database);
let owner: SignedIn;
let stranger: SignedIn;

beforeAll(async () => {
  [owner, stranger] = [await signIn(server), await signIn(server)];
});

const send = (method: string, path: string, body?: unknown, who = owner) =>
  server.send(method, `/api/notices${path}`, { body, token: who.token });
const add = (body: unknown, who = owner) =>
  sendConfirmed(server, who, "POST", "/api/notices/channels", body);
const WEBHOOK = {
  kind: "webhook",
  url: "https://hooks.example/secret-path",
  events: ["trade_filled"],
};

it("stores a wallet's choices, and never shows targets and secrets again", async () => {
  const added = await add(WEBHOOK);
  expect(added.status).toBe(201);
  expect(added.body.secret).toMatch(/^[0-9a-f]{64}$/);
  server.clock.advance(1_000);
  const token = `123456:${"A".repeat(35)}`;
  const telegram = { kind: "telegram", token, chatId: "-1001", events: [] };
  expect((await add(telegram)).status).toBe(201);
  const quietHours = { fromMinute: 1_320, toMinute: 420, zone: "Europe/Berlin" };
  expect((await send("PUT", "/quiet-hours", { quietHours })).status).toBe(204);
  const events = ["trade_failed", "low_sol"];
  const path = `/api/notices/channels/${added.body.id}`;
  expect((await sendConfirmed(server, owner, "PUT", path, { events })).status).toBe(204);

  const shown = await send("GET", "");
  expect(shown.body).toMatchObject({
    offered: ["push", "telegram", "webhook"],
    quietHours,
    channels: [
      { kind: "webhook", label: "hooks.example", events: ["trade_failed", "low_sol"] },
      { kind: "telegram", label: "Chat -1001", events: [] },
    ],
    history: [{ kind: "muted", title: "Fewer notices here" }],
  });
  for (const secret of [token, added.body.secret, "secret-path"]) {
    expect(shown.text).not.toContain(secret);
  }
  expect((await send("GET", "", undefined, stranger)).body.channels).toEqual([]);
});

it("requires the wallet's signature for each new target, whatever was signed before", async () => {
  const one = await signIn(server);
  expect((await add(WEBHOOK, one)).status).toBe(201);
  const asked = await send(
    "POST",
    "/channels",
    { ...WEBHOOK, url: "https://thief.example/x" },
    one,
  );
  expect([asked.status, asked.body.code]).toEqual([403, "confirmation_needed"]);
  expect(asked.body.confirm.message).toContain("the webhook at thief.example");
  expect((await send("GET", "", undefined, one)).body.channels).toHaveLength(1);
});

it("changes nothing of another wallet's", async () => {
  server.clock.advance(1_000);
  const { body } = await add(WEBHOOK);
  for (const [method, path, content] of [
    ["PUT", `/channels/${body.id}`, { events: [] }],
    ["POST", `/channels/${body.id}/test`, undefined],
    ["DELETE", `/channels/${body.id}`, undefined],
  ] as const) {
    expect((await send(method, path, content, stranger)).status).toBe(404);
  }
  const { channels } = (await send("GET", "")).body;
  expect(channels.at(-1)).toMatchObject({ id: body.id, events: ["trade_filled"] });
});

it("queues tests, ten an hour, and drops what waits for a removed channel", async () => {
  const { id } = (await add(WEBHOOK)).body;
  const statuses = [];
  for (let count = 0; count < 11; count += 1) {
    statuses.push((await send("POST", `/channels/${id}/test`)).status);
  }
  expect(statuses).toEqual([...Array(10).fill(204), 429]);
  const path = `/api/notices/channels/${id}`;
  expect((await sendConfirmed(server, owner, "DELETE", path)).status).toBe(204);
  const { history, channels } = (await send("GET", "")).body;
  expect(channels.map((channel: { id: string }) => channel.id)).not.toContain(id);
  expect(history).toHaveLength(12);
  expect(history[0]).toMatchObject({ kind: "muted", state: "waiting", title: "Notices end here" });
  expect(history[1]).toMatchObject({
    kind: "test",
    state: "given_up",
    title: "Test of Wheelhouse notices",
    error: "The channel was removed.",
  });
});

it("wants the signature for what mutes a channel, tells the channel, and neither for telling more", async () => {
  const one = await signIn(server);
  const { id } = (await add({ ...WEBHOOK, events: ["trade_filled", "low_sol"] }, one)).body;
  const path = `/channels/${id}`;
  const mute = { events: ["low_sol", "trade_failed"] };
  const asked = await send("PUT", path, mute, one);
  expect([asked.status, asked.body.code]).toEqual([403, "confirmation_needed"]);
  expect(asked.body.confirm.message).toMatch(/^Tell .* no longer about: trade filled\.$/m);
  const removal = await send("DELETE", path, undefined, one);
  expect([removal.status, removal.body.code]).toEqual([403, "confirmation_needed"]);
  expect((await send("GET", "", undefined, one)).body.history).toEqual([]);
  const more = { events: ["trade_filled", "low_sol", "trade_failed"] };
  expect((await send("PUT", path, more, one)).status).toBe(204);
  expect((await sendConfirmed(server, one, "PUT", `/api/notices${path}`, mute)).status).toBe(204);
  const { history } = (await send("GET", "", undefined, one)).body;
  expect(history).toMatchObject([
    { kind: "muted", body: expect.stringContaining("Not told here any more: trade filled.") },
  ]);
});

it.each([
  ["plain http", { ...WEBHOOK, url: "http://hooks.example/x" }, 400],
  ["an unknown event", { ...WEBHOOK, events: ["everything"] }],
  ["an event twice", { ...WEBHOOK, events: ["low_sol", "low_sol"] }],
  ["no bot token", { kind: "telegram", token: "x/../y", chatId: "1", events: [] }, 400],
  [
    "a channel this server has no settings for",
    { kind: "email", address: "a@b.example", events: [] },
  ],
])("refuses %s", async (_name, body, status = 422) => {
  expect((await add(body)).status).toBe(status);
});

it("refuses quiet hours in an unknown time zone", async () => {
  const quietHours = { fromMinute: 0, toMinute: 60, zone: "Mars/Olympus" };
  expect((await send("PUT", "/quiet-hours", { quietHours })).status).toBe(422);
});

it("keeps at most ten channels of a wallet", async () => {
  const one = await signIn(server);
  const statuses = await Promise.all(
    Array.from({ length: 12 }, async () => (await add(WEBHOOK, one)).status),
  );
  expect(statuses.toSorted((a, b) => a - b)).toEqual([...Array(10).fill(201), 409, 409]);
});

it("stores every kind of channel in the contract", async () => {
  const channel = {
    id: "kind-of-tomorrow",
    owner: parseOwner(owner.address),
    kind: "ntfy" as ChannelKind,
    label: "A topic",
    target: new Uint8Array(1),
    events: [],
    createdAt: new Date(server.clock.now()),
    confirmedAt: null,
  };
  const isAdded = await database.db
    .transaction()
    .execute((tx) => insertChannel(tx, channel, Number.MAX_SAFE_INTEGER));
  expect(isAdded).toBe(true);
});
