import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type LifeEvent, liveAndBook } from "../../../test/book-life.ts";
import { openLiteBench, openPracticeBench } from "../../../test/chain-bench.ts";
import { openExchange } from "../../../test/drift-cases/case.ts";
import type { Reading } from "../../../test/memory-book.ts";
import { DRIFT_V2_INSTANCE as IDS } from "./instance.ts";

/** Number of random account histories per run; BOOK_LIVES=2000 runs more. */
const LIVES = Number(process.env["BOOK_LIVES"] ?? 200);

/** The real program is slower. */
const REAL_LIVES = Math.ceil(LIVES / 10);

const part = fc.integer({ min: 0, max: 100 });

const event: fc.Arbitrary<LifeEvent> = fc.oneof(
  fc.record({ kind: fc.constantFrom("deposit", "withdraw", "gift"), part }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom("long", "short"), part }) },
  fc.record({ kind: fc.constant("settle"), isStranger: fc.boolean() }),
  fc.record({ kind: fc.constant("price"), percent: fc.integer({ min: -6, max: 6 }) }),
  fc.record({ kind: fc.constant("wait"), hours: fc.integer({ min: 1, max: 30 }) }),
);

const reading: fc.Arbitrary<Reading> = fc.record({
  isReversed: fc.boolean(),
  readsTwice: fc.boolean(),
  hidden: fc.option(part, { freq: 2 }),
});

const life = [fc.array(event, { minLength: 3, maxLength: 14 }), reading] as const;

describe("the book of a random life", () => {
  it(`equals the practice chain to the unit in ${LIVES} lives`, async () => {
    await fc.assert(
      fc.asyncProperty(...life, async (events, how) => {
        const { bench, market } = await openPracticeBench();
        const exchange = await openExchange(bench, (price) => market.setPrice("SOL", price));
        await liveAndBook(exchange, events, how);
      }),
      { seed: 38, numRuns: LIVES },
    );
    expect.hasAssertions();
  });

  const file = process.env["DRIFT_SO"];
  it(`equals the real program's to the unit in ${REAL_LIVES} lives`, async ({ skip }) => {
    if (file === undefined) return skip("DRIFT_SO names no program file");
    await fc.assert(
      fc.asyncProperty(...life, async (events, how) => {
        await liveAndBook(
          await openExchange(openLiteBench({ [IDS.programId]: file })),
          events,
          how,
        );
      }),
      { seed: 38, numRuns: REAL_LIVES },
    );
    expect.hasAssertions();
  });
});
