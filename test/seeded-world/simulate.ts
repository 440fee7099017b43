import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { migrateDatabase } from "../../src/server/store/postgres/migrate.ts";
import { openDatabase } from "../../src/server/store/postgres/pool.ts";
import { administer, databaseUrl, startDatabaseServer } from "../database-server.ts";
import { createBaseWorld } from "./base-world.ts";
import { runSeed, type SeedResult } from "./run-seed.ts";
import { addCounts, countsText, NO_COUNTS } from "./seed-counts.ts";

/*
 * `npm run simulate -- --seeds 20000`: tries that many seeds on all cores, or on `--workers`, from `--from` on.
 * `npm run simulate -- --seed 7`: one seed, with every step.
 */

/** Seeds on one database; a new one keeps the statements as fast as in the beginning. */
const SEEDS_OF_DATABASE = 1_000;

const TEMPLATE = "template_simulate";

/** Seeds a worker tries: `first`, then every `stride`-th one, up to `last`. */
interface Share {
  readonly serverUrl: string;
  readonly name: string;
  readonly first: number;
  readonly last: number;
  readonly stride: number;
}

async function work({ serverUrl, name, first, last, stride }: Share): Promise<void> {
  for (let seed = first; seed <= last;) {
    await administer(serverUrl, `create database ${name} template ${TEMPLATE}`);
    const database = openDatabase({ url: databaseUrl(serverUrl, name), maxConnections: 1 });
    const base = await createBaseWorld(database);
    for (let done = 0; done < SEEDS_OF_DATABASE && seed <= last; done += 1, seed += stride) {
      process.send?.(await runSeed(base, seed));
    }
    await database.close();
    await administer(serverUrl, `drop database ${name} with (force)`);
  }
  process.disconnect();
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seeds: { type: "string", default: "300" },
      from: { type: "string", default: "1" },
      seed: { type: "string" },
      workers: { type: "string", default: String(availableParallelism()) },
    },
  });
  const first = Number(values.seed ?? values.from);
  const last = values.seed === undefined ? first + Number(values.seeds) - 1 : first;
  const stride = Math.min(Number(values.workers), last - first + 1);
  const server = await startDatabaseServer();
  const startedAt = performance.now();
  let counts = NO_COUNTS;
  let isWhole = true;
  const hear = (result: SeedResult): void => {
    counts = addCounts(counts, result);
    if (values.seed !== undefined) result.history.forEach((line, at) => say(`${at + 1} ${line}`));
    if (counts.seeds % 1_000 === 0) say(countsText(counts));
    if (result.failure === null) return;
    const { step, kind, text } = result.failure;
    say(`seed ${result.seed} fails at step ${step}. ${kind}: ${text}`);
    say(`  again with: npm run simulate -- --seed ${result.seed}`);
  };
  try {
    await administer(server.url, `create database ${TEMPLATE}`);
    await migrateDatabase(databaseUrl(server.url, TEMPLATE));
    const workers = Array.from({ length: stride }, (_, at) => {
      const share: Share = {
        serverUrl: server.url,
        name: `seeds_${at}`,
        first: first + at,
        last,
        stride,
      };
      const child = fork(import.meta.filename, {
        env: { ...process.env, SIMULATE: JSON.stringify(share) },
      });
      child.on("message", (result) => hear(result as SeedResult));
      return ended(child);
    });
    isWhole = (await Promise.all(workers)).every((code) => code === 0);
  } finally {
    await server.stop();
  }
  const minutes = (performance.now() - startedAt) / 60_000;
  say(
    `${countsText(counts)}, ${(counts.seeds / minutes / stride).toFixed(0)} seeds a minute and worker`,
  );
  if (counts.failed > 0 || !isWhole) process.exitCode = 1;
}

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => child.on("exit", (code) => resolve(code)));

const share = process.env["SIMULATE"];
await (share === undefined ? main() : work(JSON.parse(share) as Share));
