import { randomBytes } from "node:crypto";
import type { Pool } from "pg";
import { createAlertRound } from "../alert-round.ts";
import { writeKeyFile } from "../../test/key-file.ts";
import { newDataDir, withDatabase } from "../bench-database.ts";
import { fixed, requireOnly } from "../figures.ts";
import { createFundedAgents } from "../funded-agents.ts";
import { pace } from "../http-load.ts";
import { type MeasureRow, scaled } from "./row.ts";
import { pause, SHARED, startProduct } from "./servers.ts";

const ORDERS = 1_000;
const ALERTS_PER_SECOND = 100;
const PATIENCE_SECONDS = 120;

async function countOpen(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ open: number }>(
    "select count(*)::int as open from orders where settled_at is null",
  );
  return rows[0]?.open ?? 0;
}

/** Start of a server that finds open orders: accepted by a server that does not trade, one of each agent. */
export const startOpen: MeasureRow = async (options, add) => {
  const count = scaled(ORDERS, options);
  const env = {
    SESSION_SECRET: randomBytes(32).toString("hex"),
    DELEGATE_SECRET_FILE: writeKeyFile(newDataDir()),
  };
  await withDatabase(async (url, pool) => {
    const first = await startProduct(url, 1, env);
    const agents = await createFundedAgents(first.ports[0] ?? 0, count);
    await first.stop();
    const empty = await startProduct(url, 1, env);
    await empty.stop();
    const receiver = await startProduct(url, 1, { ...env, ROLES: "web" });
    const { next } = createAlertRound(agents);
    const durationMs = (count * 1_000) / ALERTS_PER_SECOND;
    requireOnly(
      202,
      await pace(receiver.ports, ALERTS_PER_SECOND, durationMs, next),
      "The product",
    );
    await receiver.stop();
    const open = await countOpen(pool);
    const full = await startProduct(url, 1, env);
    const readyAt = performance.now();
    let left = await countOpen(pool);
    for (let waited = 0; left > 0 && waited < PATIENCE_SECONDS * 5; waited += 1) {
      await pause(0.2);
      left = await countOpen(pool);
    }
    const settledMs = performance.now() - readyAt;
    const [readyMs, emptyMs] = [full.readyMs[0] ?? 0, empty.readyMs[0] ?? 0];
    const { rows } = await pool.query<{ state: string; n: number }>(
      "select coalesce(reason, state) as state, count(*)::int as n from orders group by 1 order by 2 desc",
    );
    add({
      measured: `start with ${open} open orders, ms until ready (bare: none open)`,
      connections: "0",
      product: fixed(readyMs, 0),
      bare: fixed(emptyMs, 0),
      ratio: `${fixed(readyMs / emptyMs)}x`,
    });
    add({
      measured: `the same, ms from ready until none is open`,
      connections: "0",
      product: `${fixed(settledMs, 0)}${left > 0 ? `, ${left} left` : ""} (${rows.map(({ state, n }) => `${n} ${state}`).join(", ")})`,
    });
    await full.stop();
  }, SHARED);
};
