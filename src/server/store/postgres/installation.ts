import { sql } from "kysely";
import type { Db } from "./db.ts";

/** Reads the database's clock and raises the latest recorded time. */
export async function readTime(
  db: Db,
  atLeastMs: number,
): Promise<{ readonly shownMs: number; readonly latestMs: number }> {
  const row = await db
    .updateTable("installation")
    .set({
      latest_at: sql<Date>`greatest(latest_at, clock_timestamp(), ${new Date(atLeastMs)})`,
    })
    .returning(["latest_at", sql<Date>`clock_timestamp()`.as("shown_at")])
    .executeTakeFirstOrThrow();
  return { shownMs: row.shown_at.getTime(), latestMs: row.latest_at.getTime() };
}

/** Accepts the database's present clock as correct, whatever it showed before. */
export async function acceptDatabaseTime(db: Db): Promise<void> {
  await db
    .updateTable("installation")
    .set({ latest_at: sql<Date>`clock_timestamp()` })
    .execute();
}

/** Identity that distinguishes this database from a copy of it. */
export interface DatabaseIdentity {
  /** Identifiers assigned when the cluster and the database were created. */
  readonly database: string;
  /** Files of the embedded database on disk; null for an external database. */
  readonly files: FilesIdentity | null;
}

export interface FilesIdentity {
  readonly inode: string;
  readonly changedAt: string;
}

export async function readDatabaseNumbers(db: Db): Promise<string> {
  const { rows } = await sql<{ numbers: string }>`
    select (select system_identifier from pg_control_system()) || '/' || oid as numbers
    from pg_database where datname = current_database()`.execute(db);
  return rows[0]?.numbers ?? "";
}

/** Returns the identity this installation last ran with; null before the first run. */
export async function findIdentity(db: Db): Promise<DatabaseIdentity | null> {
  const row = await db.selectFrom("installation").select("identity").executeTakeFirstOrThrow();
  return row.identity as DatabaseIdentity | null;
}

export async function saveIdentity(db: Db, identity: DatabaseIdentity): Promise<void> {
  await db
    .updateTable("installation")
    .set({ identity: JSON.stringify(identity) })
    .execute();
}
