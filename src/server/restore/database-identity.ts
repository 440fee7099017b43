import { statSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../environment.ts";
import type { Db } from "../store/postgres/db.ts";
import { NotMigratedError } from "../store/postgres/migrate.ts";
import {
  type DatabaseIdentity,
  type FilesIdentity,
  findIdentity,
  readDatabaseNumbers,
  saveIdentity,
} from "../store/postgres/installation.ts";

interface Place {
  readonly dataDir: string;
  /** Absent: the embedded database in `dataDir`. */
  readonly databaseUrl: string | undefined;
}

/**
 * Refuses a database that is not the one this installation last ran with: one restored from a backup brings ended sessions
 * and replaced webhook tokens back, and only the operator knows whether that is so. The owner remembers a database at its
 * first start.
 */
export async function refuseRestored(db: Db, place: Place, isOwner = true): Promise<void> {
  const known = await findIdentity(db);
  const present = await readIdentity(db, place);
  if (known === null && !isOwner) throw new NotMigratedError();
  if (known === null) return saveIdentity(db, present);
  if (isSame(known, present)) return;
  throw new ConfigError(
    "The database was restored or copied. Run: node dist/server/operate.js after-restore (ends all sessions and replaces all webhook tokens; --keep-sessions and --keep-webhook-tokens leave them).",
  );
}

export async function readIdentity(db: Db, place: Place): Promise<DatabaseIdentity> {
  return {
    database: await readDatabaseNumbers(db),
    files: place.databaseUrl === undefined ? filesOf(place.dataDir) : null,
  };
}

/** A file of the database that is written once, when the cluster is made. */
function filesOf(dataDir: string): FilesIdentity | null {
  const path = join(dataDir, "postgres", "cluster", "PG_VERSION");
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? null : { inode: `${stat.ino}`, changedAt: `${stat.ctimeNs}` };
}

/** Copied files have another inode and another time; one of the two alone can change in place. */
function isSame(known: DatabaseIdentity, present: DatabaseIdentity): boolean {
  if (known.database !== present.database) return false;
  if (known.files === null || present.files === null) return true;
  const { inode, changedAt } = present.files;
  return known.files.inode === inode || known.files.changedAt === changedAt;
}
