import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { useDatabase } from "../../../test/database.ts";
import { useFullServer } from "../../../test/full-server.ts";
import { modelPerformance } from "../../../test/performance-model.ts";
import { signIn, type SignedIn } from "../../../test/wallet.ts";
import { seedObjects } from "../../../test/world.ts";
import { formatDecimal } from "../../domain/amount.ts";
import { parseAgentId } from "../../domain/ids.ts";
import { RANGES, rangeStart } from "../../domain/performance/range.ts";

const database = useDatabase();
const server = useFullServer(database);
let wallet: SignedIn;
let agentId: string;

beforeAll(async () => {
  wallet = await signIn(server);
  agentId = (await seedObjects(server, wallet)).agent;
  // What is booked can only be added; here every history begins anew
  await database.pool.query("drop trigger ledger_is_append_only on ledger_entries");
});

const MINUTE_MS = 60_000;
const MARKETS = ["SOL-PERP", "BTC-PERP"] as const;

const trade = fc.record({
  market: fc.constantFrom(...MARKETS),
  base: fc.constantFrom(-5n, -3n, -2n, -1n, 1n, 2n, 3n, 5n),
  /** Closes all that is held instead, as most trades do. */
  isWhole: fc.constantFrom(true, true, false),
  realised: fc.option(fc.constantFrom(-900n, -7n, 0n, 7n, 1_000n), { freq: 8 }),
});
const cost = fc.record({
  kind: fc.constantFrom("fee", "funding"),
  market: fc.constantFrom("", ...MARKETS),
  amount: fc.constantFrom(-5n, -1n, 3n),
  isFirst: fc.boolean(),
});
const transaction = fc.record({
  minutes: fc.constantFrom(1, 50, 130, 500, 3_000),
  trades: fc.array(trade, { maxLength: 2 }),
  costs: fc.array(cost, { maxLength: 2 }),
});
const order = fc.record({
  minutes: fc.nat(60_000),
  side: fc.constantFrom("long", "short"),
  marketId: fc.constantFrom(
    ...MARKETS,
    ...MARKETS,
    "SOL-PERP",
    "SOL-PERP",
    "SOL-PERP",
    "GONE-PERP",
  ),
  price: fc.bigInt({ min: 1n, max: 999_999_999n }),
  fills: fc.array(
    fc.tuple(
      fc.bigInt({ min: 1n, max: 5_000_000_000n }),
      fc.bigInt({ min: 1n, max: 900_000_000n }),
    ),
    {
      maxLength: 2,
    },
  ),
  waitMs: fc.option(fc.integer({ min: -50, max: 90_000 }), { freq: 6 }),
  settleMs: fc.option(fc.nat(90_000), { freq: 6 }),
});
const history = fc.record({
  transactions: fc.array(transaction, { minLength: 1, maxLength: 60 }),
  points: fc.array(fc.constantFrom(20, 60, 110, 400, 3_500), { maxLength: 60 }),
  orders: fc.array(order, { maxLength: 25 }),
});

type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

const json = (rows: readonly unknown[]) =>
  JSON.stringify(rows, (_key, value: unknown) => (typeof value === "bigint" ? `${value}` : value));

/** Returns the booked entries of the transactions, oldest first, the newest of them now. */
function entriesOf(transactions: History["transactions"], nowMs: number) {
  const held = new Map<string, bigint>();
  let atMs = nowMs - transactions.reduce((sum, { minutes }) => sum + minutes, 0) * MINUTE_MS;
  return transactions.flatMap(({ minutes, trades, costs }, n) => {
    atMs += minutes * MINUTE_MS;
    const shared = { at: new Date(atMs).toISOString(), signature: `s${n}`, base: null, held: null };
    const booked = trades.map(({ market, base, isWhole, realised }) => {
      const before = held.get(market) ?? 0n;
      const traded = isWhole && before !== 0n ? -before : base;
      held.set(market, before + traded);
      const closes = before !== 0n && before > 0n !== traded > 0n;
      return {
        ...shared,
        kind: "trade",
        market,
        amount: 1n,
        base: traded,
        held: before + traded,
        realised: closes ? realised : null,
      };
    });
    const paid = costs.map((each) => ({ ...shared, ...each, realised: null, realisedFees: null }));
    return [
      ...paid.filter(({ isFirst }) => isFirst),
      ...booked,
      ...paid.filter(({ isFirst }) => !isFirst),
    ];
  });
}

