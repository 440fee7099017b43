import { withDatabase } from "../bench-database.ts";
import { fixed, median, requireOnly } from "../figures.ts";
import { pace } from "../http-load.ts";
import { seedAgents } from "../seed-agents.ts";
import { tickShots } from "../tick-shots.ts";
import type { MeasureRow } from "./row.ts";
import { SHARED, startProduct } from "./servers.ts";

const AGENTS = 2_000;
const PER_SECOND = 100;
const SAMPLES = 100;
/** Shares of the samples: left out as warm-up, and compared at the beginning and end of the rest. */
const WARM_UP = 0.2;
const COMPARED = 0.2;

/** Memory of the product's processes while alerts arrive at a steady rate. */
export const memory: MeasureRow = async ({ minutes }, add) => {
  await withDatabase(async (url, pool) => {
    const product = await startProduct(url);
    const agents = await seedAgents(pool, product.sessionSecret, AGENTS);
    const sizes: number[] = [];
    const durationMs = minutes * 60_000;
    const timer = setInterval(() => sizes.push(product.memoryMiB()), durationMs / SAMPLES);
    const result = await pace(product.ports, PER_SECOND, durationMs, tickShots(agents));
    clearInterval(timer);
    requireOnly(202, result, "The product");
    const warm = sizes.slice(Math.floor(sizes.length * WARM_UP));
    const part = Math.ceil(warm.length * COMPARED);
    const [early, late] = [median(warm.slice(0, part)), median(warm.slice(-part))];
    add({
      measured: `memory over ${minutes} min at ${PER_SECOND}/s, MiB of all processes; growth after warm-up`,
      connections: "at most 256",
      product: `${fixed(late, 0)}, most ${fixed(Math.max(...sizes), 0)}; ${fixed((late / early - 1) * 100, 1)} %; ${result.again} delivered again`,
    });
    await product.stop();
  }, SHARED);
};
