import type { Pool } from "pg";
import { type AgentId, type OwnerAddress, parseAgentId } from "../src/domain/ids.ts";
import type { Network } from "../src/domain/network.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface BookToSeed {
  readonly agentId: AgentId;
  readonly owner: OwnerAddress;
  readonly network: Network;
  /** Days of trading until now. */
  readonly days: number;
  readonly tradesPerDay: number;
  /** Days before now within which nothing is recorded while a position is open, for instance [20, 18]. */
  readonly gap?: readonly [from: number, to: number];
  readonly seed?: number;
}

/** A generated ledger whose final figures are known without reading it. */
export interface SeededBook {
  readonly entries: number;
  readonly points: number;
  readonly wins: number;
  readonly losses: number;
  readonly realised: bigint;
  readonly fees: bigint;
  readonly value: bigint;
}

interface Entry {
  readonly at: Date;
  readonly kind: string;
  readonly amount: bigint;
  readonly signature: string;
  readonly base?: bigint;
  readonly held?: bigint;
  readonly realised?: bigint;
}

interface Point {
  readonly at: Date;
  readonly cause: "fill" | "flow" | "hour";
  readonly value: bigint;
  readonly netFlow: bigint;
  readonly price: bigint;
}

const DEPOSIT = 1_000_000_000n;
const FEE = -50_000n;
const SIZE = 1_000_000_000n;

/** Returns a repeatable generator of pseudo-random numbers. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return state / 0x7fff_ffff;
  };
}

/** Writes a book of long positions of one SOL at 100, each open for a few hours, with hourly points while it is. */
export async function seedBook(pool: Pool, nowMs: number, book: BookToSeed): Promise<SeededBook> {
  const { days, tradesPerDay, gap } = book;
  const roll = dice(book.seed ?? 7);
  const entries: Entry[] = [];
  const points: Point[] = [];
  const begunMs = nowMs - days * DAY_MS;
  const thinnedBeforeMs = nowMs - 90 * DAY_MS;
  const isInGap = (atMs: number) =>
    gap !== undefined && atMs > nowMs - gap[0] * DAY_MS && atMs < nowMs - gap[1] * DAY_MS;
  let [value, realised, fees, wins, losses] = [DEPOSIT, 0n, 0n, 0, 0];
  const addPoint = (atMs: number, cause: Point["cause"], worth: bigint, price: bigint) => {
    if (isInGap(atMs)) return;
    points.push({ at: new Date(atMs), cause, value: worth, netFlow: DEPOSIT, price });
  };
  entries.push({ at: new Date(begunMs), kind: "deposit", amount: DEPOSIT, signature: "deposit" });
  addPoint(begunMs, "flow", value, 100_000_000n);
  const spanMs = DAY_MS / tradesPerDay;
  for (let n = 0; n < days * tradesPerDay; n += 1) {
    const openedMs = begunMs + Math.floor(n * spanMs + spanMs * 0.1);
    const isLong = isInGap(openedMs + spanMs);
    const closedMs = openedMs + Math.floor(spanMs * (isLong ? 0.9 : 0.5));
    const result = BigInt(Math.round((roll() - 0.47) * 8_000_000));
    const [opening, closing] = [`open-${n}`, `close-${n}`];
    const paid = 100_000_000n;
    entries.push({
      at: new Date(openedMs),
      kind: "trade",
      amount: -paid,
      signature: opening,
      base: SIZE,
      held: SIZE,
    });
    entries.push({ at: new Date(openedMs), kind: "fee", amount: FEE, signature: opening });
    addPoint(openedMs, "fill", value + FEE, paid);
    for (let atMs = openedMs + HOUR_MS; atMs < closedMs; atMs += HOUR_MS) {
      const share = (atMs - openedMs) / (closedMs - openedMs);
      const open = BigInt(Math.round(Number(result) * share));
      addPoint(atMs, "hour", value + FEE + open, paid + open);
    }
    entries.push({
      at: new Date(closedMs),
      kind: "trade",
      amount: paid + result,
      signature: closing,
      base: -SIZE,
      held: 0n,
      realised: result,
    });
    entries.push({ at: new Date(closedMs), kind: "fee", amount: FEE, signature: closing });
    value += result + 2n * FEE;
    realised += result;
    fees += 2n * FEE;
    if (result + 2n * FEE > 0n) wins += 1;
    else losses += 1;
    addPoint(closedMs, "fill", value, paid + result);
  }
  // As the product keeps them: after 90 days the last of each day
  const kept = points.filter(({ at }, n) => {
    const next = points[n + 1]?.at;
    const isLast = next === undefined || next.getUTCDate() !== at.getUTCDate();
    return at.getTime() >= thinnedBeforeMs || isLast;
  });
  await insertEntries(pool, book, entries);
  await insertPoints(pool, book, kept);
  return { entries: entries.length, points: kept.length, wins, losses, realised, fees, value };
}

