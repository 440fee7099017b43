import type { Stopped } from "../../../domain/agent-health.ts";
import { openDatabase } from "./pool.ts";

/** Time a trial may take and its success is remembered, in milliseconds: together less than one second. */
const TRY_WITHIN_MS = 600;
const KEPT_MS = 200;

/** Age in seconds from which a trading process that did not say so counts as not there; it does every second. */
const SEEN_WITHIN_SECONDS = 5;

/**
 * Tests the database with a durable write to a row and a temporary file of about 150 kB: with a full disk, rows on
 * existing pages can still be changed.
 */
const TRY = {
  name: "probe",
  text: `with spilled as materialized (select count(*) as lines from generate_series(1, 4000))
    update installation set probed_at = clock_timestamp() where (select lines from spilled) > 0
    returning (select coalesce(jsonb_agg(stopped), '[]') from process_figures
      where seen_at > clock_timestamp() - interval '${SEEN_WITHIN_SECONDS} seconds') as seen`,
};

/** What a successful trial found: whether a trading process of any server was there within the last seconds. */
interface Probed {
  readonly isTraded: boolean;
  /** What keeps all of them from trading, by network, since the last of them could. */
  readonly stopped: readonly Stopped[];
}

function stoppedEverywhere(seen: readonly (readonly Stopped[])[]): readonly Stopped[] {
  const [first = [], ...others] = seen;
  return first.flatMap((own) => {
    const theirs = others.map((each) => each.find(({ network }) => network === own.network));
    if (theirs.includes(undefined)) return [];
    const sinceMs = Math.max(own.sinceMs, ...theirs.map((each) => each?.sinceMs ?? 0));
    return [{ ...own, sinceMs }];
  });
}

/**
 * Opens a probe of whether the database can be written to, with a connection of its own, so that calls waiting for the
 * pools do not make it late.
 */
export function openProbe(url: string, tryWithinMs = TRY_WITHIN_MS) {
  const database = openDatabase({
    url,
    maxConnections: 1,
    statementTimeoutMs: tryWithinMs,
    lockTimeoutMs: tryWithinMs,
    connectTimeoutMs: tryWithinMs,
    answerGraceMs: 0,
    sessionSettings: "-c work_mem=64kB",
  });
  let last: Promise<Probed> | null = null;

  async function tryOnce(): Promise<Probed> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error("Query read timeout")), tryWithinMs);
    });
    const trial = database.pool.query<{ seen: readonly (readonly Stopped[])[] }>(TRY);
    trial.catch(() => {});
    try {
      const { rows } = await Promise.race([trial, late]);
      const seen = rows[0]?.seen ?? [];
      return { isTraded: seen.length > 0, stopped: stoppedEverywhere(seen) };
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    /** Resolves when it could within the last moments; rejects within a second of the moment it cannot any more. */
    requireWritable() {
      if (last !== null) return last;
      const trial = tryOnce();
      last = trial;
      const forget = () => void setTimeout(() => (last = null), KEPT_MS).unref();
      trial.then(forget, forget);
      return trial;
    },
    close: () => database.close(),
  };
}
