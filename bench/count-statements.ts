import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Pool } from "pg";

/** Settings that have the database log each statement that ran, with the transaction it wrote in. */
export const LOG_STATEMENTS = { log_min_duration_statement: "0", log_line_prefix: "xid %x " };

/** Statements that ran, each by name or first words, and transactions that waited for the disk. */
export interface StatementCounts {
  readonly own: ReadonlyMap<string, number>;
  readonly ownCommits: number;
  /** Of the practice chain, which runs in the product's processes and database. */
  readonly practice: number;
  readonly practiceCommits: number;
}

/** Returns a counter of the statements that a database with `LOG_STATEMENTS` ran since its last call. */
export async function createStatementCounter(pool: Pool): Promise<() => StatementCounts> {
  const { rows } = await pool.query<{ data_directory: string }>("show data_directory");
  const log = join(dirname(rows[0]?.data_directory ?? ""), "postgres.log");
  let offset = 0;
  return () => {
    const file = openSync(log, "r");
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(size - offset);
    readSync(file, bytes, 0, bytes.length, offset);
    closeSync(file);
    offset = size;
    return countStatements(bytes.toString("utf8"));
  };
}

/** The measurement's own question whether all orders ended. */
const OF_BENCH = /^select from orders where state = any/;

/** The signer's sessions wait for the disk with nothing (decision 191). */
const OF_SIGNER = /^(record-signature|keep-held|count-forgotten|signed-book)/;

const RAN = /^xid (\d+) LOG: {2}duration: [\d.]+ ms {2}(?:execute ([^:]+)|statement): ([^]*)$/;

function countStatements(log: string): StatementCounts {
  const own = new Map<string, number>();
  const commits = { own: new Set<string>(), practice: new Set<string>() };
  let practice = 0;
  for (const line of log.split(/^(?=xid )/m)) {
    const [, transaction = "", name = "<unnamed>", text = ""] = RAN.exec(line) ?? [];
    if (text === "" || OF_BENCH.test(text.trim())) continue;
    const isPractice = /\bpractice_/.test(text);
    const isWaiting = !OF_SIGNER.test(name) && !text.includes("'synchronous_commit', 'off'");
    const isDurable = transaction !== "0" && isWaiting;
    if (isDurable) commits[isPractice ? "practice" : "own"].add(transaction);
    if (isPractice) practice += 1;
    else {
      const words = name === "<unnamed>" ? text.replaceAll(/\s+/g, " ").slice(0, 60) : name;
      own.set(words, (own.get(words) ?? 0) + 1);
    }
  }
  const ownCommits = [...commits.own].filter((each) => !commits.practice.has(each)).length;
  return { own, ownCommits, practice, practiceCommits: commits.practice.size };
}
