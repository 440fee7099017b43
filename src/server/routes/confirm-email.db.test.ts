import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/database.ts";
import { createFullServer, type FullServer } from "../../../test/full-server.ts";
import { type MailServer, startMailServer } from "../../../test/mail-server.ts";
import { sendConfirmed, signIn, type SignedIn } from "../../../test/wallet.ts";

let database: TestDatabase;
let mail: MailServer;
let server: FullServer;

beforeAll(async () => {
  [database, mail] = [await createTestDatabase(), await startMailServer()];
  server = await createFullServer(database, {
    mailUrl: mail.url,
    app: { trustedProxies: ["127.0.0.1"] },
  });
});

afterAll(async () => {
  await server.close();
  await mail.close();
  await database.drop();
});

const MINUTE_MS = 60_000;
let count = 0;
/** An address nothing was sent to yet. */
const newAddress = () => `owner${(count += 1)}@example.com`;

let callers = 0;
const newCaller = () => `198.51.100.${(callers += 1)}`;

const add = (who: SignedIn, address: string, caller = newCaller()) => {
  const send: FullServer["send"] = (method, path, sent) =>
    server.send(method, path, {
      ...sent,
      headers: { ...sent?.headers, "x-forwarded-for": caller },
    });
  const channel = { kind: "email", address, events: ["new_browser"] };
  return sendConfirmed({ send }, who, "POST", "/api/notices/channels", channel);
};
const call = (who: SignedIn, id: string, action: string, body?: unknown) =>
  server.send("POST", `/api/notices/channels/${id}/${action}`, { token: who.token, body });
const confirm = (who: SignedIn, id: string, code: string) => call(who, id, "confirm", { code });
const shown = async (who: SignedIn) =>
  (await server.send("GET", "/api/notices", { token: who.token })).body;

/** Sends what is due and returns the code of the newest mail to an address. */
async function codeSentTo(address: string): Promise<string> {
  await server.sendNotices();
  const text = mail.mails.findLast(({ to }) => to === address)?.text ?? "";
  return /\b\d{6}\b/.exec(text.slice(text.indexOf("code is")))?.[0] ?? "";
}

/** Advances time and signs in again, because a token is valid for ten minutes. */
async function after(ms: number, who: SignedIn): Promise<SignedIn> {
  server.clock.advance(ms);
  return signIn(server, who);
}

const mailsTo = (address: string) => mail.mails.filter(({ to }) => to === address).length;
const another = (code: string) => (code === "000000" ? "000001" : "000000");

async function addAddress() {
  const [who, address] = [await signIn(server), newAddress()];
  const { id } = (await add(who, address)).body;
  return { who, address, id: id as string, code: await codeSentTo(address) };
}

it("sends an address only its code until the code is entered", async () => {
  const { who, address, id, code } = await addAddress();
  expect(code).toMatch(/^\d{6}$/);
  expect(mail.mails.at(-1)?.text).toContain(who.address);
  expect((await shown(who)).channels).toMatchObject([{ id, isConfirmed: false }]);
  const test = await call(who, id, "test");
  expect([test.status, test.body.message]).toEqual([
    409,
    "Confirm this address first, with the code sent to it.",
  ]);
  await signIn(server, who, { "user-agent": "Firefox/140.0 (X11; Linux)" });
  await server.sendNotices();
  expect(mailsTo(address)).toBe(1);

  expect((await confirm(who, id, code)).status).toBe(204);
  expect((await shown(who)).channels).toMatchObject([{ id, isConfirmed: true }]);
  expect((await call(who, id, "test")).status).toBe(204);
  await server.sendNotices();
  expect(mailsTo(address)).toBe(2);
  // What happened before is not made up for
  expect(mail.mails.at(-1)?.text).toContain("Test of Wheelhouse notices");
});

it("never shows or stores the code", async () => {
  const { who, code } = await addAddress();
  const answer = await server.send("GET", "/api/notices", { token: who.token });
  expect(answer.body.history).toMatchObject([
    { kind: "code", title: "Code to confirm your e-mail address", state: "sent" },
  ]);
  expect(answer.text).not.toContain(code);
  for (const table of ["notices", "notice_codes", "notice_channels", "notice_events"]) {
    const { rows } = await database.pool.query(`select row_to_json(${table})::text from ${table}`);
    expect(JSON.stringify(rows)).not.toContain(code);
  }
});

it("allows five tries for a code and then requires a new one", async () => {
  const { who, address, id, code } = await addAddress();
  const tries = [];
  for (let each = 0; each < 6; each += 1) tries.push(await confirm(who, id, another(code)));
  expect(tries.map(({ status, body }) => [status, body.message])).toEqual([
    ...[4, 3, 2].map((left) => [422, `That is not the code. You have ${left} more tries.`]),
    [422, "That is not the code. You have 1 more try."],
    [409, "This code can no longer be used. Ask for a new one."],
    [409, "This code can no longer be used. Ask for a new one."],
  ]);
  expect((await confirm(who, id, code)).status).toBe(409);
  expect((await call(who, id, "code")).status).toBe(204);
  const fresh = await codeSentTo(address);
  expect(fresh).not.toBe(code);
  expect((await confirm(who, id, fresh)).status).toBe(204);
});

