import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AlertWorld, createAlertWorld } from "../../../test/alert-world.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/database.ts";
import { openDatabase } from "../store/postgres/pool.ts";
import { loadTables } from "../store/backup/load-tables.ts";
import { listTables, readTables } from "../store/backup/read-tables.ts";
import { migrateDatabase } from "../store/postgres/migrate.ts";
import { migrations } from "../store/migrations/migrations.ts";
import { checkBackup, readBackup, writeBackup } from "./backup-file.ts";
import { refuseRestored } from "./database-identity.ts";

const place = { dataDir: "/nowhere", databaseUrl: "postgres://elsewhere" };

describe("a backup", () => {
  let world: AlertWorld;
  let target: TestDatabase;
  let folder: string;
  let path: string;

  beforeEach(async () => {
    world = await createAlertWorld();
    target = await createTestDatabase();
    folder = mkdtempSync(join(tmpdir(), "backup-test-"));
    path = join(folder, "a.backup");
  });

  afterEach(async () => {
    await world.close();
    await target.drop();
    rmSync(folder, { recursive: true });
  });

  const backUp = () => writeBackup(world.database.url, path, { nowMs: 0, onProgress: () => {} });

  /** A server's pools are closed while a database is replaced. */
  const restore = async (replaces = false): Promise<void> => {
    await target.pool.end();
    try {
      await loadTables(
        target.url,
        readBackup(path, () => {}),
        { replaces },
      );
    } finally {
      Object.assign(target, openDatabase({ url: target.url, maxConnections: 8 }));
    }
  };

  /** Every row of every table as text, but for what marks a restored database. */
  const contentOf = async (database: TestDatabase) => {
    const tables = await listTables((text) => database.pool.query(text));
    const held = new Map<string, unknown>();
    for (const { name } of tables) {
      const { rows } = await database.pool.query(
        `select (to_jsonb(held) - 'identity')::text as row from ${name} held order by 1`,
      );
      held.set(name, rows);
    }
    return held;
  };

  const rewrite = (change: (lines: string[]) => string[]): void => {
    const lines = gunzipSync(readFileSync(path)).toString().trimEnd().split("\n");
    writeFileSync(path, gzipSync(`${change(lines).join("\n")}\n`));
  };

  it("restores every row of every table, from a file readable by this user alone", async () => {
    expect((await world.post(world.message())).status).toBe(202);
    const before = await contentOf(world.database);
    const { rows, bytes } = await backUp();
    expect(rows).toBeGreaterThan(5);
    expect(statSync(path)).toMatchObject({ size: bytes, mode: 0o100600 });
    expect(readdirSync(folder)).toEqual(["a.backup"]);

    await restore();

    expect(await contentOf(target)).toEqual(before);
    await expect(refuseRestored(target.db, place)).rejects.toThrow("after-restore");
  });

  it("restores keys, triggers and sequences like a migrated database", async () => {
    const shapeOf = async (database: TestDatabase) =>
      (
        await database.pool.query(`
          select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as text
          from pg_constraint where connamespace = 'public'::regnamespace
          union all select tgrelid::regclass::text, tgname, tgenabled::text || pg_get_triggerdef(oid)
          from pg_trigger where not tgisinternal
          union all select tablename, indexname, indexdef from pg_indexes where schemaname = 'public'
          order by 1, 2, 3`)
      ).rows;
    await backUp();
    await restore();
    expect(await shapeOf(target)).toEqual(await shapeOf(world.database));
    const next =
      "select nextval(pg_get_serial_sequence('audit_log', 'seq')) > coalesce(max(seq), 0) as ok from audit_log";
    expect((await target.pool.query(next)).rows).toEqual([{ ok: true }]);
  });

  it("shows one moment, whatever is written meanwhile", async () => {
    const before = await contentOf(world.database);
    let isLate = false;
    const late = async () => {
      if (isLate) return;
      isLate = true;
      await world.database.pool.query("insert into used_nonces select 'late', now()");
    };
    const seen: string[] = [];
    let table = "";
    await readTables(world.database.url, {
      begin: late,
      table: async ({ name }) => void (table = name),
      rows: async (rows) => void seen.push(...rows.map((row) => `${table} ${row}`)),
    });
    expect(isLate).toBe(true);
    expect(seen.filter((row) => row.startsWith("used_nonces"))).toHaveLength(
      (before.get("used_nonces") as unknown[]).length,
    );
  });

  it("of an older version is restored and then migrated", async () => {
    const names = Object.keys(migrations).toSorted();
    const older = Object.fromEntries(
      Object.entries(migrations).filter(([name]) => name !== names.at(-1)),
    );
    await target.pool.query("drop schema public, signer cascade; create schema public");
    await migrateDatabase(target.url, older);
    await target.pool.query("insert into chats values ('c', 'o', 't', now(), now())");
    await writeBackup(target.url, path, { nowMs: 0, onProgress: () => {} });
    await migrateDatabase(target.url);

    await restore(true);

    expect(await migrateDatabase(target.url)).toEqual([names.at(-1)]);
    expect((await target.pool.query("select id from chats")).rows).toEqual([{ id: "c" }]);
  });

  it("is refused when it is truncated, changed, of a newer version or another file", async () => {
    await backUp();
    const whole = readFileSync(path);
    const refused = async (reason: RegExp) => {
      await expect(checkBackup(path)).rejects.toThrow(reason);
      writeFileSync(path, whole);
    };
    writeFileSync(path, whole.subarray(0, whole.length - 20));
    await refused(/not a whole one/);
    rewrite((lines) => lines.slice(0, -1));
    await refused(/not a whole one/);
    rewrite((lines) => lines.map((line) => line.replace("Agent", "Agents")));
    await refused(/not a whole one/);
    rewrite((lines) => lines.with(3, ""));
    await refused(/no backup/);
    writeFileSync(path, "something else");
    await refused(/no backup/);
    rmSync(path);
    await refused(/cannot be read \(ENOENT\)/);
    await expect(backUp()).rejects.toThrow("is there already");
  });

  it("of a newer version, or a truncated one, leaves the database unchanged", async () => {
    await target.pool.query("insert into chats values ('c', 'o', 't', now(), now())");
    const before = await contentOf(target);
    await backUp();
    const whole = readFileSync(path);
    rewrite((lines) => lines.slice(0, -1));
    await expect(restore(true)).rejects.toThrow("not a whole one");
    writeFileSync(path, whole);
    rewrite((lines) =>
      lines.map((line) => line.replace('"0001-initial"', '"0001-initial","9999-later"')),
    );
    await expect(restore(true)).rejects.toThrow("newer version, it has 9999-later");
    expect(await contentOf(target)).toEqual(before);
  });

  it("replaces no database in use unless forced, and never one that a server has open", async () => {
    await backUp();
    await target.pool.query("insert into chats values ('c', 'o', 't', now(), now())");
    await expect(restore()).rejects.toThrow("--replace");
    const server = openDatabase({ url: target.url, maxConnections: 1 });
    await server.pool.query("select 1");
    await expect(restore(true)).rejects.toThrow("stop each of them first");
    await server.pool.end();
    await restore(true);
    expect(await contentOf(target)).toEqual(await contentOf(world.database));
  });
});
