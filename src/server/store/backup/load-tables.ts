import { CompiledQuery, type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { Client } from "pg";
import { migrations } from "../migrations/migrations.ts";
import { openOwnerDatabase } from "../postgres/pool.ts";
import { type BackupTable, listTables, partsOf } from "./read-tables.ts";

/** One part of a backup, in the order it was written. */
export type BackupPart =
  | { readonly kind: "begin"; readonly migrations: readonly string[] }
  | { readonly kind: "table"; readonly table: BackupTable }
  | { readonly kind: "rows"; readonly rows: readonly string[] };

/** Why a backup is not restored; one line for the operator. */
export class RestoreRefusedError extends Error {
  override readonly name = "RestoreRefusedError";
}

/** An identity no database has: a server refuses to start on it until the restore was completed. */
const UNKNOWN_IDENTITY = JSON.stringify({ database: "restored", files: null });

/**
 * Replaces everything in a migrated database by a backup, in one transaction: a backup that breaks off changes nothing.
 *
 * The tables are made again by the backup's own migrations, so that an older backup has its own tables; later
 * migrations are the caller's. Throws `RestoreRefusedError`.
 */
export async function loadTables(
  ownerUrl: string,
  parts: AsyncIterable<BackupPart>,
  { replaces }: { readonly replaces: boolean },
): Promise<void> {
  const db = openOwnerDatabase(ownerUrl, 1);
  try {
    await requireAlone(db);
    await db.transaction().execute(async (tx) => {
      if (!replaces) await requireEmpty(tx);
      await load(tx, parts);
    });
  } finally {
    await db.destroy();
  }
}

async function load(tx: Kysely<unknown>, parts: AsyncIterable<BackupPart>): Promise<void> {
  let tables: ReadonlyMap<string, BackupTable> | null = null;
  let insertion = "";
  let references: readonly string[] = [];
  for await (const part of parts) {
    if (part.kind === "begin") {
      requireKnown(part.migrations);
      await makeTables(tx, part.migrations);
      references = await dropReferences(tx);
      tables = new Map((await tablesOf(tx)).map((table) => [table.name, table]));
    } else if (part.kind === "table") {
      insertion = insertionOf(part.table, tables?.get(part.table.name));
    } else {
      await tx.executeQuery(CompiledQuery.raw(insertion, [[...part.rows]]));
    }
  }
  await finish(tx, [...(tables?.keys() ?? [])], references);
}

/** Readings of who is connected, a tenth of a second apart: sessions of a stopped server end a moment after it. */
const LOOKS = 20;

/** Servers would go on with what they remember of the former rows. */
async function requireAlone(db: Kysely<unknown>): Promise<void> {
  for (let look = 0; look < LOOKS; look += 1) {
    const { rows } = await sql`
      select pg_sleep(0.1) from pg_stat_activity
      where datname = current_database() and application_name = 'wheelhouse' limit 1`.execute(db);
    if (rows.length === 0) return;
  }
  throw new RestoreRefusedError("A server or signer uses this database: stop each of them first.");
}

async function requireEmpty(tx: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`
    select from (select from agents union all select from chats union all select from sessions) held
    limit 1`.execute(tx);
  if (rows.length === 0) return;
  throw new RestoreRefusedError(
    "This database is in use by somebody: back it up, then say --replace, which removes everything in it.",
  );
}

function requireKnown(names: readonly string[]): void {
  const newer = names.find((name) => !(name in migrations));
  if (newer === undefined && names.length > 0) return;
  throw new RestoreRefusedError(
    newer === undefined
      ? "The backup names no migration: it is broken."
      : `The backup is of a newer version, it has ${newer}: restore it with that version.`,
  );
}

/** Removes every table and function of the schema and makes them again as the named migrations do. */
async function makeTables(tx: Kysely<unknown>, names: readonly string[]): Promise<void> {
  for (const { name } of await tablesOf(tx))
    await sql`drop table ${tableId(name)} cascade`.execute(tx);
  const { rows } = await sql<{ signature: string }>`
    select pg_proc.oid::regprocedure::text as signature from pg_proc
    where pronamespace = current_schema()::regnamespace and not exists (
      select from pg_depend where objid = pg_proc.oid and deptype = 'e')`.execute(tx);
  for (const { signature } of rows) {
    await sql.raw(`drop routine if exists ${signature} cascade`).execute(tx);
  }
  const list: Readonly<Record<string, Migration>> = migrations;
  for (const name of names.toSorted()) await list[name]?.up(tx);
  await sql`delete from kysely_migration where not name = any(${[...names]})`.execute(tx);
}

/** Drops the foreign keys and returns the statements that make them again, and lets no trigger run. */
async function dropReferences(tx: Kysely<unknown>): Promise<readonly string[]> {
  const { rows } = await sql<{ table: string; name: string; definition: string }>`
    select conrelid::regclass::text as table, quote_ident(conname) as name,
      pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and connamespace = current_schema()::regnamespace`.execute(tx);
  for (const { table, name } of rows) {
    await sql.raw(`alter table ${table} drop constraint ${name}`).execute(tx);
  }
  for (const { name } of await tablesOf(tx)) {
    await sql`alter table ${tableId(name)} disable trigger user`.execute(tx);
    // Some tables have a row from the start
    await sql`truncate ${tableId(name)}`.execute(tx);
  }
  return rows.map((row) => `alter table ${row.table} add constraint ${row.name} ${row.definition}`);
}

function insertionOf(table: BackupTable, present: BackupTable | undefined): string {
  const isSame = present?.columns.join() === table.columns.join();
  if (!isSame) throw new RestoreRefusedError(`The backup's table ${table.name} is not as it was.`);
  const quoted = (part: string) => Client.prototype.escapeIdentifier(part);
  const name = partsOf(table.name).map(quoted).join(".");
  const list = table.columns.map(quoted).join(", ");
  return `insert into ${name} (${list}) overriding system value
    select ${list} from unnest($1::text[]::${name}[])`;
}

/** Makes foreign keys and triggers again, lets numbers go on after the highest, and marks the database as restored. */
async function finish(
  tx: Kysely<unknown>,
  tables: readonly string[],
  references: readonly string[],
): Promise<void> {
  for (const name of tables) {
    await sql`alter table ${tableId(name)} enable trigger user`.execute(tx);
  }
  for (const reference of references) await sql.raw(reference).execute(tx);
  const { rows } = await sql<{ table: string; column: string }>`
    select pg_class.oid::regclass::text as table, attname as column
    from pg_attribute join pg_class on pg_class.oid = attrelid
      join pg_namespace on pg_namespace.oid = relnamespace
    where attidentity <> '' and relkind = 'r' and nspname in (current_schema(), 'signer')`.execute(
    tx,
  );
  for (const { table, column } of rows) {
    await sql`
      select setval(pg_get_serial_sequence(${sql.lit(table)}, ${column}),
        coalesce(max(${sql.id(column)}), 0) + 1, false)
      from ${sql.raw(table)}`.execute(tx);
  }
  await sql`update installation set identity = ${UNKNOWN_IDENTITY}::jsonb`.execute(tx);
}

const tableId = (name: string) => sql.id(...partsOf(name));

const tablesOf = (tx: Kysely<unknown>) =>
  listTables((text) => tx.executeQuery<BackupTable>(CompiledQuery.raw(text)));
