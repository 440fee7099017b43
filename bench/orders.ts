import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Pool } from "pg";
import { freePort } from "../test/server-process.ts";
import { createAlertRound } from "./alert-round.ts";
import { newDataDir, withDatabase } from "./bench-database.ts";
import { createFundedAgents } from "./funded-agents.ts";
import { fixed, machineLoad, requireOnly, say } from "./figures.ts";
import { pace, percentile } from "./http-load.ts";
import { cpuMsOf, databaseCpuMs, startProgram } from "./processes.ts";

const PRODUCT = join(import.meta.dirname, "../server/main.js");
/** Alerts a second, one after the other; as many agents as alerts a second, because an agent may send six orders a minute. */
const RATES = [50, 100];
const TRADED_MS = 5_000;

/** Returns the processor time of each process per order since an earlier reading, in milliseconds. */
function costSince(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  orders: number,
): string {
  return [...after]
    .map(([name, ms]) => `${name} ${fixed((ms - (before.get(name) ?? 0)) / orders, 1)}`)
    .join(", ");
}

async function benchOrders(url: string, pool: Pool, databasePid: number): Promise<void> {
  const port = await freePort();
  const product = await startProgram(PRODUCT, {
    DATABASE_URL: url,
    LOG_LEVEL: "warn",
    PORT: String(port),
    SESSION_SECRET: randomBytes(32).toString("hex"),
    DATA_DIR: newDataDir(),
  });
  const cpu = () => new Map([...cpuMsOf(product.pid), ["database", databaseCpuMs(databasePid)]]);
  for (const rate of RATES) {
    const agents = await createFundedAgents(port, rate);
    const before = cpu();
    const result = await pace(port, rate, TRADED_MS, createAlertRound(agents).next);
    requireOnly(202, result, "The product");
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const after = cpu();
    const { rows } = await pool.query<{ state: string; ms: number | null }>(
      `select o.state, extract(epoch from o.submitted_at - e.received_at)::float8 * 1000 as ms
       from orders o join alert_events e on e.id = o.event_id
       where o.agent_id = any($1)`,
      [agents.map((agent) => agent.botId)],
    );
    const waits = rows.flatMap((row) => (row.ms === null ? [] : [row.ms])).sort((a, b) => a - b);
    const filled = rows.filter((row) => row.state === "filled").length;
    say(
      `alert to order sent, ${rate} alerts a second, ${filled} filled of ${rows.length}: ` +
        `p50 ${fixed(percentile(waits, 0.5), 1)} ms, p99 ${fixed(percentile(waits, 0.99), 1)} ms; machine's load ${machineLoad()}`,
    );
    say(
      `processor time per order in ms, practice chain included: ${costSince(before, after, rows.length)}`,
    );
  }
  await product.stop();
}

await withDatabase(benchOrders);
