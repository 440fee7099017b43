import { createHash } from "node:crypto";
import { performance } from "node:perf_hooks";
import type { Pool } from "pg";
import { migrateDatabase } from "../src/server/store/postgres/migrate.ts";
import { openDatabase } from "../src/server/store/postgres/pool.ts";
import { createFullServer, type FullServer } from "../test/full-server.ts";
import { signIn } from "../test/wallet.ts";
import { type ObjectIds, seedObjects } from "../test/world.ts";
import { withDatabase } from "./bench-database.ts";
import { withOneRole } from "../test/database.ts";
import { median } from "./figures.ts";

export const ROUNDS = 30;
const WARM_UP = 5;

/** Fills the lists of one agent: an alert, a trade with its order and decision, a booked entry, a point of worth, a message and a change per row. */
async function fill(pool: Pool, { agent, chat, wallet }: ObjectIds, rows: number): Promise<void> {
  await pool.query(
    `insert into alert_events (received_at, fired_at, id, agent_id, alert_id, outcome, alert_name)
     select at, at, md5('e' || n)::uuid, $1::text::uuid, (select id from alerts where agent_id = $1 limit 1)::uuid,
       'accepted', 'breakout'
     from (select n, now() - n * interval '1 minute' as at from generate_series(1, $2::int) as n) as made`,
    [agent, rows],
  );
  await pool.query(
    `insert into orders (id, agent_id, signal, leg, state, planned_at, submitted_at, settled_at, intent)
     select md5('o' || n), $1, 'OPEN_LONG', 0, 'planned', at, at, at + interval '1 second',
       '{"marketId": "SOL-PERP", "side": "long", "referencePrice": "140000000"}'
     from (select n, now() - n * interval '1 minute' as at from generate_series(1, $2::int) as n) as made`,
    [agent, rows],
  );
  await pool.query(
    `insert into order_fills (order_id, signature, n, base_size, quote_size, fee, slot)
     select md5('o' || n), n, 0, 2500000000, 350100000, 350000, n from generate_series(1, $1::int) as n`,
    [rows],
  );
  await pool.query(
    `insert into decisions (order_id, agent_id, rule_id, decided_at, facts)
     select md5('o' || n), $1, (select id from rules where agent_id = $1 limit 1), now(),
       jsonb_build_object('price', null, 'account', null, 'order', null, 'checks', '[]'::jsonb,
         'cause', jsonb_build_object('eventId', null, 'ruleId', null, 'alerts', (
           select jsonb_agg(jsonb_build_object('eventId', md5('e' || n), 'alertKey', id, 'alertName', name,
             'receivedAt', '2026-11-22T00:00:00.000Z', 'count', 1, 'requiredCount', 1, 'fired', null))
           from alerts where agent_id = $1)))
     from generate_series(1, $2::int) as n`,
    [agent, rows],
  );
  await pool.query(
    `insert into trade_log (id, agent_id, chat_id, order_id, market, signal, type, side, status, base_size, base_decimals,
       percentage, quote_total, quote_decimals, price, fee, at)
     select md5(n::text), $1, $2, md5('o' || n), 'SOL-PERP', case when n % 2 = 0 then 'OPEN_LONG' else 'CLOSE_LONG' end, 'market',
       case when n % 2 = 0 then 'long' else 'sell' end, 'success', 2500000000, 9, 100, 350000000, 6, 140000000,
       350000, now() - n * interval '1 minute' from generate_series(1, $3::int) as n`,
    [agent, chat, rows],
  );
  await pool.query(
    `insert into hypotheses (id, trade_log_id, agent_id, chat_id, text, created_at)
     select md5('h' || n), md5(n::text), $1, $2, repeat('Momentum. ', 150), now()
     from generate_series(1, $3::int) as n`,
    [agent, chat, rows],
  );
  // Positions of an opening, a closing and their fees
  await pool.query(
    `insert into ledger_entries (agent_id, owner, network, signature, kind, n, place, market, asset, decimals, amount,
       base_market, base_decimals, base_amount, held_base, realised, slot, at, booked_at)
     select $1, $2, 'practice', 'signature' || n / 2, case when is_fee then 'fee' else 'trade' end, 0, 'position',
       'SOL-PERP', 'USDC', 6, -350000, case when not is_fee then 'SOL-PERP' end, case when not is_fee then 9 end,
       case when not is_fee then base end, case when not is_fee then greatest(0, base) end,
       case when not is_fee and base < 0 then n % 1001 - 500 end, n, now() - ($3 - n / 2) * interval '1 minute', now()
     from (select n, n % 2 = 1 as is_fee, case when n % 4 < 2 then 2500000000 else -2500000000 end as base
       from generate_series(0, $3::int - 1) as n) as made`,
    [agent, wallet, rows],
  );
  await pool.query(
    `insert into equity_points (agent_id, owner, network, at, slot, cause, value, asset, decimals, net_flow, market, entry_seq)
     select $1, $2, 'practice', now() - n * interval '1 hour', n, 'hour', 1000000000, 'USDC', 6, 1000000000, 'SOL-PERP', 1
     from generate_series(1, $3::int) as n`,
    [agent, wallet, rows],
  );
  await pool.query(
    `insert into messages (chat_id, id, type, content, sent_at)
     select $1, md5(n::text), 'user', repeat('What moves SOL? ', 20), now() from generate_series(1, $2::int) as n`,
    [chat, rows],
  );
  await pool.query(
    `insert into audit_log (at, wallet, action, object)
     select now(), $1, 'agent_saved', $2 from generate_series(1, $3::int)`,
    [wallet, agent, rows],
  );
  await pool.query("analyze");
}

