import fc from "fast-check";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { bookDeps, finalize } from "../../../test/expect-booked.ts";
import { createTradingWorld, type TradingWorld } from "../../../test/trading-world.ts";
import { practiceVenues } from "../../../test/practice-venues.ts";
import { wrapChain } from "../../../test/wrap-chain.ts";
import { formatDecimal, formatFixed } from "../../domain/amount.ts";
import type { Chain } from "../../solana/chain.ts";
import { showPerformance } from "../performance/agent-performance.ts";
import { showPortfolio } from "../performance/portfolio.ts";
import { createAccountReader } from "../positions/account-reader.ts";
import { presentSummary } from "../positions/present-position.ts";
import { withRecordedFigures, withShownFigures } from "../positions/recorded-figures.ts";
import { sumKinds, readBookedPositions } from "../store/ledger/performance.ts";
import { bookRows, readPending } from "../store/ledger/pending-entries.ts";
import { readClosedPnls } from "../store/orders/closed-profits.ts";
import { runLane } from "../trading/lanes/lane.ts";
import { readLandedSlots } from "../store/agents/agents.ts";
import { updateAgentLedger } from "./update-agent-ledger.ts";

/** Number of random lives on each venue; PENDING_LIVES=200 runs more. */
const LIVES = Number(process.env["PENDING_LIVES"] ?? 8);

const ALERTS = {
  drift: ["long", "close long", "short", "close short"],
  jupiter: ["long", "close long"],
} as const;

/** Calls of the chain during which a server that trades is killed. */
const KILLED_AT = ["accounts", "send", "signatureStatuses", "transaction"] as const;

const event = (venue: keyof typeof ALERTS) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ alert: fc.constantFrom(...ALERTS[venue]) }) },
    fc.record({ price: fc.integer({ min: -4, max: 4 }) }),
    fc.record({ hours: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ owner: fc.constantFrom("close-positions" as const, "deposit" as const) }),
    fc.record({ isBooked: fc.constant(true) }),
    fc.record({
      alert: fc.constantFrom(...ALERTS[venue]),
      killedAt: fc.constantFrom(...KILLED_AT),
    }),
    fc.record({ bookKilledAt: fc.constantFrom("signaturesFor" as const, "transaction" as const) }),
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

/** Answers of header, Performance and Portfolio, each by its own call. */
async function pagesOf(world: TradingWorld) {
  const { networks, clock } = world;
  const accounts = createAccountReader({
    networks,
    clock,
    landedSlots: (agentIds) => readLandedSlots(world.database.db, agentIds),
    complete: (venue, agentId, state) => withShownFigures(world.database.db, venue, agentId, state),
  });
  const deps = { ...world.webDeps, accounts };
  const agent = await world.agent();
  const [performance, portfolio, [snapshot = null]] = await Promise.all([
    showPerformance(deps, world.agentId, "all"),
    showPortfolio(deps, world.owner.address, "30d"),
    accounts.read([agent]),
  ]);
  const [practice] = portfolio.networks;
  return { performance, practice, header: presentSummary(agent, snapshot) };
}

/** Expects log, header, Performance and Portfolio to agree, to the unit. */
async function expectAgreed(world: TradingWorld, venueId: keyof typeof ALERTS): Promise<void> {
  const { closed, performance: booked } = await shown(world, venueId);
  expect(closed.reduce((sum, each) => sum + (each?.pnl ?? 0n), 0n)).toBe(booked.realised);

  const { performance, practice, header } = await pagesOf(world);
  const { portfolioValue } = await world.account();
  const value = formatDecimal(portfolioValue, 6);
  // While a deposit is not booked, the curve ends at the newest point of the book
  const newest = performance.curve.at(-1);
  const isOfNow = newest?.time === Math.floor(world.clock.now() / 1_000);
  if (isOfNow) expect(newest.value).toBe(value);
  expect(practice?.agents.map((agent) => agent.value)).toEqual([value]);
  expect(practice?.total).toBe(value);
  expect(header.portfolioValue).toBe(formatFixed(portfolioValue, 6, 2));
  // Until its lane has read what landed, an order is in the account and not yet in the book
  const states = (await world.orders()).map(({ state }) => state);
  if (states.some((state) => OPEN.has(state))) return;
  const { deposited, withdrawn, realised, fees, funding, interest, unrealised } = performance.money;
  const parts = [deposited, withdrawn, realised, fees, funding, interest, unrealised];
  const sum = parts.reduce((total, part) => total + unitsOf(part ?? "0"), 0n);
  expect(formatDecimal(sum, 6)).toBe(value);
}

/** Units of a decimal with six places and a sign. */
const unitsOf = (text: string): bigint => {
  const [whole, places = ""] = text.split(".");
  return BigInt(`${whole}${places.padEnd(6, "0")}`);
};

const OPEN: ReadonlySet<string> = new Set(["planned", "submitted", "resting"]);

/** Dependencies on a chain that never answers one call again; `killed` resolves when that call is made. */
function dyingAt(world: TradingWorld, method: keyof Chain) {
  let die = (): void => {};
  const killed = new Promise<void>((resolve) => {
    die = resolve;
  });
  const never = () => {
    die();
    return new Promise<never>(() => {});
  };
  const runtime = world.deps.networks.get("practice");
  if (runtime === undefined) throw new Error("No practice network");
  const chain = wrapChain(world.faulty, () => ({ [method]: never }));
  const venues = practiceVenues(chain, world.prices, world.clock);
  const networks = new Map([["practice", { ...runtime, chain, venues }]] as const);
  return { killed, networks };
}

/** Kills a server during a call of the chain; its lane is free as when its lease has ended. Returns whether the call was made. */
async function killLane(world: TradingWorld, method: keyof Chain): Promise<boolean> {
  const { killed, networks } = dyingAt(world, method);
  const run = runLane({ ...world.deps, networks }, world.agentId, "killed");
  const isKilled = await Promise.race([killed.then(() => true), run.then(() => false)]);
  await sql`update lanes set claimed_until = clock_timestamp() - interval '1 second'`.execute(
    world.database.db,
  );
  return isKilled;
}

/** Kills a server while it books what is final. */
async function killBook(world: TradingWorld, method: keyof Chain): Promise<boolean> {
  const { killed, networks } = dyingAt(world, method);
  finalize(world);
  const run = updateAgentLedger({ ...bookDeps(world), networks }, await world.agent());
  return Promise.race([killed.then(() => true), run.then(() => false)]);
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
  { timeout: LIVES * 15_000 },
  async (venueId) => {
    let [closings, kills] = [0, 0];
    await fc.assert(
      fc.asyncProperty(
        fc.array(event(venueId), { minLength: 4, maxLength: 14 }),
        async (events) => {
          const world = await createTradingWorld(venueId);
          let price = 155_000_000n;
          for (const step of events) {
            if ("killedAt" in step) {
              await world.fire(step.alert);
              kills += Number(await killLane(world, step.killedAt));
              await expectAgreed(world, venueId);
            } else if ("bookKilledAt" in step) {
              kills += Number(await killBook(world, step.bookKilledAt));
            } else if ("alert" in step) await world.fire(step.alert);
            else if ("hours" in step) world.clock.advance(step.hours * 3_600_000);
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
    expect(kills).toBeGreaterThan(LIVES / 2);
  },
);
