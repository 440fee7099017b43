import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestClock } from "../../../test/clock.ts";
import { insertAgent } from "../../../test/custody-world.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/database.ts";
import { ownerKey } from "../../../test/ids.ts";
import { newTestId } from "../../../test/world.ts";
import type { AgentId } from "../../domain/ids.ts";
import { keypairFromSeed } from "../../solana/encoding/keys.ts";
import { createHousekeeping } from "../housekeeping/housekeeping.ts";
import { sumTradedBase } from "./custody/custody-notices.ts";
import { readFillTimes } from "./health/agent-health.ts";
import { readOpenWork } from "./health/open-work.ts";
import { insertUpkeep } from "./ledger/pending-writes.ts";
import { readClosedPnls } from "./orders/closed-profits.ts";

const DAY_MS = 24 * 3_600_000;
const clock = createTestClock();
const { address: owner } = ownerKey(keypairFromSeed(randomBytes(32)));
let database: TestDatabase;

beforeEach(async () => {
  // One connection, whose statistics are written when the test says so
  database = await createTestDatabase({ maxConnections: 1 });
  // As with tables that are worth an index
  await database.pool.query("set enable_seqscan = off");
});

afterEach(() => database.drop());

const newAgent = (): Promise<AgentId> =>
  insertAgent(database.db, randomBytes, { owner, venue: "drift", nowMs: clock.now() });

/** Rows that tables and indexes returned for a piece of work. */
async function rowsRead(work: () => Promise<unknown>): Promise<number> {
  const count = async () => {
    await database.pool.query("select pg_stat_force_next_flush()");
    const { rows } = await database.pool.query<{ read: string }>(
      `select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::text as read,
         pg_stat_clear_snapshot() from pg_stat_user_tables`,
    );
    return Number(rows[0]?.read);
  };
  // Sums up the block ranges as well, which autovacuum does in a running product
  await database.pool.query("vacuum analyze");
  await work();
  const before = await count();
  await work();
  return (await count()) - before;
}

/** Adds filled orders of an agent, each with its alert and its line of the log, evenly over the time before a moment. */
async function addOrders(
  agentId: AgentId,
  count: number,
  { untilMs, withinMs }: { readonly untilMs: number; readonly withinMs: number },
): Promise<void> {
  await database.pool.query(
    `with added as (
       select gen_random_uuid() as id, $1::text as agent, $2::timestamptz - n * $3::float8 * interval '1 millisecond' as at, n
       from generate_series(1, $4::integer) as n order by n desc
     ), events as (
       insert into alert_events (id, agent_id, alert_name, fired_at, received_at, outcome)
       select id, agent::uuid, 'long', at, at, 'accepted' from added
     ), planned as (
       insert into orders (id, agent_id, event_id, signal, state, planned_at, submitted_at, settled_at, signature)
       select encode(uuid_send(id), 'hex'), agent, id, 'OPEN_LONG', 'filled', at, at, at + interval '1 second', id::text from added
     )
     insert into trade_log (id, agent_id, chat_id, event_id, order_id, market, signal, type, side, status,
       base_size, base_decimals, quote_decimals, signature, at)
     select encode(uuid_send(id), 'hex'), agent, 'c', id, encode(uuid_send(id), 'hex'), 'SOL-PERP', 'OPEN_LONG', 'market',
       case when n % 2 = 0 then 'long' else 'sell' end, 'success', n, 9, 6, id::text, at from added`,
    [agentId, new Date(untilMs), withinMs / count, count],
  );
}

