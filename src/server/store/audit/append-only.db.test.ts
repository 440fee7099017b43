import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/database.ts";
import { newTestId } from "../../../../test/world.ts";
import { openStore, type Store } from "../../main/open-store.ts";
import { insertAudit } from "./audit.ts";
import type { OpenDatabase } from "../postgres/pool.ts";

const ENTRY = { at: 0, wallet: null, action: "agent_created", object: "a" } as const;

const CHANGES = [
  "update audit_log set wallet = 'somebody else'",
  "delete from audit_log",
  "truncate audit_log",
];

/** What only somebody who owns the table may do. */
const UNDOINGS = [
  "alter table audit_log disable trigger all",
  "drop trigger audit_log_is_append_only on audit_log",
  "create or replace function keep_audit_log() returns trigger language plpgsql as 'begin return null; end'",
  "drop table audit_log",
  "set session_replication_role = replica",
  "set role postgres",
];

/** Connections that break while a database stops. */
const ignore = () => {};

/** Runs everything that must be refused, then reads what is left. */
async function attack({ pool, db }: OpenDatabase, attacks: readonly string[]) {
  await insertAudit(db, ENTRY);
  const passed: string[] = [];
  for (const text of attacks) {
    await pool.query(text).then(
      () => passed.push(text),
      () => {},
    );
  }
  const rows = await db.selectFrom("audit_log").select(["wallet", "action"]).execute();
  return { passed, rows };
}

const UNTOUCHED = { passed: [], rows: [{ wallet: null, action: "agent_created" }] };

/** The book's table has the same guard; a fresh one is empty, and a statement on no rows is refused as well. */
const BOOK_CHANGES = CHANGES.map((text) =>
  text.replace("audit_log", "ledger_entries").replace("wallet =", "owner ="),
);

describe("the audit log", () => {
  let database: TestDatabase;
  let dataDir: string;
  let store: Store | undefined;

  beforeEach(async () => {
    database = await createTestDatabase();
    dataDir = mkdtempSync(join(tmpdir(), "wheelhouse-audit-"));
  });

  afterEach(async () => {
    await store?.close();
    store = undefined;
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it("keeps its rows from changes, whoever makes them", async () => {
    expect(await attack(database, [...CHANGES, ...BOOK_CHANGES])).toEqual(UNTOUCHED);
  });

  it("cannot be opened up by the application's role, in the embedded database", async () => {
    store = await openStore(
      { dataDir, databaseUrl: undefined, databaseOwnerUrl: undefined },
      ignore,
    );
    expect(await attack(store.main, [...CHANGES, ...BOOK_CHANGES, ...UNDOINGS])).toEqual(UNTOUCHED);
    expect(store.isAuditGuarded).toBe(true);
    await store.close();
    store = await openStore(
      { dataDir, databaseUrl: undefined, databaseOwnerUrl: undefined },
      ignore,
    );
    expect(await attack(store.alerts, ["delete from audit_log"])).toMatchObject({ passed: [] });
  });

  it("cannot be opened up by a role of its own, in another database", async () => {
    const role = `app_${newTestId()}`;
    await database.pool.query(`create role ${role} login password 'secret'`);
    const config = { dataDir, databaseUrl: asRole(role), databaseOwnerUrl: database.url };
    try {
      store = await openStore(config, ignore);
      expect(await attack(store.main, [...CHANGES, ...UNDOINGS])).toEqual(UNTOUCHED);
      expect(store.isAuditGuarded).toBe(true);
      await store.close();
      store = undefined;
    } finally {
      await database.pool.query(`drop owned by ${role}`);
      await database.pool.query(`drop role ${role}`);
    }
  });

  it("is said to be unguarded where the application's role owns it", async () => {
    const config = { dataDir, databaseUrl: database.url, databaseOwnerUrl: undefined };
    store = await openStore(config, ignore);
    expect(store.isAuditGuarded).toBe(false);
    await store.close();
    store = undefined;
    await expect(openStore({ ...config, databaseOwnerUrl: database.url }, ignore)).rejects.toThrow(
      /^DATABASE_URL: its role may rewrite the audit log/,
    );
  });

  /** The test database's address with another role's name in it. */
  function asRole(role: string): string {
    const { url } = database;
    if (url.includes("user=")) return url.replace(/user=[^&]*/, `user=${role}`);
    const named = new URL(url);
    named.username = role;
    named.password = "secret";
    return named.href;
  }
});
