import type { Db } from "./db.ts";
import { on } from "./on.ts";

/** Reads the database's clock, to which a function of the owner raises the latest recorded time. */
export async function readTime(
  db: Db,
): Promise<{ readonly shownMs: number; readonly latestMs: number }> {
  const row = await on(db).only<{ shownAt: Date; latestAt: Date }>`
    select latest_at as "latestAt", shown_at as "shownAt" from read_time()`;
  return { shownMs: row.shownAt.getTime(), latestMs: row.latestAt.getTime() };
}

/** Ends sessions of web's role that others have waited five seconds for; returns how many. */
export async function endBlockers(db: Db): Promise<number> {
  return (await on(db).only<{ ended: number }>`select end_blockers() as ended`).ended;
}

/** Accepts the database's present clock as correct, whatever it showed before. */
export async function acceptDatabaseTime(db: Db): Promise<void> {
  await on(db).change`update installation set latest_at = clock_timestamp()`;
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
  const rows = await on(db).rows<{ numbers: string }>`
    select (select system_identifier from pg_control_system()) || '/' || oid as numbers
    from pg_database where datname = current_database()`;
  return rows[0]?.numbers ?? "";
}

/** Returns the identity this installation last ran with; null before the first run. */
export async function findIdentity(db: Db): Promise<DatabaseIdentity | null> {
  const row = await on(db).only<{ identity: DatabaseIdentity | null }>`
    select identity from installation`;
  return row.identity;
}

export async function saveIdentity(db: Db, identity: DatabaseIdentity): Promise<void> {
  await on(db).change`update installation set identity = ${JSON.stringify(identity)}`;
}
