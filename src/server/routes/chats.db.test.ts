import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/database.ts";
import { buildCompleteDraft } from "../../../test/drafts.ts";
import { useServer } from "../../../test/server.ts";
import { createTestWallet, signIn, type SignedIn } from "../../../test/wallet.ts";

describe("Chats and messages", () => {
  const database = useDatabase();
  const server = useServer(database);
  let wallet: SignedIn;

  beforeAll(async () => {
    wallet = await signIn(server);
  });

  const send = (method: string, path: string, body?: unknown) =>
    server.send(method, path, { token: wallet.token, ...(body === undefined ? {} : { body }) });

  const addChat = async (title?: string): Promise<string> => {
    server.clock.advance(1_000);
    const answer = await send("POST", "/api/chats/add-chat", {
      ...(title === undefined ? {} : { title }),
      walletAddress: wallet.address,
    });
    expect(answer.status).toBe(201);
    return answer.body._id;
  };

  const listChats = async () =>
    (await send("GET", `/api/chats/wallet/${wallet.address}/agents`)).body;

  const message = (changes: object = {}) => ({
    _id: "message-0001",
    type: "user",
    content: "What moves SOL?",
    timestamp: "2026-11-21T08:00:00.000Z",
    ...changes,
  });

  it("lists chats by last use, with a default title", async () => {
    const first = await addChat();
    const second = await addChat("Second");
    server.clock.advance(1_000);
    await send("POST", `/api/chats/${first}/messages`, message());
    const chats = await listChats();
    expect(chats).toMatchObject([
      { _id: first, title: "New Chat", walletAddress: wallet.address },
      { _id: second, title: "Second" },
    ]);
    expect(chats[0]).not.toHaveProperty("agent");
  });

  it("lists chats in pages, each once, with the agents of the page", async () => {
    await database.pool.query(
      `insert into chats (id, owner, title, created_at, updated_at)
       select encode(uuid_send(gen_random_uuid()), 'hex'), $1, 'Chat ' || n, now(), now() - (n / 3) * interval '1 hour'
       from generate_series(1, 450) as n`,
      [wallet.address],
    );
    const pages: { _id: string }[][] = [];
    const path = `/api/chats/wallet/${wallet.address}/agents`;
    for (let query = ""; ;) {
      const { status, body } = await send("GET", `${path}${query}`);
      expect(status).toBe(200);
      pages.push(body);
      if (body.length < 200) break;
      query = `?before=${body.at(-1)._id}`;
    }
    expect(pages.map((page) => page.length)).toEqual([200, 200, pages[2]?.length]);
    const { rows } = await database.pool.query<{ id: string }>(
      "select id from chats where owner = $1 order by updated_at desc, id desc",
      [wallet.address],
    );
    expect(pages.flat().map(({ _id }) => _id)).toEqual(rows.map(({ id }) => id));
    const gone = await send("GET", `${path}?before=${"0".repeat(32)}`);
    expect([gone.status, gone.body.code]).toEqual([404, "not_found"]);
    await database.pool.query("delete from chats where owner = $1 and title like 'Chat %'", [
      wallet.address,
    ]);
  });

  it.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "refuses a message id that is a property of every object: %s",
    async (_id) => {
      const chat = await addChat();
      const answer = await send("POST", `/api/chats/${chat}/messages`, message({ _id }));
      expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, ["_id"]]);
    },
  );

  it("creates no chat for another wallet (B06)", async () => {
    const answer = await send("POST", "/api/chats/add-chat", {
      title: "x",
      walletAddress: createTestWallet().address,
    });
    expect([answer.status, answer.body.code]).toEqual([403, "forbidden"]);
  });

  it("stores a message once although it is posted repeatedly", async () => {
    const chat = await addChat();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => send("POST", `/api/chats/${chat}/messages`, message())),
    );
    for (const answer of answers) expect([answer.status, answer.body]).toEqual([201, message()]);
    const other = await send("POST", `/api/chats/${chat}/messages`, message({ content: "No." }));
    expect([other.status, other.body.code]).toEqual([409, "message_conflict"]);
    expect((await send("GET", `/api/chats/${chat}/messages`)).body).toEqual([message()]);
  });

  it("keeps messages in order of arrival", async () => {
    const chat = await addChat();
    const ids = Array.from({ length: 12 }, (_value, index) => `message-${100 - index}`);
    for (const _id of ids) await send("POST", `/api/chats/${chat}/messages`, message({ _id }));
    const stored = (await send("GET", `/api/chats/${chat}/messages`)).body;
    expect(stored.map((each: { _id: string }) => each._id)).toEqual(ids);
  });

  it("deletes one message and leaves the others", async () => {
    const chat = await addChat();
    for (const _id of ["message-0001", "message-0002", "message-0003"]) {
      await send("POST", `/api/chats/${chat}/messages`, message({ _id }));
    }
    const path = `/api/chats/${chat}/messages/message-0002`;
    expect((await send("DELETE", path)).status).toBe(204);
    expect((await send("DELETE", path)).status).toBe(404);
    const left = (await send("GET", `/api/chats/${chat}/messages`)).body;
    expect(left.map(({ _id }: { _id: string }) => _id)).toEqual(["message-0001", "message-0003"]);
    const { rows } = await database.pool.query(
      "select detail from audit_log where object = $1 and action = 'message_deleted'",
      [chat],
    );
    expect(rows).toEqual([{ detail: { message: "message-0002" } }]);
  });

  it("deletes no message through another chat of the same wallet", async () => {
    const [chat, other] = [await addChat(), await addChat()];
    await send("POST", `/api/chats/${chat}/messages`, message());
    const answer = await send("DELETE", `/api/chats/${other}/messages/message-0001`);
    expect([answer.status, answer.body.code]).toEqual([404, "not_found"]);
    expect((await send("GET", `/api/chats/${chat}/messages`)).body).toHaveLength(1);
  });

  it("finds chats of this wallet only, by their messages", async () => {
    const [first, second, third] = [await addChat(), await addChat(), await addChat()];
    const stranger = await signIn(server);
    const post = (chat: string, _id: string, content: string) =>
      send("POST", `/api/chats/${chat}/messages`, message({ _id, content }));
    await post(first, "message-0001", `${"before ".repeat(20)}the Zebra_50% crosses`);
    await post(second, "message-0001", "zebra_50% again");
    await post(first, "message-0002", "nothing of it");
    await post(third, "message-0001", "zebra-501");
    const found = await send(
      "GET",
      `/api/chats/wallet/${wallet.address}/messages?text=${encodeURIComponent("ZEBRA_50%")}`,
    );
    expect(found.body.map(({ chatId }: { chatId: string }) => chatId)).toEqual([second, first]);
    expect(found.body[0].excerpt).toBe("zebra_50% again");
    expect(found.body[1].excerpt).toMatch(/before the Zebra_50% crosses$/);
    expect(found.body[1].excerpt.length).toBeLessThan(80);
    const theirs = await server.send(
      "GET",
      `/api/chats/wallet/${stranger.address}/messages?text=zebra`,
      { token: stranger.token },
    );
    expect([theirs.status, theirs.body]).toEqual([200, []]);
  });

  it.each([
    ["a title of 10,000 characters (D19)", { title: "x".repeat(10_000) }],
    ["a blank title", { title: "   " }],
    ["an empty title", { title: "" }],
    ["a control character", { title: "a\u0000b" }],
  ])("does not rename a chat to %s", async (_name, body) => {
    const chat = await addChat("Kept");
    const answer = await send("PATCH", `/api/chats/${chat}`, body);
    expect([answer.status, answer.body.code]).toEqual([422, "validation_failed"]);
    expect(Object.keys(answer.body.fields)).toEqual(["title"]);
    expect((await listChats())[0].title).toBe("Kept");
  });

  it("keeps unusual text unchanged (D13)", async () => {
    const title = `\u202Eevil ${"\u0301".repeat(100)} 🦀`;
    const chat = await addChat();
    expect((await send("PATCH", `/api/chats/${chat}`, { title })).status).toBe(204);
    expect((await listChats())[0].title).toBe(title);
  });

  it("refuses impossible times", async () => {
    const chat = await addChat();
    for (const timestamp of ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"]) {
      const answer = await send("POST", `/api/chats/${chat}/messages`, message({ timestamp }));
      expect(answer.status).toBe(422);
    }
  });

  it("deletes a chat with its messages and with an agent that never had custody", async () => {
    const chat = await addChat();
    await send("POST", `/api/chats/${chat}/messages`, message());
    const draft = buildCompleteDraft({ agent: { chatId: chat, agentName: "goes with it" } });
    const { body } = await send("POST", "/api/agents/create-complete-agent", draft);
    expect((await send("DELETE", `/api/chats/${chat}`)).status).toBe(204);
    expect((await send("GET", `/api/chats/${chat}/messages`)).status).toBe(404);
    expect((await send("GET", `/api/alerts/${body.agent.botId}`)).status).toBe(404);
    expect((await send("DELETE", `/api/chats/${chat}`)).status).toBe(404);
  });

  it("names the wallet of every change in the audit log", async () => {
    const chat = await addChat();
    await send("PATCH", `/api/chats/${chat}`, { title: "Renamed" });
    const { rows } = await database.pool.query(
      "select wallet, action from audit_log where object = $1 order by seq",
      [chat],
    );
    expect(rows).toEqual([
      { wallet: wallet.address, action: "chat_created" },
      { wallet: wallet.address, action: "chat_renamed" },
    ]);
  });
});
