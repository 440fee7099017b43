import { afterEach, describe, expect, it } from "vitest";
import { bookDeps, finalize } from "../../../test/expect-booked.ts";
import { USDC } from "../../../test/custody-world.ts";
import { createTradingWorld, type TradingWorld } from "../../../test/trading-world.ts";
import { formatDecimal } from "../../domain/amount.ts";
import { closeLedger } from "../ledger/close-ledger.ts";
import { updateAgentLedger } from "../ledger/update-agent-ledger.ts";
import { insertAudit } from "../store/audit/audit.ts";
import { createAccountReader } from "../positions/account-reader.ts";
import { listEntries } from "../store/ledger/ledger.ts";
import { listEquityPoints } from "../store/ledger/equity-points.ts";
import { showPerformance } from "./agent-performance.ts";
import { readLandedSlots } from "../store/agents/agents.ts";
import { showPortfolio } from "./portfolio.ts";

const EVER = { fromMs: 0, toMs: 8.64e15 };
const HOUR_MS = 3_600_000;
const PAID_IN = 500n * USDC;

let world: TradingWorld;

afterEach(() => world.database.drop());

const look = async () => updateAgentLedger(bookDeps(world), await world.agent());

/** The answers of both pages, read from the chain now. */
async function shown() {
  const deps = {
    ...world.deps,
    accounts: createAccountReader({
      networks: world.networks,
      clock: world.clock,
      landedSlots: (agentIds) => readLandedSlots(world.database.db, agentIds),
    }),
  };
  const [performance, portfolio] = await Promise.all([
    showPerformance(deps, world.agentId, "all"),
    showPortfolio(deps, world.owner.address, "30d"),
  ]);
  const practice = portfolio.networks.find(({ network }) => network === "practice");
  const [agent] = practice?.agents ?? [];
  if (practice === undefined || agent === undefined) throw new Error("Nothing is shown");
  return { performance, practice, agent };
}

/** An agent whose deposit of 500 is followed by a fill after some seconds; the book looks when both are final. */
async function traded(seconds: number, { lookBetween = false } = {}) {
  world = await createTradingWorld("drift");
  world.clock.advance(seconds * 1_000);
  await world.fire("long");
  for (let turns = 0; turns < 3; turns += 1) await world.run();
  if (lookBetween) {
    // The deposit may be final here, the fill is not
    world.clock.advance(Math.max(0, 14 - seconds) * 1_000);
    await look();
  }
  finalize(world);
  await look();
  world.clock.advance(5_000);
}

describe("an agent's loss right after its first deposit", () => {
  it.each([
    [1, false],
    [1, true],
    [5, true],
    [18, false],
    [18, true],
    [60, true],
  ])(
    "appears in Today, Growth and both returns, with the first fill %d s later (read in between: %s)",
    async (seconds, lookBetween) => {
      await traded(seconds, { lookBetween });
      const made = (await world.account()).portfolioValue - PAID_IN;
      expect(made).toBeLessThan(0n);
      const share = expect.closeTo(Number(made) / Number(PAID_IN), 9);
      const { performance, practice, agent } = await shown();
      expect(practice.made.today?.share).toEqual(share);
      expect(agent.today?.share).toEqual(share);
      expect(agent.spark.at(-1)).toEqual(share);
      expect(performance.returns).toEqual({ timeWeighted: share, moneyWeighted: share });
      expect(performance.months.at(-1)?.rate).toEqual(share);
      expect(performance.curve.at(-1)?.growth).toEqual(share);
    },
  );

  it("has a point at the time of the deposit, with its amount, and one at the time of the fill", async () => {
    await traded(5);
    const { db } = world.database;
    const [points, entries] = await Promise.all([
      listEquityPoints(db, { agentId: world.agentId }, EVER, 10),
      listEntries(db, { agentId: world.agentId }, { range: EVER, limit: 100 }),
    ]);
    const at = (kind: string) =>
      entries.find((entry) => entry.kind === kind && entry.asset === "USDC")?.atMs;
    expect(points.map(({ cause, atMs }) => [cause, atMs])).toEqual([
      ["flow", at("deposit")],
      ["fill", at("trade")],
    ]);
    expect(points.map(({ value }) => value)).toEqual([
      PAID_IN,
      (await world.account()).portfolioValue,
    ]);
  });
});

