import { beforeAll, beforeEach, expect, it } from "vitest";
import { useDatabase } from "../../../test/database.ts";
import { useServer } from "../../../test/server.ts";
import { signIn, type SignedIn } from "../../../test/wallet.ts";
import { MESSAGE_PAGE_CHARACTERS } from "../../contract/chats.ts";

const database = useDatabase();
const server = useServer(database);
let wallet: SignedIn;
let chat: string;

beforeAll(async () => {
  wallet = await signIn(server);
});

const send = (method: "GET" | "POST" | "DELETE", path: string, body?: object) =>
  server.send(method, path, { token: wallet.token, body });

beforeEach(async () => {
  const body = { title: "Long", walletAddress: wallet.address };
  chat = (await send("POST", "/api/chats/add-chat", body)).body._id;
});

/** Adds messages `message-1001` and on, with as many characters each. */
const add = (count: number, characters: number) =>
  database.pool.query(
    `insert into messages (chat_id, id, type, content, sent_at)
     select $1, 'message-' || 1000 + n, 'user', repeat('😀', $3::int), now() from generate_series(1, $2::int) as n`,
    [chat, count, characters],
  );

const read = async (before?: string): Promise<readonly string[]> => {
  const query = before === undefined ? "" : `?before=${before}`;
  const { status, body } = await send("GET", `/api/chats/${chat}/messages${query}`);
  expect(status).toBe(200);
  return body.map(({ _id }: { _id: string }) => _id);
};

/** Reads from the newest page to an empty one. */
async function readAll() {
  const pages: (readonly string[])[] = [];
  for (let page = await read(); page.length > 0; page = await read(page[0])) pages.unshift(page);
  return { ids: pages.flat(), lengths: pages.map(({ length }) => length) };
}

const expected = (count: number) =>
  Array.from({ length: count }, (_, at) => `message-${1001 + at}`);

it("returns messages in pages of 200, complete and in order", async () => {
  await add(450, 10);
  const { ids, lengths } = await readAll();
  expect(ids).toEqual(expected(450));
  expect(lengths).toEqual([50, 200, 200]);
});

it("returns fewer long messages per page, and one of any length", async () => {
  await add(5, MESSAGE_PAGE_CHARACTERS / 2);
  expect((await readAll()).lengths).toEqual([1, 2, 2]);
  await database.pool.query("update messages set content = repeat('x', $2) where chat_id = $1", [
    chat,
    MESSAGE_PAGE_CHARACTERS * 2,
  ]);
  expect((await readAll()).lengths).toEqual([1, 1, 1, 1, 1]);
});

it("never treats a deleted message as the beginning of the chat", async () => {
  await add(3, 10);
  await send("DELETE", `/api/chats/${chat}/messages/message-1002`);
  const gone = await send("GET", `/api/chats/${chat}/messages?before=message-1002`);
  expect([gone.status, gone.body.code]).toEqual([404, "not_found"]);
  expect(await read("message-1003")).toEqual(["message-1001"]);
});
