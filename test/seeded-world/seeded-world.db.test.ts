import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database.ts";
import { type BaseWorld, createBaseWorld } from "./base-world.ts";
import type { Spoil } from "./run.ts";
import { FIRST_ACTING_SEED } from "./judge-stops.ts";
import { FIRST_PLANNED_SEED, runSeed, type SeedResult } from "./run-seed.ts";
import { addCounts, countsText, NO_COUNTS } from "./seed-counts.ts";
import { acknowledgesFirst, COUNTS_TWICE, leavesTheDead, signsAgain } from "./spoilt.ts";
import { patient } from "../patient.ts";

/** Seeds of a test run; `npm run simulate` tries more. */
const SEEDS = 300;

/** Seeds with a plan of a test run; more: `npm run simulate -- --from 1000101`. */
const PLANNED_SEEDS = 200;

/** Seeds of a test run in which prices go to where the plan acts; more: `npm run simulate -- --from 2000001`. */
const ACTING_SEEDS = 30;

/** Branches of a plan's demand, of exits, fills and lanes that they go through. */
const BRANCHES = [
  "stop",
  "trail",
  "break_even",
  "target_1",
  "target_2",
  "hold",
  "add",
  "failed exit",
  "second fill",
  "old fence",
];

/** Seeds in which a fault put in on purpose has to be found. */
const SPOILT_SEEDS = 60;

let database: TestDatabase;
let base: BaseWorld;

beforeAll(async () => {
  database = await createTestDatabase({ maxConnections: 1 });
  base = await createBaseWorld(database);
});

afterAll(async () => {
  await database.drop();
});

/** Runs seeds one after the other. */
async function runSeeds(first: number, count: number) {
  let counts = NO_COUNTS;
  const failures: unknown[] = [];
  for (let seed = first; seed < first + count; seed += 1) {
    const result = await runSeed(base, seed);
    counts = addCounts(counts, result);
    if (result.failure !== null) failures.push({ seed, ...result.failure });
  }
  process.stdout.write(`${countsText(counts)}\n`);
  return { counts, failures };
}

it(
  `the judge finds nothing in ${SEEDS} seeds`,
  async () => {
    const { counts, failures } = await runSeeds(1, SEEDS);
    expect(failures).toEqual([]);
    // Seeds that do nothing would hold everything
    expect(Math.min(counts.alerts, counts.orders, counts.trades, counts.kills)).toBeGreaterThan(
      SEEDS,
    );
  },
  patient(600_000),
);

it(
  `the stop is of the position's size after every turn in ${PLANNED_SEEDS} seeds with a plan`,
  async () => {
    const { counts, failures } = await runSeeds(FIRST_PLANNED_SEED, PLANNED_SEEDS);
    expect(failures).toEqual([]);
    expect(counts.stops).toBeGreaterThan(PLANNED_SEEDS / 2);
  },
  patient(600_000),
);

it(
  `the judge finds nothing in ${ACTING_SEEDS} seeds that reach every branch of a plan`,
  async () => {
    const { counts, failures } = await runSeeds(FIRST_ACTING_SEED, ACTING_SEEDS);
    expect(failures).toEqual([]);
    expect(BRANCHES.filter((branch) => counts.reached[branch] === undefined)).toEqual([]);
  },
  patient(600_000),
);

it("repeats a seed exactly, to the last step and row", async () => {
  const other = await createTestDatabase({ maxConnections: 1 });
  try {
    const again = await createBaseWorld(other);
    for (const seed of [3, 14, 159]) {
      const first = await runSeed(base, seed);
      // On the other database it is not the first seed to run, and its sequences stand elsewhere
      const second = await runSeed(again, seed);
      expect(second).toEqual(first);
    }
  } finally {
    await other.drop();
  }
});

describe("the judge finds a planted fault, and its seed repeats it", () => {
  /** Runs seeds until the judge finds something. */
  async function firstFailure(world: BaseWorld, spoil?: Spoil): Promise<SeedResult | null> {
    for (let seed = 1; seed <= SPOILT_SEEDS; seed += 1) {
      const result = await runSeed(world, seed, spoil);
      if (result.failure !== null) return result;
    }
    return null;
  }

  it.each([
    ["an acknowledgement before the commit", acknowledgesFirst, "lost", "was acknowledged"],
    ["an order signed again without proof", signsAgain, "doubled", "landed and has no order"],
    ["an expired order left at its venue", leavesTheDead, "open", "is alive at the exchange"],
  ] as const)("%s", async (_fault, spoil, kind, says) => {
    const found = await firstFailure(base, spoil);
    expect(found?.failure).toMatchObject({ kind, text: expect.stringContaining(says) as string });
    // Its seed alone brings it back, at the same step
    expect(await runSeed(base, found?.seed ?? 0, spoil)).toEqual(found);
    expect((await runSeed(base, found?.seed ?? 0)).failure).toBeNull();
  });

  it("a counter that counts twice", async () => {
    const spoilt = await createTestDatabase({ maxConnections: 1 });
    try {
      const world = await createBaseWorld(spoilt);
      await spoilt.pool.query(COUNTS_TWICE);
      expect((await firstFailure(world))?.failure?.kind).toBe("counter");
    } finally {
      await spoilt.drop();
    }
  });
});
