import { createHash, randomBytes } from "node:crypto";
import type { Pool } from "pg";
import { parseAgentId } from "../src/domain/ids.ts";
import { newId } from "../src/server/crypto/new-id.ts";
import { openDatabase } from "../src/server/store/postgres/pool.ts";
import { migrateDatabase } from "../src/server/store/postgres/migrate.ts";
import { createAlertReceiver } from "../src/server/trading/intake/receive-alerts.ts";
import { withDatabase } from "./bench-database.ts";
import { fixed, say } from "./figures.ts";
import { seedAgents } from "./seed-agents.ts";

const AGENTS = 1_000;
const ALERTS = 100_000;
const AT_ONCE = 500;
const TABLES = ["alert_events", "orders", "trade_log"];

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** Sends alerts through the receiver, agents in turn, a minute apart per agent. */
async function fire(url: string, agentIds: readonly string[]): Promise<void> {
  const database = openDatabase({ url, maxConnections: 4, usesKeysOnly: true });
  const receiver = createAlertReceiver({
    database,
    newId: () => newId(randomBytes),
    onStored: () => {},
    onError: (error) => {
      throw error;
    },
  });
  const nowMs = Date.now();
  for (let sent = 0; sent < ALERTS; sent += AT_ONCE) {
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) => {
        const firedAtMs = nowMs + Math.floor((sent + index) / AGENTS) * 60_000;
        return receiver.receive({
          agentId: parseAgentId(agentIds[(sent + index) % AGENTS] as string),
          tokenVersion: 1,
          alertName: "tick",
          receivedAtMs: firedAtMs,
          content: {
            kind: "alert",
            alertNameKey: "tick",
            firedAtMs,
            dedupKey: sha256(`tick\n${firedAtMs}`),
            bodyHash: sha256(JSON.stringify(["tick", new Date(firedAtMs).toISOString()])),
          },
        });
      }),
    );
  }
  await receiver.drain();
  await database.close();
}

async function benchSize(url: string, pool: Pool): Promise<void> {
  await migrateDatabase(url);
  const agents = await seedAgents(pool, randomBytes(32).toString("hex"), AGENTS);
  await fire(
    url,
    agents.map(({ id }) => id),
  );
  await pool.query("vacuum analyze");
  const { rows } = await pool.query<{ name: string; all: string; indexes: string }>(
    `select name, pg_total_relation_size(name::regclass) as all, pg_indexes_size(name::regclass) as indexes
     from unnest($1::text[]) as name`,
    [TABLES],
  );
  const megabytes = (bytes: number) => fixed((bytes * 1_000_000) / ALERTS / 1e6, 0);
  const sum = (of: "all" | "indexes") => rows.reduce((total, row) => total + Number(row[of]), 0);
  const parts = rows.map((row) => `${row.name} ${megabytes(Number(row.all))}`).join(", ");
  say(
    `1,000,000 alerts, scaled from ${ALERTS.toLocaleString("en")} of ${AGENTS.toLocaleString("en")} agents: ` +
      `${megabytes(sum("all"))} MB, ${megabytes(sum("indexes"))} of it indexes (${parts})`,
  );
}

await withDatabase(benchSize);
