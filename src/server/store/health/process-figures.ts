import { sql } from "kysely";
import type { Stopped } from "../../../domain/agent-health.ts";
import type { Db } from "../postgres/db.ts";
import { deleteRows, on } from "../postgres/on.ts";

/** Stores that a trading process is there, and what keeps it from trading; its figures stay. */
export async function saveProcessSeen(
  db: Db,
  worker: string,
  stopped: readonly Stopped[],
): Promise<void> {
  await on(db).change`
    insert into process_figures (worker, seen_at, at, figures, stopped)
    values (${worker}, clock_timestamp(), clock_timestamp(), '[]', ${JSON.stringify(stopped)})
    on conflict (worker) do update set seen_at = excluded.seen_at, stopped = excluded.stopped`;
}

/** Stores a process's figures in place of its last ones, and removes those of processes gone for an hour. */
export async function saveProcessFigures(db: Db, worker: string, figures: unknown): Promise<void> {
  await on(db).change`
    insert into process_figures (worker, at, figures)
    values (${worker}, clock_timestamp(), ${JSON.stringify(figures)})
    on conflict (worker) do update set at = excluded.at, figures = excluded.figures`;
  const gone = sql`
    select worker from process_figures where at < clock_timestamp() - interval '1 hour'`;
  await deleteRows(db, "process_figures", gone);
}

/** Returns the figures of the processes that wrote them within the given seconds. */
export async function readProcessFigures(
  db: Db,
  withinSeconds: number,
): Promise<readonly { readonly worker: string; readonly figures: unknown }[]> {
  return on(db).rows<{ worker: string; figures: unknown }>`
    select worker, figures from process_figures
    where at > clock_timestamp() - ${withinSeconds} * interval '1 second' order by worker`;
}

export async function deleteProcessFigures(db: Db, worker: string): Promise<void> {
  await deleteRows(db, "process_figures", [worker]);
}

/** A trading process that writes figures. */
export interface ProcessSeen {
  readonly worker: string;
  readonly at: Date;
}

/** Returns the trading processes seen within the last hour. */
export async function listProcesses(db: Db): Promise<readonly ProcessSeen[]> {
  return on(db).rows<ProcessSeen>`select worker, at from process_figures order by worker`;
}
