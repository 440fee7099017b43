import type { TestDatabase } from "./database.ts";

/** Returns a hash of every table's rows, so that "nothing changed" can be said of the whole database. */
export async function hashTables(database: TestDatabase): Promise<Record<string, string | null>> {
  const { rows } = await database.pool.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' order by 1",
  );
  const hashes: Record<string, string | null> = {};
  for (const { name } of rows) {
    const result = await database.pool.query<{ hash: string | null }>(
      `select md5(string_agg(row::text, '|' order by row::text)) as hash from "${name}" as row`,
    );
    hashes[name] = result.rows[0]?.hash ?? null;
  }
  return hashes;
}
