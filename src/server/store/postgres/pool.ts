import { Kysely, PostgresDialect } from "kysely";
import { Pool } from "pg";
import type { Database } from "../schema/schema.ts";

export interface DatabaseOptions {
  readonly url: string;
  readonly maxConnections?: number;
  readonly statementTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
  /** For statements that only find rows by their keys: a plan made over small tables must not read grown ones whole. */
  readonly usesKeysOnly?: boolean;
  /** Hears of connections that broke while idle; the pool replaces them by itself. */
  readonly onConnectionLost?: (error: Error) => void;
}

/** One pool of connections, bare for the hot path and typed for everything else. */
export interface OpenDatabase {
  readonly pool: Pool;
  readonly db: Kysely<Database>;
  close(): Promise<void>;
}

/** How much longer than a statement may run its answer is awaited: a database that hangs ends nothing by itself. */
const ANSWER_GRACE_MS = 2_000;

/** Opens a pool; no connection is made before the first query. */
export function openDatabase(options: DatabaseOptions): OpenDatabase {
  const statementTimeoutMs = options.statementTimeoutMs ?? 15_000;
  const pool = new Pool({
    connectionString: options.url,
    max: options.maxConnections ?? 10,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + ANSWER_GRACE_MS,
    lock_timeout: options.lockTimeoutMs ?? 10_000,
    idle_in_transaction_session_timeout: 30_000,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
    application_name: "wheelhouse",
    ...(options.usesKeysOnly ? { options: "-c enable_seqscan=off -c enable_hashjoin=off" } : {}),
    // Statements sent together reach the server together; each is still answered in its turn
    pipeline: true,
  });
  // Without a listener a broken idle connection would end the process
  pool.on("error", (error) => options.onConnectionLost?.(error));
  // The same for one that breaks in use: whoever uses it is told by the statement that fails
  pool.on("connect", (client) => client.on("error", () => {}));
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return { pool, db, close: () => db.destroy() };
}
