import { Kysely, PostgresDialect } from "kysely";
import { Client, Pool, types } from "pg";
import type { Database } from "./db.ts";

export interface DatabaseOptions {
  readonly url: string;
  readonly maxConnections?: number;
  /**
   * Connections that stay open when idle, with what they prepared: to make one and to plan its statements takes longer
   * than the order or alert that comes after a quiet moment. The others are closed after ten seconds.
   */
  readonly keptConnections?: number;
  readonly statementTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
  /** Extra time to wait for an answer beyond the statement timeout: a database that hangs enforces no timeout. */
  readonly answerGraceMs?: number;
  /**
   * For statements that find rows by key: disables plans made for small tables that would scan grown ones, and has each
   * named statement planned once per connection. Arrays of keys would have it planned again at every execution, which
   * takes longer than executing it.
   */
  readonly usesKeysOnly?: boolean;
  /** Settings of every session, as PostgreSQL's `options` of a connection. */
  readonly sessionSettings?: string;
  /** Called when an idle connection broke; the pool replaces it. */
  readonly onConnectionLost?: (error: Error) => void;
}

/** A connection pool, untyped for the hot path and typed for everything else. */
export interface OpenDatabase {
  readonly pool: Pool;
  readonly db: Kysely<Database>;
  close(): Promise<void>;
}

const ANSWER_GRACE_MS = 2_000;
const KEEP_ALIVE_MS = 10_000;
const KEYS_ONLY =
  "-c enable_seqscan=off -c enable_hashjoin=off -c plan_cache_mode=force_generic_plan";

/** Ids stored as `uuid` are 32 hex digits everywhere else. */
const TYPES = {
  getTypeParser: ((oid: number, format: "text") =>
    oid === types.builtins.UUID
      ? (text: string) => text.replaceAll("-", "")
      : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
};

/** Creates a pool; the first query makes the first connection. */
export function openDatabase(options: DatabaseOptions): OpenDatabase {
  const settings = options.usesKeysOnly ? KEYS_ONLY : options.sessionSettings;
  const statementTimeoutMs = options.statementTimeoutMs ?? 15_000;
  const pool = new Pool({
    connectionString: options.url,
    max: options.maxConnections ?? 10,
    min: options.keptConnections ?? 0,
    // A connection that is kept must not be forgotten by what lies between
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + (options.answerGraceMs ?? ANSWER_GRACE_MS),
    lock_timeout: options.lockTimeoutMs ?? 10_000,
    idle_in_transaction_session_timeout: 30_000,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
    application_name: "wheelhouse",
    ...(settings === undefined ? {} : { options: settings }),
    types: TYPES,
    // Pipelining: statements sent together arrive together and are answered in order
    pipeline: true,
  });
  outliveLoss(pool, options.onConnectionLost);
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return { pool, db, close: () => db.destroy() };
}

/** Opens the database for migrations and restores, whose statements may take longer than any other's. */
export function openOwnerDatabase(url: string, maxConnections: number): Kysely<unknown> {
  const pool = new Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: 5_000,
  });
  outliveLoss(pool);
  return new Kysely({ dialect: new PostgresDialect({ pool }) });
}

function outliveLoss(pool: Pool, onLost?: (error: Error) => void): void {
  // Without a listener an idle connection that breaks would end the process
  pool.on("error", (error) => onLost?.(error));
  // The same for a connection in use: the failing statement reports the error to its caller
  pool.on("connect", (client) => client.on("error", () => {}));
}

/** Returns where pg connects to a database that listens at a path. */
export function databaseSockets(databaseUrl: string): readonly string[] {
  const { host, port } = new Client({ connectionString: databaseUrl });
  return host.startsWith("/") ? [`${host}/.s.PGSQL.${port}`] : [];
}