describe("an agent's traded amount", () => {
  /** Fills of keepers by transaction, as far as nothing of the log has that transaction. */
  type Upkeep = Map<string, { readonly market: string; readonly size: number }>;

  /** The sum over the whole log and every flag, as it was read before it was kept. */
  const sumWhole = async (agentId: AgentId, upkeep: Upkeep): Promise<Record<string, string>> => {
    const { rows } = await database.pool.query<{ market: string; net: string }>(
      `select market, sum(base)::text as net from (
         select market, case
             when side in ('long', 'buy') then base_size
             when side in ('short', 'sell') or type = 'transfer' then -base_size
             else 0 end as base
         from trade_log where agent_id = $1 and status = 'success'
         union all
         select market, size from json_to_recordset($2) as upkeep (market text, size integer)
       ) as fills group by market having sum(base) <> 0`,
      [agentId, JSON.stringify([...upkeep.values()])],
    );
    return Object.fromEntries(rows.map(({ market, net }) => [market, net]));
  };

  const kept = async (agentId: AgentId): Promise<Record<string, string>> =>
    Object.fromEntries(
      [...(await sumTradedBase(database.db, agentId))]
        .filter(([, net]) => net !== 0n)
        .map(([market, net]) => [market, net.toString()]),
    );

  const market = fc.constantFrom("SOL-PERP", "BTC-PERP");
  const signature = fc.constantFrom("a", "b", "c", "d");
  const line = fc.record({
    kind: fc.constant("line" as const),
    market,
    signature: fc.option(signature),
    side: fc.constantFrom("long", "short", "buy", "sell", "none"),
    type: fc.constantFrom("market", "transfer", "reset"),
    status: fc.constantFrom("pending", "success", "failed"),
    size: fc.integer({ min: 0, max: 1_000 }),
    isByOwner: fc.boolean(),
  });
  const upkeep = fc.record({
    kind: fc.constant("upkeep" as const),
    market,
    signature,
    size: fc.integer(),
  });
  const settled = fc.record({
    kind: fc.constant("settled" as const),
    signature,
    status: fc.constantFrom("success", "failed"),
    size: fc.integer({ min: 0, max: 1_000 }),
  });
  const removed = fc.record({ kind: fc.constant("removed" as const), signature });

  type Step = typeof line | typeof upkeep | typeof settled | typeof removed;
  type Value<T> = T extends fc.Arbitrary<infer V> ? V : never;

  /** `filled` are the transactions that a fill of an order has, `owned` those that a line of the owner has. */
  async function take(
    agentId: AgentId,
    step: Value<Step>,
    known: {
      readonly upkeep: Upkeep;
      readonly filled: Set<string>;
      readonly owned: Set<string>;
    },
  ): Promise<void> {
    const { pool, db } = database;
    const { upkeep, filled, owned } = known;
    if (step.kind === "upkeep") {
      // A transaction is flagged once
      if (upkeep.has(step.signature)) return;
      if (!filled.has(step.signature) && !owned.has(step.signature)) {
        upkeep.set(step.signature, step);
      }
      const fills = new Map([[step.market, BigInt(step.size)]]);
      const key = `${agentId} ${step.signature}`;
      await insertUpkeep(db, agentId, key, { fills, pending: [] });
    } else if (step.kind === "settled") {
      await pool.query(
        `update trade_log set status = $3, base_size = $4
         where id = (select id from trade_log where agent_id = $1 and signature = $2 limit 1)`,
        [agentId, `${agentId} ${step.signature}`, step.status, step.size],
      );
    } else if (step.kind === "removed") {
      owned.delete(step.signature);
      await pool.query("delete from trade_log where agent_id = $1 and signature = $2", [
        agentId,
        `${agentId} ${step.signature}`,
      ]);
    } else {
      const landed = step.signature === null ? null : `${agentId} ${step.signature}`;
      const orderId = newTestId();
      // A transaction sends one order
      const ordered = await pool.query(
        `insert into orders (id, agent_id, signal, state, planned_at, signature)
         select $1, $2, 'OPEN_LONG', 'filled', now(), $3
         where not $4 and not exists (select from orders where signature = $3)`,
        [orderId, agentId, landed, step.isByOwner],
      );
      if (!step.isByOwner && ordered.rowCount === 0) return;
      if (step.signature !== null) {
        (step.isByOwner ? owned : filled).add(step.signature);
        upkeep.delete(step.signature);
      }
      if (!step.isByOwner && landed !== null) {
        await pool.query("insert into order_fills values ($1, $2, 0, 1, 1, 0, 0)", [
          orderId,
          landed,
        ]);
      }
      await pool.query(
        `insert into trade_log (id, agent_id, chat_id, order_id, market, signal, type, side, status, by_owner,
           base_size, base_decimals, quote_decimals, signature, at)
         values ($1, $2, 'c', $3, $4, 'OPEN_LONG', $5, $6, $7, $8, $9, 9, 6, $10, now())`,
        [
          newTestId(),
          agentId,
          step.isByOwner ? null : orderId,
          step.market,
          step.type,
          step.side,
          step.status,
          step.isByOwner,
          step.size,
          landed,
        ],
      );
    }
  }

  it("equals the sum over its whole log for any order of writes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(line, upkeep, settled, removed), { maxLength: 25 }),
        async (steps) => {
          const agentId = await newAgent();
          const known = {
            upkeep: new Map(),
            filled: new Set<string>(),
            owned: new Set<string>(),
          };
          for (const step of steps) {
            await take(agentId, step, known);
            expect(await kept(agentId)).toEqual(await sumWhole(agentId, known.upkeep));
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it("costs the same to read after ten times the trades", async () => {
    const agentId = await newAgent();
    const read = () => rowsRead(() => sumTradedBase(database.db, agentId));
    const span = { untilMs: clock.now() - 60 * DAY_MS, withinMs: DAY_MS };
    await addOrders(agentId, 300, span);
    const few = await read();
    await addOrders(agentId, 2_700, span);
    expect(await kept(agentId)).toEqual(await sumWhole(agentId, new Map()));
    expect(few).toBeGreaterThan(0);
    expect(await read()).toBe(few);
  });
});

describe("a closing's profit", () => {
  it("costs the same to read after ten times the trades", async () => {
    const agentId = await newAgent();
    /** Adds positions of the book with their lines of the log, each opened and closed again for a gain of one. */
    const addPositions = (from: number, count: number) =>
      database.pool.query(
        `with added as (
           select n, $2 || n as signature, case when n % 2 = 0 then 1 else -1 end as base
           from generate_series($3::integer, $3::integer + 2 * $4::integer - 1) as n
         ), logged as (
           insert into trade_log (id, agent_id, chat_id, market, signal, type, side, status, base_size, base_decimals,
             quote_total, quote_decimals, fee, signature, at)
           select signature, $1, 'c', 'SOL-PERP', case when base > 0 then 'OPEN_LONG' else 'CLOSE_LONG' end, 'market',
             case when base > 0 then 'long' else 'sell' end, 'success', 1, 9, 100, 6, 1, signature, now() from added
         )
         insert into ledger_entries (agent_id, owner, network, signature, kind, n, place, market, asset, decimals, amount,
           base_market, base_decimals, base_amount, realised, held_base, held_cost, held_fees, realised_fees, slot, at, booked_at)
         select $1, 'o', 'practice', signature, 'trade', 0, 'position', 'SOL-PERP', 'USDC', 6, -base * 100, 'SOL-PERP', 9,
           base, case when base < 0 then 3 end, greatest(base, 0), 0, 0, case when base < 0 then -2 end, n, now(), now()
         from added order by n`,
        [agentId, `${agentId} `, from, count],
      );
    const closing = `${agentId} 1`;
    const read = () => readClosedPnls(database.db, agentId, [closing]);
    await addPositions(0, 150);
    expect(await read()).toEqual(new Map([[closing, { pnl: 1n, entry: 98n }]]));
    const few = await rowsRead(read);
    await addPositions(300, 1_350);
    expect(await rowsRead(read)).toBeLessThanOrEqual(few);
    expect(few).toBeGreaterThan(0);
  });
});

describe("the operators' figures of a day", () => {
  it("count each order once, at the cost of reading the newest minutes", async () => {
    const agentId = await newAgent();
    const nowMs = clock.now();
    const now = new Date(nowMs);
    const since = new Date(nowMs - DAY_MS);
    const read = () => readOpenWork(database.db, since, now);
    const counted = async () => {
      const { rows } = await database.pool.query<{ state: string; count: number }>(
        "select state, count(*)::int from orders where planned_at >= $1 and planned_at <= $2 group by state",
        [since, now],
      );
      return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
    };
    /** Orders of an hour and a half of yesterday to now, without alerts and log. */
    const addPlanned = (count: number, untilMs: number) =>
      database.pool.query(
        `insert into orders (id, agent_id, signal, state, planned_at)
         select encode(uuid_send(gen_random_uuid()), 'hex'), $1, 'OPEN_LONG', 'denied',
           $2::timestamptz - n * ($3::float8 / $4::integer) * interval '1 second'
         from generate_series(1, $4::integer) as n order by n desc`,
        [agentId, new Date(untilMs), (1.5 * DAY_MS) / 1_000, count],
      );
    await addPlanned(2_000, nowMs);
    expect((await read()).ordersByState).toEqual(await counted());
    // One that is open may still change, and is added up when it no longer does
    await database.pool.query(
      `update orders set state = 'planned'
       where id = (select id from orders where planned_at > $1 order by planned_at limit 1)`,
      [new Date(nowMs - DAY_MS / 2)],
    );
    await database.pool.query("delete from order_tallies");
    expect((await read()).ordersByState).toEqual(await counted());
    await database.pool.query("update orders set state = 'rejected' where state = 'planned'");
    expect((await read()).ordersByState).toEqual(await counted());
    const few = await rowsRead(read);
    await addPlanned(38_000, nowMs - 3_600_000);
    await database.pool.query("delete from order_tallies");
    expect((await read()).ordersByState).toEqual(await counted());
    // Two of forty thousand rows' block ranges hold what is counted anew
    expect(await rowsRead(read)).toBeLessThan(few + 4_000);
  });

  it("take waiting times only from the newest fills", async () => {
    const agentId = await newAgent();
    const since = new Date(clock.now() - DAY_MS);
    const times = () => readFillTimes(database.db, { since, agentId, most: 100 });
    const day = { untilMs: clock.now(), withinMs: DAY_MS };
    await addOrders(agentId, 150, day);
    expect(await times()).toMatchObject([{ fills: 100, p50Ms: 1_000, p95Ms: 1_000 }]);
    const few = await rowsRead(times);
    await addOrders(agentId, 1_350, day);
    expect(await rowsRead(times)).toBeLessThan(few * 1.5);
  });
});

describe("housekeeping", () => {
  const keeper = (batchRows: number) =>
    createHousekeeping({
      db: database.db,
      clock,
      batchRows,
      onFailure: (error) => {
        throw error;
      },
    });

  it("deletes everything due in one round", async () => {
    const agentId = await newAgent();
    await database.pool.query(
      `insert into alert_events (id, agent_id, alert_name, fired_at, received_at, outcome)
       select gen_random_uuid(), $1::uuid, 'long', $2, $2::timestamptz + n * interval '1 second', 'accepted'
       from generate_series(1, 700) as n`,
      [agentId, new Date(clock.now() - 40 * DAY_MS)],
    );
    expect(await keeper(5).run()).toMatchObject({ alertEvents: 700 });
  });

  it("checks remaining rows once, not in every round", async () => {
    const agentId = await newAgent();
    const old = { untilMs: clock.now() - 40 * DAY_MS, withinMs: 5 * DAY_MS };
    const housekeeping = keeper(500);
    await addOrders(agentId, 500, old);
    const few = await rowsRead(() => housekeeping.run());
    await addOrders(agentId, 4_500, { ...old, untilMs: clock.now() - 35 * DAY_MS });
    expect(await rowsRead(() => housekeeping.run())).toBeLessThan(few + 1_500);
  });
});
