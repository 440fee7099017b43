import { createHmac, randomBytes } from "node:crypto";
import type { Pool } from "pg";
import { parseAgentId } from "../src/domain/ids.ts";
import { webhookToken } from "../src/server/alert-sources/webhook-token.ts";

const OWNER = "A77ytVV59RYYKW9U97puqc8h5MBUxEKjsSe5zPEDWqFo";

export interface SeededAgent {
  readonly id: string;
  readonly token: string;
}

/** Inserts enabled agents, each with one alert and one rule that needs it sixty times. */
export async function seedAgents(
  pool: Pool,
  sessionSecret: string,
  count: number,
): Promise<readonly SeededAgent[]> {
  const key = createHmac("sha256", Buffer.from(sessionSecret)).update("webhook").digest();
  const ids = Array.from({ length: count }, () => randomBytes(16).toString("hex"));
  await pool.query(
    "insert into chats (id, owner, title, created_at, updated_at) select id, $2, 'Bench', now(), now() from unnest($1::text[]) id",
    [ids, OWNER],
  );
  await pool.query(
    `insert into agents (id, chat_id, owner, network, venue, name, name_key, market_id, interval, slippage_bps,
       auto_trade, sub_account_id, created_at, updated_at)
     select id, id, $2, 'practice', 'drift', id, id, 'SOL-PERP', '1h', 50, 'on', 0, now(), now()
     from unnest($1::text[]) id`,
    [ids, OWNER],
  );
  await pool.query("insert into lanes (agent_id) select id from unnest($1::text[]) id", [ids]);
  await pool.query(
    "insert into alerts (id, agent_id, name, name_key) select id, id, 'tick', 'tick' from unnest($1::text[]) id",
    [ids],
  );
  await pool.query(
    "insert into rules (id, agent_id, action) select id, id, 'OPEN_LONG' from unnest($1::text[]) id",
    [ids],
  );
  await pool.query(
    "insert into rule_conditions (rule_id, alert_id, required_count) select id, id, 60 from unnest($1::text[]) id",
    [ids],
  );
  // The server's own upkeep has run this on tables of this size
  await pool.query("analyze");
  return ids.map((id) => ({ id, token: webhookToken(key, parseAgentId(id), 1) }));
}