it("counts an unread deposit from its own second on", async () => {
  await traded(5);
  const begunMs = world.clock.now();
  // Nobody looks for five hours with a position open; after four of them 500 more come in
  world.clock.advance(4 * HOUR_MS);
  const [depositedMs, secondsOff] = [world.clock.now(), world.clock.now() % 1_000];
  await world.approve(await world.prepare("deposit", "500"));
  world.setPrice(170_000_000n);
  world.clock.advance(HOUR_MS);
  await look();
  const { performance } = await shown();
  expect(performance.gaps).toHaveLength(1);
  // What was there as the money came in is not known
  expect(performance.returns.timeWeighted).toBeNull();
  const rate = performance.returns.moneyWeighted;
  if (rate === null) throw new Error("No rate is told");
  const [first] = performance.curve;
  const startMs = (first?.time ?? 0) * 1_000;
  const spanMs = world.clock.now() - startMs;
  const waited = (world.clock.now() - (depositedMs - secondsOff)) / spanMs;
  expect(waited).toBeLessThan(0.21);
  expect(begunMs).toBeGreaterThan(startMs);
  const grown = 500 * (1 + rate + (1 + rate) ** waited);
  expect(grown / Number(performance.curve.at(-1)?.value)).toBeCloseTo(1, 9);
});

it("shows no profit, but money on its way, before the first deposit is booked", async () => {
  world = await createTradingWorld("drift");
  world.clock.advance(5_000);
  const { practice, agent } = await shown();
  expect(practice.total).toBe("500");
  expect(practice.made).toEqual({ today: null, week: null, month: null, all: null });
  expect(agent.today).toBeNull();
  expect(practice.unbooked).toBe(1);
  finalize(world);
  await look();
  const booked = (await shown()).practice;
  expect(booked.made.all).toEqual({ amount: "0", share: 0 });
  expect([booked.unbooked, booked.flows.length]).toEqual([0, 1]);
});

it("keeps the exact loss of an agent that withdrew everything and was deleted", async () => {
  await traded(5);
  world.clock.advance(60_000);
  await world.turn("off");
  for (let turns = 0; turns < 3; turns += 1) await world.run();
  const left = (await world.account()).withdrawable;
  await world.approve(await world.prepare("withdraw", formatDecimal(left, 6)));
  // The last look before the records go counts what is not final yet
  await closeLedger(bookDeps(world), world.agentId);
  const { name } = await world.agent();
  await world.database.pool.query("delete from agents where id = $1", [world.agentId]);
  const detail = { name, network: "practice" };
  const { db } = world.database;
  const owner = world.owner.address;
  await insertAudit(db, world.clock.now(), owner, "agent_deleted", world.agentId, detail);
  world.clock.advance(60_000);
  const accounts = createAccountReader({
    networks: world.networks,
    clock: world.clock,
    landedSlots: (agentIds) => readLandedSlots(world.database.db, agentIds),
  });
  const { networks } = await showPortfolio({ ...world.deps, accounts }, owner, "30d");
  const practice = networks.find(({ network }) => network === "practice");
  const share = expect.closeTo(Number(left - PAID_IN) / Number(PAID_IN), 9);
  const lost = { amount: formatDecimal(left - PAID_IN, 6), share };
  expect(practice?.made.all).toEqual(lost);
  expect(practice?.deleted).toMatchObject([{ name, all: lost, today: lost }]);
  expect([practice?.total, practice?.agents]).toEqual(["0", []]);
  expect(practice?.deleted[0]?.spark.at(-1)).toEqual(share);
});
