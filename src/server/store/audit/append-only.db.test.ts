import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/database.ts";
import { newTestId } from "../../../../test/world.ts";
import { type DatabaseHost, openDatabaseHost } from "../../main/open-database-host.ts";
import { isAuditGuarded } from "../postgres/process-roles.ts";
import { insertAudit } from "./audit.ts";
import { openDatabase } from "../postgres/pool.ts";

const CHANGES = [
  "update audit_log set wallet = 'somebody else'",
  "delete from audit_log",
  "truncate audit_log",
];

/** Statements that only the table's owner may run. */
const UNDOINGS = [
  "alter table audit_log disable trigger all",
  "drop trigger audit_log_is_append_only on audit_log",
  "create or replace function keep_audit_log() returns trigger language plpgsql as 'begin return null; end'",
  "drop table audit_log",
  "set session_replication_role = replica",
  "set role postgres",
];

/** Runs everything that must be refused, then reads what is left. */
async function attack({ url }: { readonly url: string }, attacks: readonly string[]) {
  const { pool, db, close } = openDatabase({ url, maxConnections: 1 });
  await insertAudit(db, 0, null, "agent_created", "a");
  const passed: string[] = [];
  for (const text of attacks) {
    await pool.query(text).then(
      () => passed.push(text),
      () => {},
    );
  }
  const rows = await db.selectFrom("audit_log").select(["wallet", "action"]).execute();
  await close();
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
  let host: DatabaseHost | undefined;

  beforeEach(async () => {
    database = await createTestDatabase();
    dataDir = mkdtempSync(join(tmpdir(), "wheelhouse-audit-"));
  });

  afterEach(async () => {
    await host?.close();
    host = undefined;
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it("protects its rows from changes by any role", async () => {
    expect(await attack(database, [...CHANGES, ...BOOK_CHANGES])).toEqual(UNTOUCHED);
  });

  it("cannot be unprotected by the application's role in the embedded database", async () => {
    const embedded = { dataDir, databaseUrl: undefined, databaseOwnerUrl: undefined };
    host = await openDatabaseHost(embedded);
    expect(
      await attack({ url: host.urls.web }, [...CHANGES, ...BOOK_CHANGES, ...UNDOINGS]),
    ).toEqual(UNTOUCHED);
    expect(await isAuditGuarded(host.urls.web)).toBe(true);
    await host.close();
    host = await openDatabaseHost(embedded);
    expect(await attack({ url: host.urls.web }, ["delete from audit_log"])).toMatchObject({
      passed: [],
    });
  });

  it("cannot be unprotected by a separate application role in another database", async () => {
    const role = `app_${newTestId()}`;
    await database.pool.query(`create role ${role} login password 'secret'`);
    const config = { dataDir, databaseUrl: asRole(role), databaseOwnerUrl: database.url };
    try {
      host = await openDatabaseHost(config);
      expect(await attack({ url: host.urls.web }, [...CHANGES, ...UNDOINGS])).toEqual(UNTOUCHED);
      expect(await isAuditGuarded(host.urls.web)).toBe(true);
      await host.close();
      host = undefined;
    } finally {
      await database.pool.query(`drop owned by ${role}`);
      await database.pool.query(`drop role ${role}`);
    }
  });

  it("is reported as unprotected where the application's role owns it", async () => {
    const config = { dataDir, databaseUrl: database.url, databaseOwnerUrl: undefined };
    host = await openDatabaseHost(config);
    expect(await isAuditGuarded(host.urls.web)).toBe(false);
    await host.close();
    host = undefined;
    await expect(openDatabaseHost({ ...config, databaseOwnerUrl: database.url })).rejects.toThrow(
      /^DATABASE_URL: its role may rewrite the audit log/,
    );
  });

  /** The test database's address with another role's name in it. */
  function asRole(role: string): string {
    const { url } = database;
    if (url.includes("user=")) {
      return url.replace(/user=[^&]*/, `user=${role}`).replace(/password=[^&]*/, "password=secret");
    }
    const named = new URL(url);
    named.username = role;
    named.password = "secret";
    return named.href;
  }
});
