import { Kysely, PostgresDialect } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { Pool } from "pg";
import { migrations } from "../migrations/migrations.ts";

/**
 * Brings the database to this version and returns the names of the migrations that ran.
 *
 * All of them in one transaction under one lock: of several starting servers one migrates and the others wait. Throws
 * when the database is newer than the program.
 */
export async function migrateDatabase(
  url: string,
  list: Readonly<Record<string, Migration>> = migrations,
): Promise<string[]> {
  // Its own connections: a migration may take longer than any query is allowed to
  const pool = new Pool({ connectionString: url, max: 2, connectionTimeoutMillis: 5_000 });
  pool.on("error", () => {});
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...list }) } });
    const { error, results } = await migrator.migrateToLatest();
    if (error !== undefined) throw error;
    return (results ?? []).map((result) => result.migrationName);
  } finally {
    await db.destroy();
  }
}
