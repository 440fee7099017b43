import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withOneRole } from "../../../test/database.ts";
import { pauseProcesses } from "../../../test/pause-processes.ts";
import { createTestServer, type TestServer } from "../../../test/server.ts";
import { signIn } from "../../../test/wallet.ts";
import { type EmbeddedPostgres, launchPostgres } from "../store/launch/launch-postgres.ts";
import { inSession } from "../store/postgres/in-session.ts";
import { migrateDatabase } from "../store/postgres/migrate.ts";
import { type OpenDatabase, openDatabase } from "../store/postgres/pool.ts";

const SAID_WITHIN_MS = 1_000;
const BEAT_MS = 10;

/** A disk of its own in memory, which only root on Linux can make. */
const hasDisk = process.platform === "linux" && process.getuid?.() === 0;
const DISK = "size=160m,mode=711";

describe("A database that cannot be written to", () => {
  let dataDir: string;
  let postgres: EmbeddedPostgres;
  let database: OpenDatabase;
  let server: TestServer;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), "wheelhouse-unwritable-"));
    chmodSync(dataDir, 0o711);
    if (hasDisk) execFileSync("mount", ["-t", "tmpfs", "-o", DISK, "tmpfs", dataDir]);
    postgres = await launchPostgres({ dataDir, isKeptRunning: false });
    await migrateDatabase(postgres.url);
    database = openDatabase({ url: postgres.url, maxConnections: 2 });
    server = await createTestServer(withOneRole(database, postgres.url), {
      hasProductProbe: true,
    });
  });

  afterAll(async () => {
    await server.close();
    await database.close();
    await postgres.stop();
    if (hasDisk) execFileSync("umount", [dataDir]);
    rmSync(dataDir, { recursive: true, force: true });
  });

  const health = async () => (await server.send("GET", "/api/health")).status;

  /**
   * Breaks a working database and waits until its server reports it. The time is counted in beats of this process: what
   * the machine takes from it is not the server's.
   */
  async function expectSaid(happens: () => unknown): Promise<void> {
    await expect.poll(health).toBe(200);
    await happens();
    let beats = 0;
    const heart = setInterval(() => (beats += 1), BEAT_MS);
    try {
      await expect.poll(health, { interval: BEAT_MS }).toBe(503);
    } finally {
      clearInterval(heart);
    }
    expect(beats * BEAT_MS).toBeLessThanOrEqual(SAID_WITHIN_MS);
  }

  const administer = (...statements: readonly string[]) =>
    inSession(postgres.url, async (client) => {
      for (const statement of statements) await client.query(statement);
    });

  it("because it hangs is reported within a second, as is its recovery", async () => {
    let goOn = (): void => {};
    try {
      await expectSaid(() => (goOn = pauseProcesses(postgres.pid)));
    } finally {
      goOn();
    }
    await expect.poll(health).toBe(200);
  });

  it("because it is read-only is reported within a second, also by calls that write", async () => {
    await expectSaid(() =>
      administer("alter system set default_transaction_read_only = on", "select pg_reload_conf()"),
    );
    await expect(signIn(server)).rejects.toThrow(/^No token: .*"unavailable"/);
    await administer(
      "set default_transaction_read_only = off",
      "alter system reset default_transaction_read_only",
      "select pg_reload_conf()",
    );
    await expect.poll(health).toBe(200);
  });

  it.skipIf(!hasDisk)(
    `because its disk is full is reported within a second, as is free space${hasDisk ? "" : " (needs root on Linux)"}`,
    async () => {
      const filler = join(dataDir, "filler");
      await expectSaid(() => {
        expect(() => writeFileSync(filler, Buffer.alloc(200_000_000))).toThrow("ENOSPC");
      });
      rmSync(filler);
      await expect.poll(health).toBe(200);
    },
  );
});
