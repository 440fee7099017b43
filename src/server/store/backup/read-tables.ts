import type { Client } from "pg";
import { inSession } from "../postgres/in-session.ts";

/** A table as it lies in a backup: rows are PostgreSQL's own text of a row, in the order of `columns`. */
export interface BackupTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Receives a backup in order: the migrations, then each table followed by its rows. */
export interface BackupSink {
  begin(migrations: readonly string[]): Promise<void>;
  table(table: BackupTable): Promise<void>;
  rows(rows: readonly string[]): Promise<void>;
}

/** Why there is no backup; one line for the operator. */
export class NoBackupError extends Error {
  override readonly name = "NoBackupError";
}

const UNDEFINED_TABLE = "42P01";

/** Rows per reading, so that memory does not grow with the table. */
const ROWS_AT_ONCE = 500;

/** Kysely's own record, which the head of a backup stands for. */
const MIGRATION_TABLES = /^kysely_migration/;

/** The signer's schema; a table of it has the schema's name before its own. */
const TABLES = `
select case nspname when 'signer' then 'signer.' else '' end || relname as name,
  array_agg(attname::text order by attnum) as columns
from pg_class join pg_attribute on attrelid = pg_class.oid join pg_namespace on pg_namespace.oid = relnamespace
where relkind = 'r' and nspname in (current_schema(), 'signer') and attnum > 0 and not attisdropped
group by 1 order by 1`;

/** Returns the parts of a table's name, its schema first where it is not the present one. */
export const partsOf = (name: string): string[] => name.split(".");

/** Reads every table as it stood at one moment; servers go on working meanwhile. */
export async function readTables(ownerUrl: string, sink: BackupSink): Promise<void> {
  await inSession(ownerUrl, async (client) => {
    await client.query("begin isolation level repeatable read read only");
    // Figures and times are to read the same wherever they are read
    await client.query("set local datestyle = 'ISO'; set local extra_float_digits = 3");
    const migrations = await client
      .query<{ name: string }>("select name from kysely_migration order by name")
      .catch((error: unknown) => {
        const isMissing = (error as { readonly code?: unknown }).code === UNDEFINED_TABLE;
        throw isMissing
          ? new NoBackupError("There is nothing of Wheelhouse in this database.")
          : error;
      });
    await sink.begin(migrations.rows.map(({ name }) => name));
    for (const table of await listTables((text) => client.query<BackupTable>(text))) {
      await sink.table(table);
      await readRows(client, table, sink);
    }
    await client.query("commit");
  });
}

/** Lists the tables of the present schema and the signer's, without those of the migrations. */
export async function listTables(
  query: (text: string) => Promise<{ readonly rows: readonly BackupTable[] }>,
): Promise<readonly BackupTable[]> {
  const { rows } = await query(TABLES);
  return rows.filter(({ name }) => !MIGRATION_TABLES.test(name));
}

async function readRows(client: Client, { name }: BackupTable, sink: BackupSink): Promise<void> {
  const table = partsOf(name)
    .map((part) => client.escapeIdentifier(part))
    .join(".");
  await client.query(
    `declare backup_rows no scroll cursor for select held::text as row from ${table} held`,
  );
  for (;;) {
    const { rows } = await client.query<{ row: string }>(`fetch ${ROWS_AT_ONCE} from backup_rows`);
    if (rows.length === 0) break;
    await sink.rows(rows.map(({ row }) => row));
  }
  await client.query("close backup_rows");
}
