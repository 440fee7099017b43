import { createHash } from "node:crypto";
import { performance } from "node:perf_hooks";
import type { Pool } from "pg";
import { migrateDatabase } from "../src/server/store/postgres/migrate.ts";
import { openDatabase } from "../src/server/store/postgres/pool.ts";
import { createFullServer, type FullServer } from "../test/full-server.ts";
import { signIn } from "../test/wallet.ts";
import { type ObjectIds, seedObjects } from "../test/world.ts";
import { withDatabase } from "./bench-database.ts";
import { median } from "./figures.ts";

export const ROUNDS = 30;
const WARM_UP = 5;

/** Fills the lists of one agent: a trade, a booked entry, a point of worth, a message and a change per row. */
async function fill(pool: Pool, { agent, chat, wallet }: ObjectIds, rows: number): Promise<void> {
  await pool.query(
    `insert into trade_log (id, agent_id, chat_id, market, signal, type, side, status, base_size, base_decimals,
       percentage, quote_total, quote_decimals, price, fee, at)
     select md5(n::text), $1, $2, 'SOL-PERP', case when n % 2 = 0 then 'OPEN_LONG' else 'CLOSE_LONG' end, 'market',
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
  await pool.query(
    `insert into ledger_entries (agent_id, owner, network, signature, kind, n, place, market, asset, decimals, amount,
       slot, at, booked_at)
     select $1, $2, 'practice', 'signature' || n, 'fee', 0, 'position', 'SOL-PERP', 'USDC', 6, -350000, n, now(), now()
     from generate_series(1, $3::int) as n`,
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
  { name: "messages", path: ({ chat }) => `/api/chats/${chat}/messages`, table: "messages" },
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
    name: "performance",
    path: ({ agent }) => `/api/agents/${agent}/performance?range=30d`,
    table: "ledger_entries",
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
    const server = await createFullServer({ ...opened, url, drop: () => opened.close() });
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
