import { sql } from "kysely";
import type { Db } from "../postgres/db.ts";

/** What a commit of the database is worth. */
export interface Durability {
  /** Machines that have a commit before it is confirmed. */
  readonly machines: number;
  /** Other servers and backups that read the log behind it. */
  readonly followers: number;
}

/** Commits wait for the standbys of `synchronous_standby_names` with these values of `synchronous_commit` alone. */
const WAITING: ReadonlySet<string> = new Set(["on", "remote_write", "remote_apply"]);

/** Returns how many standbys a commit waits for, from the setting's value; a list without a number is one. */
export function standbysWaitedFor(names: string): number {
  if (names.trim() === "") return 0;
  const number = /^\s*(?:first\s+|any\s+)?(\d+)\s*\(/i.exec(names)?.[1];
  return number === undefined ? 1 : Number(number);
}

/** Returns what a commit on these connections is worth. */
export async function readDurability(db: Db): Promise<Durability> {
  const { rows } = await sql<{ names: string; mode: string; followers: number }>`
    select current_setting('synchronous_standby_names') as names,
      current_setting('synchronous_commit') as mode,
      (select count(*)::int from pg_stat_replication) as followers`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error("The database told no settings");
  const standbys = WAITING.has(row.mode) ? standbysWaitedFor(row.names) : 0;
  return { machines: 1 + standbys, followers: row.followers };
}
