import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { useDatabase } from "../../../test/database.ts";
import { buildCompleteDraft } from "../../../test/drafts.ts";
import { createTestServer, useServer } from "../../../test/server.ts";
import { signIn, type SignedIn } from "../../../test/wallet.ts";
import { MAX_AGENTS, MAX_CHATS, MAX_MESSAGE_BYTES } from "./create-agent.ts";

const database = useDatabase();
const server = useServer(database);
let wallet: SignedIn;

beforeEach(async () => {
  wallet = await signIn(server);
});

const post = (path: string, body: unknown, by = wallet) =>
  server.send("POST", path, { token: by.token, body });

const addChat = (by = wallet) =>
  post("/api/chats/add-chat", { title: "x", walletAddress: by.address }, by);

const fillChats = (count: number) =>
  database.pool.query(
    `insert into chats (id, owner, title, created_at, updated_at)
      select md5($1 || n), $1, 'x', now(), now() from generate_series(1, $2::int) as n`,
    [wallet.address, count],
  );

const isRefused = { status: 409, body: { code: "quota_exceeded", title: "Limit Reached" } };

describe("the budget of stored bytes of one wallet and day", () => {
  const BYTES = 200_000;

  const open = async () => {
    const limited = await createTestServer(database, { storedBytesPerDay: BYTES });
    onTestFinished(() => limited.close());
    return limited;
  };

  const storedBytes = async () => {
    const { rows } = await database.pool.query<{ bytes: number }>(
      `select (select coalesce(sum(octet_length(p::text)), 0) from proposals p where owner = $1)::int
        + (select coalesce(sum(octet_length(m::text)), 0) from messages m)::int as bytes`,
      [wallet.address],
    );
    return rows[0]?.bytes ?? 0;
  };

  it("is one over proposals made and declined, messages and all else, whichever door they come by", async () => {
    const limited = await open();
    wallet = await signIn(limited);
    const send = (method: string, path: string, body?: unknown) =>
      limited.send(method, path, { token: wallet.token, body });
    const chat = (
      await send("POST", "/api/chats/add-chat", { title: "x", walletAddress: wallet.address })
    ).body;
    const statuses: number[] = [];
    for (let count = 0; count < 60; count += 1) {
      const made = await send("POST", "/api/proposals", {
        act: { kind: "stop_all" },
        minutes: 10 + count,
      });
      statuses.push(made.status);
      if (made.status === 201) await send("POST", `/api/proposals/${made.body.id}/decline`);
      const said = await send("POST", `/api/chats/${chat._id}/messages`, {
        _id: `message-${String(count).padStart(4, "0")}`,
        type: "user",
        content: "x".repeat(4_000),
        timestamp: "2026-11-21T08:00:00.000Z",
      });
      statuses.push(said.status);
    }
    expect(statuses).toContain(201);
    expect(statuses.at(-1)).toBe(429);
    expect(await storedBytes()).toBeLessThan(BYTES);
    // Ends what is there, and other wallets, are not held up by it
    const out = await send("DELETE", `/api/chats/${chat._id}`);
    expect(out.status).toBe(204);
    const other = await signIn(limited);
    const theirs = { title: "x", walletAddress: other.address };
    const added = await limited.send("POST", "/api/chats/add-chat", {
      token: other.token,
      body: theirs,
    });
    expect(added.status).toBe(201);
  });
});

describe("the quota of one wallet", () => {
  it("limits chats, even when two are added at once, and counts no other wallet's", async () => {
    await fillChats(MAX_CHATS - 1);
    const statuses = (await Promise.all([addChat(), addChat()])).map(({ status }) => status);
    expect(statuses.toSorted((left, right) => left - right)).toEqual([201, 409]);
    expect(await addChat()).toMatchObject(isRefused);
    const other = await signIn(server);
    expect((await addChat(other)).status).toBe(201);
    const made = await post("/api/agents/create-complete-agent", buildCompleteDraft());
    expect(made).toMatchObject(isRefused);
  });

  it("limits agents", async () => {
    await fillChats(MAX_AGENTS - 1);
    await database.pool.query(
      `insert into agents (id, chat_id, owner, network, venue, name, name_key, market_id, interval,
          slippage_bps, created_at, updated_at)
        select id, id, owner, 'practice', 'drift', id, id, 'SOL-PERP', '1h', 50, now(), now()
        from chats where owner = $1`,
      [wallet.address],
    );
    const add = (agentName: string) =>
      post("/api/agents/create-complete-agent", buildCompleteDraft({ agent: { agentName } }));
    expect((await add("the last")).status).toBe(201);
    expect(await add("one more")).toMatchObject(isRefused);
  });

  it("limits bytes of messages over all its chats", async () => {
    const [first, second] = [(await addChat()).body._id, (await addChat()).body._id];
    const size = MAX_MESSAGE_BYTES / 64;
    await database.pool.query(
      `insert into messages (chat_id, id, type, content, sent_at)
        select $1, 'message-' || n, 'user', repeat('x', $2::int), now() from generate_series(1, 64) as n`,
      [first, size],
    );
    const message = {
      _id: "message-0001",
      type: "user",
      content: "é",
      timestamp: "2026-11-21T08:00:00.000Z",
    };
    const path = `/api/chats/${second}/messages`;
    expect(await post(path, message)).toMatchObject(isRefused);
    await database.pool.query("delete from messages where id = 'message-64'");
    expect((await post(path, message)).status).toBe(201);
    // The same again is no addition
    expect((await post(path, message)).status).toBe(201);
  });
});
