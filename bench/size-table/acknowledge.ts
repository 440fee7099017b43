import { withDatabase } from "../bench-database.ts";
import { fixed, median, requireOnly } from "../figures.ts";
import { byPath, type LoadResult, pace, saturate, type Target } from "../http-load.ts";
import { databaseCpuMs } from "../processes.ts";
import { seedAgents } from "../seed-agents.ts";
import { tickShots } from "../tick-shots.ts";
import type { MeasureRow, SizeLine } from "./row.ts";
import { SHARED, startBare, startProduct } from "./servers.ts";

const ROUNDS = 3;
const CONNECTIONS = 32;
/** An agent may send one alert a second; an odd number, so that servers in turn get each agent's alerts in turn. */
const AGENTS = 2_001;
/** A process answers faster after its first thousands of requests. */
const WARM_MS = 3_000;
const WARM_CONNECTIONS = 128;
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

/**
 * Webhooks acknowledged by several servers on one PostgreSQL, beside as many that only insert. An agent's alerts go to
 * one server, as the proxy of `compose.yaml` sends them, or to all in turn.
 */
export const acknowledge =
  (servers: number, sending: "by agent" | "in turn" = "by agent"): MeasureRow =>
  async ({ seconds }, add) => {
    const line = (
      measured: string,
      connections: string,
      rest: Omit<SizeLine, "measured" | "connections">,
    ) =>
      add({
        measured: `ack, ${servers} server${servers > 1 ? `s ${sending}` : ""}: ${measured}`,
        connections,
        ...rest,
      });
    await withDatabase(async (url, pool, databasePid) => {
      const product = await startProduct(url, servers);
      const bare = await startBare(url, servers);
      const next = tickShots(await seedAgents(pool, product.sessionSecret, AGENTS));
      const targets = {
        bare: bare.ports,
        product: sending === "by agent" ? byPath(product.ports) : product.ports,
      };
      const measure = async (load: (to: Target) => Promise<LoadResult>) => {
        const pairs: Pairs = { product: [], bare: [] };
        let [cpuMs, acknowledged] = [0, 0];
        for (let round = 0; round < ROUNDS; round += 1) {
          pairs.bare.push(await load(targets.bare));
          const before = product.cpuMs() + databaseCpuMs(databasePid);
          const result = await load(targets.product);
          cpuMs += product.cpuMs() + databaseCpuMs(databasePid) - before;
          requireOnly(202, result, "The product");
          acknowledged += result.statuses.get(202) ?? 0;
          pairs.product.push(result);
        }
        return { ...pairs, cpuMs: cpuMs / acknowledged };
      };
      const durationMs = (seconds * 1_000) / ROUNDS;
      const warmMs = WARM_MS * servers;
      for (const to of [targets.bare, targets.product])
        await saturate(to, WARM_CONNECTIONS, warmMs, next);
      const full = await measure((to) => saturate(to, CONNECTIONS, durationMs, next));
      line(
        "a second, saturated",
        `${CONNECTIONS}`,
        compare(full, (result) => result.perSecond, 0),
      );
      line("processor time each, database included, ms", `${CONNECTIONS}`, {
        product: fixed(full.cpuMs),
      });
      const paced = await measure((to) => pace(to, PER_SECOND, durationMs, next));
      line(`processor time each at ${PER_SECOND}/s, database included, ms`, "at most 256", {
        product: fixed(paced.cpuMs),
      });
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
