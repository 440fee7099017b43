import { withDatabase } from "../bench-database.ts";
import { fixed, median, requireOnly } from "../figures.ts";
import { type LoadResult, pace, saturate } from "../http-load.ts";
import { databaseCpuMs } from "../processes.ts";
import { seedAgents } from "../seed-agents.ts";
import { tickShots } from "../tick-shots.ts";
import type { MeasureRow, SizeLine } from "./row.ts";
import { SHARED, startBare, startProduct } from "./servers.ts";

const ROUNDS = 3;
const CONNECTIONS = 32;
/** An agent may send one alert a second. */
const AGENTS = 2_000;
const PER_SECOND = 200;

interface Pairs {
  readonly product: LoadResult[];
  readonly bare: LoadResult[];
}

/** Compares adjacent runs, which other load of the machine affects alike. */
function compare(pairs: Pairs, pick: (result: LoadResult) => number, digits: number) {
  const [product, bare] = [pairs.product.map(pick), pairs.bare.map(pick)];
  const ratios = product.map((value, round) => value / (bare[round] ?? Number.NaN));
  return {
    product: fixed(median(product), digits),
    bare: fixed(median(bare), digits),
    ratio: `${fixed(median(ratios))}x`,
  };
}

/** Webhooks acknowledged by several servers on one PostgreSQL, beside as many that only insert. */
export const acknowledge =
  (servers: number): MeasureRow =>
  async ({ seconds }, add) => {
    const line = (
      measured: string,
      connections: string,
      rest: Omit<SizeLine, "measured" | "connections">,
    ) =>
      add({
        measured: `ack, ${servers} server${servers > 1 ? "s" : ""}: ${measured}`,
        connections,
        ...rest,
      });
    await withDatabase(async (url, pool, databasePid) => {
      const product = await startProduct(url, servers);
      const bare = await startBare(url, servers);
      const next = tickShots(await seedAgents(pool, product.sessionSecret, AGENTS));
      let [cpuMs, acknowledged] = [0, 0];
      const measure = async (load: (ports: readonly number[]) => Promise<LoadResult>) => {
        const pairs: Pairs = { product: [], bare: [] };
        for (let round = 0; round < ROUNDS; round += 1) {
          pairs.bare.push(await load(bare.ports));
          const before = product.cpuMs() + databaseCpuMs(databasePid);
          const result = await load(product.ports);
          cpuMs += product.cpuMs() + databaseCpuMs(databasePid) - before;
          requireOnly(202, result, "The product");
          acknowledged += result.statuses.get(202) ?? 0;
          pairs.product.push(result);
        }
        return pairs;
      };
      const durationMs = (seconds * 1_000) / ROUNDS;
      for (const { ports } of [bare, product]) await saturate(ports, CONNECTIONS, 2_000, next);
      const full = await measure((ports) => saturate(ports, CONNECTIONS, durationMs, next));
      line(
        "a second, saturated",
        `${CONNECTIONS}`,
        compare(full, (result) => result.perSecond, 0),
      );
      line("processor time each, database included, ms", `${CONNECTIONS}`, {
        product: fixed(cpuMs / acknowledged),
      });
      const paced = await measure((ports) => pace(ports, PER_SECOND, durationMs, next));
      line(
        `p50 at ${PER_SECOND}/s, ms`,
        "at most 256",
        compare(paced, (result) => result.p50Ms, 1),
      );
      line(
        `p99 at ${PER_SECOND}/s, ms`,
        "at most 256",
        compare(paced, (result) => result.p99Ms, 1),
      );
      await bare.stop();
      await product.stop();
    }, SHARED);
  };