interface List {
  readonly name: string;
  readonly path: (ids: ObjectIds, rows: number) => string;
  /** Table that the bare query reads. */
  readonly table: string;
}

const LISTS: readonly List[] = [
  {
    name: "trade log, a page",
    path: ({ chat }) => `/api/logs/get-all-by-chat-id?chatId=${chat}&filter=trades`,
    table: "trade_log",
  },
  {
    name: "counts of the trade log",
    path: ({ chat }) => `/api/logs/counts?chatId=${chat}`,
    table: "trade_log",
  },
  {
    name: "hypotheses, a page",
    path: ({ chat }) => `/api/hypothesis/by-chat-id/${chat}`,
    table: "hypotheses",
  },
  {
    name: "trade without a hypothesis",
    path: ({ chat }) => `/api/hypothesis/unexplained/${chat}`,
    table: "trade_log",
  },
  {
    name: "details of the newest trade",
    path: ({ chat }, rows) =>
      `/api/logs/get-details?chatId=${chat}&entryId=${createHash("md5").update(`${rows}`).digest("hex")}`,
    table: "trade_log",
  },
  {
    name: "decisions, a page",
    path: ({ agent }) => `/api/agents/${agent}/decisions`,
    table: "trade_log",
  },
  {
    name: "sums of decisions",
    path: ({ agent }) => `/api/agents/${agent}/decisions/sums`,
    table: "trade_log",
  },
  {
    name: "changes",
    path: ({ agent }) => `/api/agents/${agent}/changes`,
    table: "audit_log",
  },
  {
    name: "messages, a page",
    path: ({ chat }) => `/api/chats/${chat}/messages`,
    table: "messages",
  },
  {
    name: "ledger, the largest page",
    path: ({ agent }) => `/api/ledger/agent?agentId=${agent}&limit=1000`,
    table: "ledger_entries",
  },
  {
    name: "points of worth, a page",
    path: ({ agent }) => `/api/equity/agent?agentId=${agent}`,
    table: "equity_points",
  },
  {
    name: "performance of 30 days",
    path: ({ agent }) => `/api/agents/${agent}/performance?range=30d`,
    table: "ledger_entries",
  },
  {
    name: "performance since the first point",
    path: ({ agent }) => `/api/agents/${agent}/performance?range=all`,
    table: "ledger_entries",
  },
  {
    name: "alerts received",
    path: ({ agent }) => `/api/agents/${agent}/signals`,
    table: "alert_events",
  },
  {
    name: "past alerts, a page",
    path: ({ agent }) => `/api/agents/${agent}/past-alerts`,
    table: "alert_events",
  },
];

/** Returns how long the event loop was busy with a call, in milliseconds, and what it answered. */
async function timed<T>(call: () => Promise<T>): Promise<{ busyMs: number; answer: T }> {
  await new Promise(setImmediate);
  const before = performance.eventLoopUtilization();
  const answer = await call();
  await new Promise(setImmediate);
  return { busyMs: performance.eventLoopUtilization(before).active, answer };
}

/** Measures the event loop's time for one answer of a list. */
export interface ListFigure {
  readonly name: string;
  readonly busyMs: number;
  readonly mostMs: number;
  /** The same of a bare query of the same rows made to JSON. */
  readonly bareMs: number;
  readonly bytes: number;
}

async function measure(
  server: FullServer,
  pool: Pool,
  list: List,
  { url, token }: { readonly url: string; readonly token: string },
): Promise<ListFigure> {
  const headers = { authorization: `Bearer ${token}` };
  const product: number[] = [];
  const bare: number[] = [];
  let bytes = 0;
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const read = await timed(() => server.app.inject({ url, headers }));
    if (read.answer.statusCode !== 200) throw new Error(`${url}: ${read.answer.payload}`);
    bytes = read.answer.payload.length;
    const body: unknown = read.answer.json();
    const rows = Array.isArray(body) ? body.length : lengthIn(body);
    const query = `select * from ${list.table} limit ${rows}`;
    const plain = await timed(async () => JSON.stringify((await pool.query(query)).rows));
    if (round < WARM_UP) continue;
    product.push(read.busyMs);
    bare.push(plain.busyMs);
  }
  return {
    name: list.name,
    busyMs: median(product),
    mostMs: Math.max(...product),
    bareMs: median(bare),
    bytes,
  };
}

const lengthIn = (body: unknown): number =>
  Math.max(
    1,
    ...Object.values(body as object).map((each) => (Array.isArray(each) ? each.length : 0)),
  );

/** Measures every list of one agent that has as many rows of each kind. */
export async function measureLists(
  rows: number,
  onFigure: (figure: ListFigure) => void,
): Promise<void> {
  await withDatabase(async (url, pool) => {
    await migrateDatabase(url);
    const opened = openDatabase({ url, maxConnections: 8 });
    const server = await createFullServer(withOneRole(opened, url));
    const owner = await signIn(server);
    const ids = await seedObjects(server, owner);
    await fill(pool, ids, rows);
    for (const list of LISTS) {
      const { token } = owner;
      onFigure(await measure(server, pool, list, { url: list.path(ids, rows), token }));
    }
    await server.close();
    await opened.close();
  });
}