const textOf = (_key: string, value: unknown) =>
  typeof value === "bigint" ? value.toString() : value;

async function insertEntries(
  pool: Pool,
  { agentId, owner, network }: BookToSeed,
  rows: readonly Entry[],
) {
  await pool.query(
    `insert into ledger_entries (agent_id, owner, network, signature, kind, n, place, asset, decimals, amount, market,
       base_market, base_decimals, base_amount, realised, held_base, held_cost, slot, at, booked_at)
     select $1, $2, $3, row.signature, row.kind, 0, 'exchange', 'USDC', 6, row.amount,
       case when row.base is null then '' else 'SOL-PERP' end,
       case when row.base is null then null else 'SOL-PERP' end, case when row.base is null then null else 9 end,
       row.base, row.realised, row.held, 0, 1, row.at, row.at
     from json_to_recordset($4) as row (at timestamptz, kind text, amount numeric, signature text, base numeric,
       held numeric, realised numeric)`,
    [agentId, owner, network, JSON.stringify(rows, textOf)],
  );
}

async function insertPoints(
  pool: Pool,
  { agentId, owner, network }: BookToSeed,
  rows: readonly Point[],
) {
  await pool.query(
    `insert into equity_points (agent_id, owner, network, at, slot, cause, value, asset, decimals, net_flow, market, price,
       price_at, entry_seq)
     select $1, $2, $3, row.at, 1, row.cause, row.value, 'USDC', 6, row."netFlow", 'SOL-PERP', row.price,
       case when row.price is null then null else row.at end, 1
     from json_to_recordset($4) as row (at timestamptz, cause text, value numeric, "netFlow" numeric, price numeric)
     on conflict do nothing`,
    [agentId, owner, network, JSON.stringify(rows, textOf)],
  );
}

/** Inserts a wallet's agents with a ledger each directly into the tables; nothing of them is on a chain. */
export async function seedBookedAgents(
  pool: Pool,
  nowMs: number,
  { owner, network, count, ...book }: Omit<BookToSeed, "agentId"> & { readonly count: number },
): Promise<readonly SeededBook[]> {
  const ids = Array.from({ length: count }, (_, at) =>
    parseAgentId((at + 1).toString(16).padStart(32, "0")),
  );
  await pool.query(
    `insert into chats (id, owner, title, created_at, updated_at)
     select id, $2, 'Seeded', now(), now() from unnest($1::text[]) id`,
    [ids, owner],
  );
  await pool.query(
    `insert into agents (id, chat_id, owner, network, venue, name, name_key, market_id, interval, slippage_bps, auto_trade,
       created_at, updated_at)
     select id, id, $2, $3, 'drift', 'Agent ' || n || ' SOL-1h', 'agent ' || n, 'SOL-PERP', '1h', 50, 'off', now(), now()
     from unnest($1::text[]) with ordinality as made (id, n)`,
    [ids, owner, network],
  );
  await pool.query("insert into lanes (agent_id) select id from unnest($1::text[]) id", [ids]);
  const seeded: SeededBook[] = [];
  for (const [at, agentId] of ids.entries()) {
    seeded.push(await seedBook(pool, nowMs, { ...book, owner, network, agentId, seed: at + 1 }));
  }
  await pool.query("analyze");
  return seeded;
}
