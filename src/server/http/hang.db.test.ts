import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withOneRole } from "../../../test/database.ts";
import { createFullServer, type FullServer } from "../../../test/full-server.ts";
import { signIn, type SignedIn } from "../../../test/wallet.ts";
import { type EmbeddedPostgres, launchPostgres } from "../store/launch/launch-postgres.ts";
import { migrateDatabase } from "../store/postgres/migrate.ts";
import { type OpenDatabase, openDatabase } from "../store/postgres/pool.ts";

describe("While the database hangs", () => {
  let dataDir: string;
  let postgres: EmbeddedPostgres;
  let database: OpenDatabase;
  let server: FullServer;
  let wallet: SignedIn;
  let pids: readonly number[];

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), "wheelhouse-hang-"));
    chmodSync(dataDir, 0o711);
    postgres = await launchPostgres({ dataDir, isKeptRunning: false });
    await migrateDatabase(postgres.url);
    database = openDatabase({ url: postgres.url, maxConnections: 4, statementTimeoutMs: 2_000 });
    server = await createFullServer(withOneRole(database, postgres.url));
    wallet = await signIn(server);
    const { rows } = await database.pool.query<{ pid: number }>(
      "select pid from pg_stat_activity where pid is not null",
    );
    pids = [...rows.map(({ pid }) => pid), postgres.pid];
  });

  afterAll(async () => {
    await server.close();
    await database.close();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const listChats = () =>
    server.send("GET", `/api/chats/wallet/${wallet.address}/agents`, { token: wallet.token });

  it("the server answers 503, and works again once the database continues", async () => {
    await expect.poll(async () => (await listChats()).status).toBe(200);
    for (const pid of pids) process.kill(pid, "SIGSTOP");
    try {
      const answer = await listChats();
      expect([answer.status, answer.body.code]).toEqual([503, "unavailable"]);
    } finally {
      for (const pid of pids.toReversed()) process.kill(pid, "SIGCONT");
    }
    await expect.poll(async () => (await listChats()).status).toBe(200);
  });
});
