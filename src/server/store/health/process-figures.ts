import { sql } from "kysely";
import type { Db } from "../postgres/db.ts";

/** Stores that a trading process is there; its figures stay. */
export async function saveProcessSeen(db: Db, worker: string): Promise<void> {
  const seen_at = sql<Date>`clock_timestamp()`;
  await db
    .insertInto("process_figures")
    .values({ worker, seen_at, at: seen_at, figures: "[]" })
    .onConflict((conflict) => conflict.column("worker").doUpdateSet({ seen_at }))
    .execute();
}

/** Stores a process's figures in place of its last ones, and removes those of processes gone for an hour. */
export async function saveProcessFigures(db: Db, worker: string, figures: unknown): Promise<void> {
  const now = sql<Date>`clock_timestamp()`;
  const row = { at: now, figures: JSON.stringify(figures) };
  await db
    .insertInto("process_figures")
    .values({ worker, ...row })
    .onConflict((conflict) => conflict.column("worker").doUpdateSet(row))
    .execute();
  await db
    .deleteFrom("process_figures")
    .where("at", "<", sql<Date>`clock_timestamp() - interval '1 hour'`)
    .execute();
}

/** Returns the figures of the processes that wrote them within the given seconds. */
export async function readProcessFigures(
  db: Db,
  withinSeconds: number,
): Promise<readonly { readonly worker: string; readonly figures: unknown }[]> {
  return db
    .selectFrom("process_figures")
    .select(["worker", "figures"])
    .where("at", ">", sql<Date>`clock_timestamp() - ${withinSeconds} * interval '1 second'`)
    .orderBy("worker")
    .execute();
}

export async function deleteProcessFigures(db: Db, worker: string): Promise<void> {
  await db.deleteFrom("process_figures").where("worker", "=", worker).execute();
}

/** A trading process that writes figures. */
export interface ProcessSeen {
  readonly worker: string;
  readonly at: Date;
}

/** Returns the trading processes seen within the last hour. */
export async function listProcesses(db: Db): Promise<readonly ProcessSeen[]> {
  return db.selectFrom("process_figures").select(["worker", "at"]).orderBy("worker").execute();
}