async function write({ transactions, points, orders }: History, nowMs: number): Promise<void> {
  const { pool } = database;
  for (const table of [
    "ledger_entries",
    "equity_points",
    "order_fills",
    "orders",
    "alert_events",
  ]) {
    await pool.query(`delete from ${table}`);
  }
  await pool.query(
    `insert into ledger_entries (agent_id, owner, network, signature, kind, n, place, asset, decimals, amount, market,
       base_market, base_decimals, base_amount, realised, held_base, slot, at, booked_at)
     select $2, $3, 'practice', signature, kind, n, 'exchange', 'USDC', 6, amount, market,
       case when base is not null then market end, case when base is not null then 9 end, base, realised, held, n, at, at
     from (select *, row_number() over () as n from json_to_recordset($1) as row (signature text, kind text,
       amount numeric, market text, base numeric, realised numeric, held numeric, at timestamptz)) as rows order by n`,
    [json(entriesOf(transactions, nowMs)), agentId, wallet.address],
  );
  let atMs = nowMs - points.reduce((sum, minutes) => sum + minutes, 0) * MINUTE_MS;
  const recorded = points.map((minutes) => new Date((atMs += minutes * MINUTE_MS)).toISOString());
  await pool.query(
    `insert into equity_points (agent_id, owner, network, at, slot, cause, value, asset, decimals, net_flow, market,
       entry_seq)
     select $2, $3, 'practice', at, 1, 'hour', 1000, 'USDC', 6, 1000, '', 1 from unnest($1::timestamptz[]) as at`,
    [recorded, agentId, wallet.address],
  );
  const rows = json(
    orders.map(({ minutes, side, marketId, price, fills, waitMs, settleMs }, n) => {
      const sentMs = nowMs - minutes * MINUTE_MS;
      return {
        n,
        fills: fills.map(([base, quote], at) => ({ base, quote, at })),
        intent: { side, marketId, referencePrice: `${price}` },
        sent: new Date(sentMs).toISOString(),
        received: waitMs === null ? null : new Date(sentMs - waitMs).toISOString(),
        settled: settleMs === null ? null : new Date(sentMs + settleMs).toISOString(),
      };
    }),
  );
  const from = (columns: string) => `json_to_recordset($1) as row (n int, ${columns})`;
  await pool.query(
    `insert into alert_events (received_at, id, agent_id, outcome, alert_name)
     select received, md5('e' || n)::uuid, $2::text::uuid, 'accepted', 'x' from ${from("received timestamptz")}
     where received is not null`,
    [rows, agentId],
  );
  await pool.query(
    `insert into orders (id, agent_id, event_id, signal, state, intent, planned_at, submitted_at, settled_at)
     select md5('o' || n), $2, case when received is not null then md5('e' || n)::uuid end, 'OPEN_LONG', 'planned',
       intent, sent, sent, settled
     from ${from("received timestamptz, sent timestamptz, settled timestamptz, intent jsonb")}`,
    [rows, agentId],
  );
  await pool.query(
    `insert into order_fills (order_id, signature, n, base_size, quote_size, fee, slot)
     select md5('o' || n), n, at, base, quote, 0, 1 from ${from("fills jsonb")},
       jsonb_to_recordset(fills) as fill (base bigint, quote bigint, at int)`,
    [rows],
  );
}

const isoOf = (ms: number) => new Date(ms).toISOString();
const text = (units: bigint | null) => (units === null ? null : formatDecimal(units, 6));

it("equals the figures computed from every entry and order, whatever was booked", async () => {
  const seen = { closed: 0, losing: 0, gaps: 0, slippage: 0, latency: 0 };
  await fc.assert(
    fc.asyncProperty(history, fc.constantFrom(...RANGES), async (made, range) => {
      const nowMs = server.clock.now();
      await write(made, nowMs);
      const path = `/api/agents/${agentId}/performance?range=${range}`;
      const { status, body } = await server.send("GET", path, { token: wallet.token });
      expect(status).toBe(200);
      const fromMs = rangeStart(range, nowMs) ?? 0;
      const model = await modelPerformance(database.db, {
        agentId: parseAgentId(agentId),
        fromMs,
        nowMs,
      });
      const { figures } = model;
      expect(body.trades).toEqual({
        ...figures,
        averageWin: text(figures.averageWin),
        averageLoss: text(figures.averageLoss),
        exposure: model.exposure,
      });
      expect(body.gaps).toEqual(
        model.gaps.map((gap) => ({ from: isoOf(gap.fromMs), to: isoOf(gap.toMs) })),
      );
      expect(body.money.slippage).toBe(text(model.slippage));
      expect(body.money.unknownClosings).toBe(figures.unknown);
      expect(body.alertToSent).toEqual(model.alertToSent);
      expect(body.alertToFilled).toEqual(model.alertToFilled);
      seen.closed += figures.known;
      seen.losing += figures.longestLosingRun > 1 ? 1 : 0;
      seen.gaps += model.gaps.length;
      seen.slippage += model.slippage === null ? 0 : 1;
      seen.latency += model.alertToFilled === null ? 0 : 1;
    }),
    // The same histories each time, so that what they hold is the same
    { numRuns: 200, seed: 2026 },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20);
});
