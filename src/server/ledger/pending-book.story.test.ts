import fc from "fast-check";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { bookDeps, finalize } from "../../../test/expect-booked.ts";
import { createTradingWorld, type TradingWorld } from "../../../test/trading-world.ts";
import { withRecordedFigures } from "../positions/recorded-figures.ts";
import { readBookedPositions } from "../store/ledger/booked-positions.ts";
import { bookRows, readPending } from "../store/ledger/pending-entries.ts";
import { sumKinds } from "../store/ledger/performance.ts";
import { readClosedPnls } from "../store/orders/closed-profits.ts";
import { updateAgentLedger } from "./update-agent-ledger.ts";

/** Number of random lives on each venue; PENDING_LIVES=200 runs more. */
const LIVES = Number(process.env["PENDING_LIVES"] ?? 8);

const ALERTS = {
  drift: ["long", "close long", "short", "close short"],
  jupiter: ["long", "close long"],
} as const;

const event = (venue: keyof typeof ALERTS) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ alert: fc.constantFrom(...ALERTS[venue]) }) },
    fc.record({ price: fc.integer({ min: -4, max: 4 }) }),
    fc.record({ owner: fc.constantFrom("close-positions" as const, "deposit" as const) }),
    fc.record({ isBooked: fc.constant(true) }),
  );

/** What the pages show of profit: each closing's own, and the swap positions' entry price, PnL and deposits. */
async function shown(world: TradingWorld, venueId: keyof typeof ALERTS) {
  const { db, pool } = world.database;
  const { rows } = await pool.query<{ id: string }>("select id from trade_log order by seq");
  const closed = await readClosedPnls(
    db,
    world.agentId,
    rows.map(({ id }) => id),
  );
  const venue = world.deps.networks.get("practice")?.venues.get(venueId);
  if (venue === undefined) throw new Error(`No ${venueId} on practice`);
  const { positions, netDeposits } = await withRecordedFigures(
    db,
    venue,
    world.agentId,
    await world.account(),
  );
  const swaps = venueId === "drift" ? [] : [netDeposits, ...positions];
  return {
    closed: rows.map(({ id }) => closed.get(id) ?? null),
    swaps,
    performance: await performanceOf(world),
  };
}

/** What Performance shows of money and trades; SOL for the network and funding are read from the chain alone. */
async function performanceOf({ database: { db }, agentId, clock }: TradingWorld) {
  const pending = await readPending(db, agentId);
  const toMs = clock.now() + 60_000;
  const sums = await sumKinds(db, agentId, pending, { fromMs: 0, toMs });
  const times = { fromMs: 0, begunMs: 0, recordedMs: 0, nowMs: toMs };
  const { closed } = await readBookedPositions(db, agentId, pending, times);
  const { rows } = await sql<{ realised: string }>`
    select coalesce(sum(realised + realised_fees), 0)::text as realised
    from (${bookRows(agentId, pending)}) as book where kind = 'trade'`.execute(db);
  return {
    money: ["trade", "fee", "deposit", "withdrawal"].map((kind) =>
      sums
        .filter((each) => each.kind === kind && !each.isLamports)
        .map(({ asset, amount, realised }) => ({ kind, asset, amount, realised })),
    ),
    closed,
    realised: BigInt(rows[0]?.realised ?? 0),
  };
}

/** Expects the log to have what Performance has of closed trades, to the unit. */
async function expectAgreed(world: TradingWorld, venueId: keyof typeof ALERTS): Promise<void> {
  const { closed, performance } = await shown(world, venueId);
  expect(closed.reduce((sum, each) => sum + (each?.pnl ?? 0n), 0n)).toBe(performance.realised);
}

/** Books all that landed and returns what is shown of it before and after that. */
async function book(world: TradingWorld, venueId: keyof typeof ALERTS): Promise<void> {
  const pending = await shown(world, venueId);
  finalize(world);
  await updateAgentLedger(bookDeps(world), await world.agent());
  expect(await shown(world, venueId)).toEqual(pending);
  expect((await readPending(world.database.db, world.agentId)).entries).toEqual([]);
}

it.each(["drift", "jupiter"] as const)(
  `shows pending trades and booked ones identically on %s in ${LIVES} lives`,
  async (venueId) => {
    let closings = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(event(venueId), { minLength: 4, maxLength: 14 }),
        async (events) => {
          const world = await createTradingWorld(venueId);
          let price = 155_000_000n;
          for (const step of events) {
            if ("alert" in step) await world.fire(step.alert);
            else if ("price" in step) {
              price += (price * BigInt(step.price)) / 100n;
              world.setPrice(price);
            } else if ("isBooked" in step) await book(world, venueId);
            else {
              const prepared = await world
                .prepare(step.owner, step.owner === "deposit" ? "10" : undefined)
                .catch(() => null);
              if (prepared !== null) await world.approve(prepared);
            }
            for (let turns = 0; turns < 3; turns += 1) await world.run();
            await expectAgreed(world, venueId);
            world.clock.advance(1_000);
          }
          await book(world, venueId);
          const { closed } = await shown(world, venueId);
          closings += closed.filter((each) => each !== null).length;
          const { rows } = await world.database.pool.query<{ realised: string; held: string }>(
            `select coalesce(sum(realised), 0) + coalesce(sum(realised_fees), 0) as realised,
               count(*) filter (where realised is not null and realised_fees is null) as held
             from ledger_entries`,
          );
          // The log has all that the book realised
          expect(closed.reduce((sum, each) => sum + (each?.pnl ?? 0n), 0n)).toBe(
            BigInt(rows[0]?.realised ?? 0),
          );
          expect(Number(rows[0]?.held)).toBe(0);
          await world.database.drop();
        },
      ),
      { numRuns: LIVES, seed: 24 },
    );
    expect(closings).toBeGreaterThan(LIVES / 2);
  },
);