it("counts simultaneous tries", async () => {
  const { who, id, code } = await addAddress();
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => confirm(who, id, another(code))),
  );
  expect(answers.filter(({ status }) => status === 422)).toHaveLength(4);
  expect((await confirm(who, id, code)).status).toBe(409);
});

it("accepts only the newest code, for fifteen minutes", async () => {
  const { who, address, id, code } = await addAddress();
  await call(who, id, "code");
  const second = await codeSentTo(address);
  expect((await confirm(who, id, code)).status).toBe(422);
  const later = await after(15 * MINUTE_MS, who);
  expect((await confirm(later, id, second)).status).toBe(409);
});

it("does not send a code that expired while it waited", async () => {
  const [who, address] = [await signIn(server), newAddress()];
  await add(who, address);
  const later = await after(15 * MINUTE_MS, who);
  await server.sendNotices();
  expect(mailsTo(address)).toBe(0);
  expect((await shown(later)).history).toMatchObject([
    { state: "given_up", error: "The code ran out before it could be sent. Ask for a new one." },
  ]);
});

it("sends only the newest of the waiting codes", async () => {
  const [who, address] = [await signIn(server), newAddress()];
  const { id } = (await add(who, address)).body;
  await call(who, id, "code");
  const code = await codeSentTo(address);
  expect(mailsTo(address)).toBe(1);
  expect((await confirm(who, id, code)).status).toBe(204);
});

it("allows five codes per wallet and hour, even by removing and adding", async () => {
  const who = await signIn(server);
  const statuses = [];
  for (let each = 0; each < 6; each += 1) {
    const { status, body } = await add(who, newAddress());
    statuses.push([status, body.message]);
    if (status === 201) {
      const path = `/api/notices/channels/${body.id}`;
      await server.send("DELETE", path, { token: who.token });
    }
  }
  expect(statuses.slice(0, 5)).toEqual(Array(5).fill([201, undefined]));
  expect(statuses[5]).toEqual([
    429,
    "At most 5 codes are sent an hour and 10 a day, 10 a day to one address, and 300 an hour by this server. Try again later.",
  ]);
  expect((await shown(who)).channels).toEqual([]);
  const later = await after(60 * MINUTE_MS, who);
  expect((await add(later, newAddress())).status).toBe(201);
});

it("sends at most ten mails a day to one address, for any caller and spelling", async () => {
  const address = newAddress();
  const [name, host] = address.split("@");
  const statuses = [];
  for (let each = 0; each < 11; each += 1) {
    const dotted = `${name?.slice(0, 3)}.${name?.slice(3)}`;
    const written = [`${name}+${each}@${host}`, address.toUpperCase(), `${dotted}@${host}`][
      each % 3
    ];
    statuses.push((await add(await signIn(server), written ?? "")).status);
  }
  expect(statuses).toEqual([...Array(10).fill(201), 429]);
});

it("sends to at most twenty addresses a day for one caller, under any number of wallets", async () => {
  const caller = newCaller();
  const statuses = [];
  for (let each = 0; each < 21; each += 1) {
    statuses.push((await add(await signIn(server), newAddress(), caller)).status);
  }
  expect(statuses).toEqual([...Array(20).fill(201), 429]);
});

it("sends at most ten codes a day for one wallet, and 300 an hour in total", async () => {
  let who = await signIn(server);
  const statuses = [];
  for (let each = 0; each < 12; each += 1) {
    if (each === 5) who = await after(61 * MINUTE_MS, who);
    if (each === 10) who = await after(61 * MINUTE_MS, who);
    const { status, body } = await add(who, newAddress());
    statuses.push(status);
    const path = `/api/notices/channels/${body.id}`;
    if (status === 201) await server.send("DELETE", path, { token: who.token });
  }
  expect(statuses).toEqual([...Array(10).fill(201), 429, 429]);
  await database.pool.query(
    `insert into notice_codes (channel_id, owner, address_key, at)
      select 'c' || n, 'o' || n, decode(lpad(to_hex(n), 8, '0'), 'hex'), $1::timestamptz
      from generate_series(1, 300) n`,
    [new Date(server.clock.now())],
  );
  expect((await add(await signIn(server), newAddress())).status).toBe(429);
  server.clock.advance(61 * MINUTE_MS);
  expect((await add(await signIn(server), newAddress())).status).toBe(201);
});

it("confirms no address of another wallet, and no invalid address", async () => {
  const { id, code } = await addAddress();
  const stranger = await signIn(server);
  expect((await confirm(stranger, id, code)).status).toBe(404);
  expect((await call(stranger, id, "code")).status).toBe(404);
  const { body } = await sendConfirmed(server, stranger, "POST", "/api/notices/channels", {
    kind: "webhook",
    url: "https://hooks.example/x",
    events: [],
  });
  expect((await shown(stranger)).channels).toMatchObject([{ isConfirmed: true }]);
  expect((await call(stranger, body.id, "code")).status).toBe(409);
});

it.each(["12345", "1234567", "12a456", 123_456])("refuses %s as a code", async (code) => {
  const { who, id } = await addAddress();
  expect((await confirm(who, id, code as string)).status).toBe(400);
});
