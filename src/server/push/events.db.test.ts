import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestClock } from "../../../test/clock.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/database.ts";
import { createTestServer, type TestServer } from "../../../test/server.ts";
import { signIn, type SignedIn } from "../../../test/wallet.ts";

/** Reads a stream of events as text. */
class Listener {
  text = "";
  isOver = false;
  readonly #abort = new AbortController();
  readonly #reading: Promise<void>;
  readonly status: number;

  constructor(response: Response, abort: AbortController) {
    this.status = response.status;
    this.#abort = abort;
    this.#reading = this.#read(response);
  }

  static async open(server: TestServer, token: string): Promise<Listener> {
    const abort = new AbortController();
    const response = await fetch(`${server.url}/api/events`, {
      headers: { authorization: `Bearer ${token}` },
      signal: abort.signal,
    });
    return new Listener(response, abort);
  }

  async #read(response: Response): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) this.text += decoder.decode(chunk);
    } catch {
      // Aborted by the test
    }
    this.isOver = true;
  }

  get notices(): unknown[] {
    return [...this.text.matchAll(/^event: stale\ndata: (.*)\n\n/gm)].map(([, data]) =>
      JSON.parse(data ?? ""),
    );
  }

  async close(): Promise<void> {
    this.#abort.abort();
    await this.#reading;
  }
}

/** Statements of this database that wait for a lock. */
const WAITING = `select count(*)::int from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;

describe("Pushes over two servers on one database", () => {
  const clock = createTestClock();
  const secret = new Uint8Array(32).fill(5);
  let database: TestDatabase;
  let first: TestServer;
  let second: TestServer;

  beforeAll(async () => {
    database = await createTestDatabase();
    const options = { clock, secret, heartbeatMs: 50 };
    first = await createTestServer(database, options);
    second = await createTestServer(database, options);
  });

  afterAll(async () => {
    await first.close();
    await second.close();
    await database.drop();
  });

  const addChat = async (server: TestServer, wallet: SignedIn): Promise<string> => {
    const { body } = await server.send("POST", "/api/chats/add-chat", {
      token: wallet.token,
      body: { walletAddress: wallet.address },
    });
    return body._id;
  };

  it("notifies every tab of the wallet, and nobody else, of stale data", async () => {
    const [owner, stranger] = [await signIn(first), await signIn(first)];
    const here = await Listener.open(first, owner.token);
    const there = await Listener.open(second, owner.token);
    const other = await Listener.open(second, stranger.token);
    const chat = await addChat(first, owner);
    await first.send("POST", `/api/chats/${chat}/messages`, {
      token: owner.token,
      body: {
        _id: "message-0001",
        type: "user",
        content: "secret words",
        timestamp: "2026-11-21T08:00:00.000Z",
      },
    });
    const notices = [{ topic: "chats" }, { topic: "messages", id: chat }];
    for (const tab of [here, there]) {
      // Hints carry no order: each only says what to ask for again
      await expect.poll(() => tab.notices).toHaveLength(notices.length);
      expect(tab.notices).toEqual(expect.arrayContaining(notices));
    }
    await addChat(first, stranger);
    await expect.poll(() => other.notices).toEqual([{ topic: "chats" }]);
    for (const tab of [here, there, other]) await tab.close();
  });

  it("requires a session", async () => {
    expect((await first.send("GET", "/api/events")).status).toBe(401);
    expect((await first.send("GET", "/api/events", { token: "x.y.z" })).status).toBe(401);
  });

  it("ends at logout on every server", async () => {
    const wallet = await signIn(first);
    const tabs = [
      await Listener.open(first, wallet.token),
      await Listener.open(second, wallet.token),
    ];
    await first.send("POST", "/api/auth/logout", { token: wallet.token });
    for (const tab of tabs) await expect.poll(() => tab.isOver).toBe(true);
  });

  it("ends when the session was ended in the database or the token ran out", async () => {
    const [revoked, expired] = [await signIn(first), await signIn(first)];
    const revokedTab = await Listener.open(second, revoked.token);
    await database.pool.query("update sessions set revoked_at = now() where wallet = $1", [
      revoked.address,
    ]);
    await expect.poll(() => revokedTab.isOver).toBe(true);
    const expiredTab = await Listener.open(second, expired.token);
    await expect.poll(() => expiredTab.text).toContain(": beat");
    clock.advance(10 * 60_000);
    await expect.poll(() => expiredTab.isOver).toBe(true);
  });

  it("allows ten streams per wallet", async () => {
    const wallet = await signIn(first);
    const tabs = [];
    for (let count = 0; count < 10; count += 1) {
      tabs.push(await Listener.open(first, wallet.token));
    }
    const refused = await first.send("GET", "/api/events", { token: wallet.token });
    expect([refused.status, refused.body.code]).toEqual([429, "rate_limited"]);
    await tabs.pop()?.close();
    await expect
      .poll(async () => {
        const again = await Listener.open(first, wallet.token);
        await again.close();
        return again.status;
      })
      .toBe(200);
    for (const tab of tabs) await tab.close();
  });

  it("does not count tabs that closed before their session was checked", async () => {
    const wallet = await signIn(first);
    const holder = await database.pool.connect();
    await holder.query("begin");
    await holder.query("lock table sessions in access exclusive mode");
    const headers = { authorization: `Bearer ${wallet.token}` };
    const leaving = Array.from({ length: 10 }, async () => {
      const abort = new AbortController();
      const asked = fetch(`${first.url}/api/events`, { headers, signal: abort.signal });
      return { abort, asked: asked.catch(() => null) };
    });
    const tabs = await Promise.all(leaving);
    await expect
      .poll(async () => {
        // Within a transaction the server's view of its connections stays as it was first asked for
        await holder.query("select pg_stat_clear_snapshot()");
        return (await holder.query(WAITING)).rows[0]?.count;
      })
      .toBeGreaterThanOrEqual(1);
    for (const tab of tabs) tab.abort.abort();
    await Promise.all(tabs.map(({ asked }) => asked));
    expect((await first.send("GET", "/api/deployment")).status).toBe(200);
    await holder.query("commit");
    holder.release();
    await expect.poll(async () => (await database.pool.query(WAITING)).rows[0]?.count).toBe(0);
    const tab = await Listener.open(first, wallet.token);
    expect(tab.status).toBe(200);
    await tab.close();
  });
});
