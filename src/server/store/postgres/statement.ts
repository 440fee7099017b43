import { CompiledQuery } from "kysely";
import type { Db } from "./db.ts";
import type { PoolClient, QueryResult, Pool } from "pg";

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
