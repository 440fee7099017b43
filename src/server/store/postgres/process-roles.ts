import { Client } from "pg";
import { inSession } from "./in-session.ts";

/** Processes that each have a role of their own in the database. */
export const PROCESSES = ["web", "trading", "signer"] as const;
export type ProcessName = (typeof PROCESSES)[number];

/** Connection URL of each process. */
export type ProcessUrls = Readonly<Record<ProcessName, string>>;

export const forEachProcess = <T>(of: (name: ProcessName) => T): Readonly<Record<ProcessName, T>> =>
  Object.fromEntries(PROCESSES.map((name) => [name, of(name)])) as Record<ProcessName, T>;

/** Append-only tables. */
const APPEND_ONLY = ["audit_log", "ledger_entries", "owner_facts", "operator_orders"];

/**
 * Returns the role a URL connects as. A URL without a password names the role of a process that somebody else starts, and
 * is not tried.
 */
export async function readRole(url: string): Promise<string> {
  const { user, password } = new Client({ connectionString: url });
  if (user !== undefined && password === null) return user;
  return inSession(url, async (client) => {
    const { rows } = await client.query<{ role: string }>("select current_user as role");
    return rows[0]?.role ?? "";
  });
}

/** Returns whether the URL's role can take every connection of the database. */
export const takesAllPlaces = (url: string): Promise<boolean> =>
  inSession(url, async (client) => {
    const { rows } = await client.query<{ isUnlimited: boolean }>(
      `select rolconnlimit = -1 as "isUnlimited" from pg_roles where rolname = current_user`,
    );
    return rows[0]?.isUnlimited === true;
  });

/**
 * Returns whether a role, or that of the URL, can only append to audit log and ledger: it neither owns the tables nor may
 * change rows.
 */
export async function isAuditGuarded(url: string, role: string | null = null): Promise<boolean> {
  return inSession(url, async (client) => {
    const { rows } = await client.query<{ isGuarded: boolean }>(
      `select bool_and(not has_table_privilege(coalesce($2, current_user), oid, 'update, delete, truncate, trigger')
        and not pg_has_role(coalesce($2, current_user), relowner, 'member')) as "isGuarded"
      from pg_class where oid = any($1::regclass[])`,
      [APPEND_ONLY, role],
    );
    return rows[0]?.isGuarded === true;
  });
}
