import { sql } from "kysely";
import type { Db } from "./db.ts";

/** Reads the database's clock and raises the latest time that is known of it. */
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

/** Takes what the database's clock shows now for right, whatever it showed before. */
export async function acceptTime(db: Db): Promise<void> {
  await db
    .updateTable("installation")
    .set({ latest_at: sql<Date>`clock_timestamp()` })
    .execute();
}

/** What tells this database from a copy of it. */
export interface DatabaseIdentity {
  /** Numbers that a cluster and a database get when they are made. */
  readonly database: string;
  /** The embedded database's files on disk; null for one elsewhere. */
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

/** The identity this installation last ran with; null before the first time. */
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
