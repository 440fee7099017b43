import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { migrations } from "../migrations/migrations.ts";
import { inSession } from "./in-session.ts";
import { openOwnerDatabase } from "./pool.ts";

/** The database was migrated by a newer version; the message is one line for the operator. */
export class NewerDatabaseError extends Error {
  override readonly name = "NewerDatabaseError";
}

/** Whoever migrates the database has not done so yet. */
export class NotMigratedError extends Error {
  override readonly name = "NotMigratedError";
  override readonly message =
    "the server with the owner's address has not yet migrated it to this version";
}

/** Returns whether the URL's role owns the tables, or the database while there are none. */
export const mayMigrate = (url: string): Promise<boolean> =>
  inSession(url, async (client) => {
    const { rows } = await client.query<{ isOwner: boolean }>(
      `select pg_has_role(coalesce((select relowner from pg_class where oid = to_regclass('kysely_migration')), datdba),
        'member') as "isOwner" from pg_database where datname = current_database()`,
    );
    return rows[0]?.isOwner === true;
  });

/** Throws `NotMigratedError` or `NewerDatabaseError` unless the database is of this version. */
export const requireMigrated = (url: string): Promise<void> =>
  inSession(url, async (client) => {
    const { rows: calls } = await client.query<{ mayCall: boolean | null }>(
      `select has_function_privilege(to_regprocedure('list_migrations()'), 'execute') as "mayCall"`,
    );
    if (calls[0]?.mayCall !== true) throw new NotMigratedError();
    const { rows } = await client.query<{ name: string }>(
      "select name from list_migrations() as name",
    );
    requireKnown(rows, migrations);
    if (rows.length < Object.keys(migrations).length) throw new NotMigratedError();
  });

/**
 * Migrates the database to this version and returns the names of the migrations that ran.
 *
 * All migrations run in one transaction under one lock: of several starting servers one migrates and the others wait.
 * Throws `NewerDatabaseError` when the database is newer than the program.
 */
export async function migrateDatabase(
  url: string,
  list: Readonly<Record<string, Migration>> = migrations,
): Promise<string[]> {
  const db = openOwnerDatabase(url, 2);
  try {
    await requireKnownMigrations(db, list);
    const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...list }) } });
    const { error, results } = await migrator.migrateToLatest();
    if (error !== undefined) throw error;
    return (results ?? []).map((result) => result.migrationName);
  } finally {
    await db.destroy();
  }
}

async function requireKnownMigrations(
  db: Kysely<unknown>,
  list: Readonly<Record<string, Migration>>,
): Promise<void> {
  const { rows: tables } = await sql<{ name: string | null }>`
    select to_regclass('kysely_migration')::text as name`.execute(db);
  if (tables[0]?.name == null) return;
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name desc`.execute(db);
  requireKnown(rows, list);
}

function requireKnown(
  rows: readonly { readonly name: string }[],
  list: Readonly<Record<string, Migration>>,
): void {
  const newer = rows.find(({ name }) => !(name in list));
  if (newer === undefined) return;
  throw new NewerDatabaseError(
    `The database is newer than this version, it has ${newer.name}: start the newer version, or restore a backup from before the upgrade (docs/upgrading.md).`,
  );
}
