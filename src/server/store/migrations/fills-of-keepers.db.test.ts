import { expect, it } from "vitest";
import { createTestDatabase } from "../../../../test/database.ts";
import { databaseUrl } from "../../../../test/database-server.ts";
import { newTestId } from "../../../../test/world.ts";
import { parseAgentId } from "../../../domain/ids.ts";
import { sumTradedBase } from "../custody/custody-notices.ts";
import { migrateDatabase } from "../postgres/migrate.ts";
import { openDatabase } from "../postgres/pool.ts";
import { migrations } from "./migrations.ts";

const NAME = Object.keys(migrations).find((name) => name.endsWith("fills-of-keepers")) ?? "";

it("keeps what keepers filled, and counts no more what an order has as well", async () => {
  const server = await createTestDatabase();
  const name = `old_${newTestId()}`;
  await server.pool.query(`create database ${name}`);
  const url = databaseUrl(server.url, name);
  await migrateDatabase(
    url,
    Object.fromEntries(Object.entries(migrations).filter(([each]) => each < NAME)),
  );
  const { db, pool, close } = openDatabase({ url });
  const id = newTestId();
  const order = newTestId();
  const owner = "A77ytVV59RYYKW9U97puqc8h5MBUxEKjsSe5zPEDWqFo";
  await pool.query(
    "insert into chats (id, owner, title, created_at, updated_at) values ($1, $2, 't', now(), now())",
    [id, owner],
  );
  await pool.query(
    `insert into agents (id, chat_id, owner, network, venue, name, name_key, market_id, interval, slippage_bps,
       auto_trade, created_at, updated_at)
     values ($1, $1, $2, 'practice', 'drift', 'n', 'n', 'SOL-PERP', '1h', 50, 'on', now(), now())`,
    [id, owner],
  );
  await pool.query("insert into lanes (agent_id) values ($1)", [id]);
  const flag = (key: string, base: string) =>
    pool.query(
      `insert into audit_log (at, wallet, action, object, detail) values (now(), $1, 'custody_flagged', $2, $3)`,
      [owner, id, { kind: "upkeep", key, text: "", fills: { "SOL-PERP": base } }],
    );
  await flag("theirs", "3");
  await flag("of the owner", "-40");
  await flag("of an order", "500");
  const log = (columns: object) =>
    pool.query(
      `insert into trade_log (id, agent_id, chat_id, order_id, market, signal, type, side, status, by_owner, base_size,
         base_decimals, quote_decimals, signature, at)
       select $1, $2, $2, order_id, 'SOL-PERP', 'OPEN_LONG', 'market', side, 'success', by_owner, base_size, 9, 6, signature,
         now()
       from json_to_record($3) as line (order_id text, side text, by_owner boolean, base_size bigint, signature text)`,
      [newTestId(), id, columns],
    );
  await log({ side: "sell", by_owner: true, base_size: 40, signature: "of the owner" });
  await pool.query(
    `insert into orders (id, agent_id, signal, state, planned_at, signature)
     values ($1, $2, 'OPEN_LONG', 'filled', now(), 'placing it')`,
    [order, id],
  );
  await pool.query("insert into order_fills values ($1, 'of an order', 0, 500, 1, 0, 0)", [order]);
  await log({
    order_id: order,
    side: "long",
    by_owner: false,
    base_size: 500,
    signature: "of an order",
  });
  const traded = async () => [...(await sumTradedBase(db, parseAgentId(id)))];
  expect(await traded()).toEqual([["SOL-PERP", 963n]]);

  await migrateDatabase(url);
  expect(await traded()).toEqual([["SOL-PERP", 463n]]);
  const { rows } = await pool.query("select signature, base from upkeep_fills");
  expect(rows).toEqual([{ signature: "theirs", base: "3" }]);
  await close();
  await server.drop();
});
