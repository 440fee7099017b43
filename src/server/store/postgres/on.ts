import { type RawBuilder, sql, CompiledQuery } from "kysely";
import type { Db } from "./db.ts";
import type { PoolClient, QueryResult, Pool } from "pg";

type Text = readonly [strings: TemplateStringsArray, ...values: unknown[]];

/**
 * Runs a statement written as a template on a database or an open transaction: `on(db).row<Agent>`select …``. Values
 * become parameters, and `sql` fragments parts of the text.
 */
export const on = (db: Db) => ({
  /** Waits for a lock of that name, and holds it until the transaction ends. */
  async lock(name: string, space = 0): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, ${space}))`.execute(db);
  },
  /** Returns all rows. */
  async rows<Row>(...text: Text): Promise<Row[]> {
    return (await sql<Row>(...text).execute(db)).rows;
  },
  /** Returns the first row, or null. */
  async row<Row>(...text: Text): Promise<Row | null> {
    return (await sql<Row>(...text).execute(db)).rows[0] ?? null;
  },
  /** Returns the first row; throws when there is none. */
  async only<Row>(...text: Text): Promise<Row> {
    const [row] = (await sql<Row>(...text).execute(db)).rows;
    if (row === undefined) throw new Error("The statement returned no row");
    return row;
  },
  /** Returns whether there is a row. */
  async has(...text: Text): Promise<boolean> {
    return (await sql(...text).execute(db)).rows.length > 0;
  },
  /** Inserts, updates or deletes; returns the number of rows. */
  async change(...text: Text): Promise<number> {
    return Number((await sql(...text).execute(db)).numAffectedRows ?? 0);
  },
});

/**
 * Deletes rows by their keys, given or selected as text, through the owner's function; returns how many. A message is named
 * by its chat's id and its own.
 */
export async function deleteRows(
  db: Db,
  table: string,
  keys: readonly string[] | RawBuilder<unknown>,
): Promise<number> {
  const array = "length" in keys ? sql`${keys}::text[]` : sql`array(${keys})`;
  const { gone } = await on(db).only<{ gone: number }>`
    select delete_rows(${table}, ${array}) as gone`;
  return gone;
}

/** Returns JSON with amounts as text, because JSON numbers cannot represent a u64, and with maps as lists. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) => {
    if (each instanceof Map) return [...each];
    return typeof each === "bigint" ? each.toString() : each;
  });

/**
 * Returns what deletes at most `limit` rows of a table from before a time, Unix milliseconds, the oldest first, and
 * returns how many. `key` and `time` are SQL: the columns that name a row, and when it ended.
 */
export const deletesBefore = (table: string, key: string, time: string) => {
  const [rows, names, ended] = [sql.raw(table), sql.raw(key), sql.raw(time)];
  return (db: Db, before: number, limit: number): Promise<number> =>
    deleteRows(
      db,
      table,
      sql`select (${names})::text from ${rows} where ${ended} < ${new Date(before)}
        order by ${ended} limit ${limit}`,
    );
};

/**
 * Runs work on a dedicated connection.
 *
 * A connection that failed is closed: closing ends any transaction or answer still in progress.
 */
export async function onOneConnection<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    const value = await work(client);
    client.release();
    return value;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/**
 * Sends statements in one write and returns their results in order.
 *
 * Rejects with the error of the first failed statement; inside a transaction all later ones failed as well.
 */
export function sendTogether(
  client: PoolClient,
  statements: readonly (Statement | string)[],
): Promise<readonly QueryResult[]> {
  const { stream } = client.connection;
  stream.cork();
  const results = Promise.all(
    statements.map((each) => (typeof each === "string" ? client.query(each) : client.query(each))),
  );
  stream.uncork();
  return results;
}

/**
 * Expression that commits its own statement without waiting for the disk. Only for what a database that crashes within
 * the next moments may forget: what was committed otherwise, before or after it, is durable as ever.
 */
export const WITHOUT_WAITING = "set_config('synchronous_commit', 'off', true)";

/** A statement the server prepares once per connection, with its values. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

/** Runs a hot-path statement through a query builder connection. */
export async function runStatement(db: Db, statement: Statement): Promise<void> {
  await db.executeQuery(CompiledQuery.raw(statement.text, statement.values));
}
