import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Pool } from "pg";
import { freePort } from "../e2e/product.ts";
import { createTrader, type FundedAgent } from "../test/trader.ts";
import { createAlertRound } from "./alert-round.ts";
import { newDataDir, withDatabase } from "./bench-database.ts";
import { fixed, requireOnly, say } from "./figures.ts";
import { pace, percentile } from "./http-load.ts";
import { startProgram } from "./processes.ts";

const PRODUCT = join(import.meta.dirname, "../server/main.js");
const TRADERS = 5;
const AGENTS_PER_TRADER = 10;
const ALERTS_PER_SECOND = 50;
const TRADED_MS = 5_000;

async function benchOrders(url: string, pool: Pool): Promise<void> {
  const port = await freePort();
  const product = await startProgram(PRODUCT, {
    DATABASE_URL: url,
    LOG_LEVEL: "warn",
    PORT: String(port),
    SESSION_SECRET: randomBytes(32).toString("hex"),
    DATA_DIR: newDataDir(),
  });
  const agents: FundedAgent[] = [];
  for (let index = 0; index < TRADERS; index += 1) {
    const trader = await createTrader(`http://127.0.0.1:${port}`);
    await trader.takePracticeMoney("10", "10000");
    for (let made = 0; made < AGENTS_PER_TRADER; made += 1) {
      agents.push(await trader.createAgent(`Bench ${index} ${made}`));
    }
  }
  const alerts = createAlertRound(agents);
  const result = await pace(port, ALERTS_PER_SECOND, TRADED_MS, alerts.next);
  requireOnly(202, result, "The product");
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const { rows } = await pool.query<{ state: string; ms: number | null }>(
    `select o.state, extract(epoch from o.submitted_at - e.received_at)::float8 * 1000 as ms
     from orders o join alert_events e on e.id = o.event_id
     where o.agent_id = any($1)`,
    [agents.map((agent) => agent.botId)],
  );
  const waits = rows.flatMap((row) => (row.ms === null ? [] : [row.ms])).sort((a, b) => a - b);
  const filled = rows.filter((row) => row.state === "filled").length;
  say(
    `alert to order sent, ${ALERTS_PER_SECOND} alerts a second, ${alerts.sent()} alerts, ${filled} filled of ${rows.length}: ` +
      `p50 ${fixed(percentile(waits, 0.5), 1)} ms, p99 ${fixed(percentile(waits, 0.99), 1)} ms`,
  );
  await product.stop();
}

await withDatabase(benchOrders);
