import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/database.ts";
import { type OpenDatabase, openDatabase } from "./pool.ts";

/** Longer than a pool keeps what is not meant to be kept. */
const QUIET_MS = 60_000;

let database: TestDatabase;
let opened: OpenDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});

afterEach(async () => {
  vi.useRealTimers();
  await opened.close();
  await database.drop();
});

async function backend(): Promise<number | undefined> {
  const { rows } = await opened.pool.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid;
}

it.each([
  [1, "keeps its connection", true],
  [0, "closes it", false],
])("with %i kept connections %s over a quiet minute", async (keptConnections, _what, isSame) => {
  opened = openDatabase({ url: database.url, keptConnections });
  const before = await backend();
  await vi.advanceTimersByTimeAsync(QUIET_MS);
  expect((await backend()) === before).toBe(isSame);
});

it("opens a new connection when the idle one was ended meanwhile", async () => {
  opened = openDatabase({ url: database.url, keptConnections: 1 });
  const before = await backend();
  await database.pool.query("select pg_terminate_backend($1)", [before]);
  await expect.poll(() => opened.pool.totalCount).toBe(0);
  expect(await backend()).not.toBe(before);
});
