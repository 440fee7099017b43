import fc from "fast-check";
import { expect, it } from "vitest";
import type { Reading } from "../../../test/memory-book.ts";
import { liveAndBookSwaps, type SwapEvent } from "../../../test/swap-life.ts";

/** Number of random account histories per run, a fifth of the perpetuals venue's: BOOK_LIVES=2000 runs more. */
const LIVES = Math.ceil(Number(process.env["BOOK_LIVES"] ?? 200) / 5);

const part = fc.integer({ min: 0, max: 100 });

const event: fc.Arbitrary<SwapEvent> = fc.oneof(
  fc.record({ kind: fc.constantFrom("deposit", "withdraw"), part }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom("buy", "sell"), part }) },
  fc.record({ kind: fc.constantFrom("owner sells", "owner moves out") }),
  fc.record({ kind: fc.constant("limits"), dollars: fc.integer({ min: 50, max: 5_000 }) }),
  fc.record({
    kind: fc.constant("gift"),
    what: fc.constantFrom("SOL", "USDC", "asset", "asset to the key"),
  }),
  fc.record({ kind: fc.constant("price"), percent: fc.integer({ min: -6, max: 6 }) }),
  fc.record({ kind: fc.constant("wait"), hours: fc.integer({ min: 1, max: 30 }) }),
);

const reading: fc.Arbitrary<Reading> = fc.record({
  isReversed: fc.boolean(),
  readsTwice: fc.boolean(),
  hidden: fc.option(part, { freq: 2 }),
});

it(`the book of a random life of swaps equals the chain to the unit, ${LIVES} lives`, async () => {
  const did = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 3, maxLength: 14 }),
      fc.boolean(),
      reading,
      async (events, isTakenDown, how) => {
        for (const kind of await liveAndBookSwaps(events, isTakenDown, how)) {
          did.set(kind, (did.get(kind) ?? 0) + 1);
        }
      },
    ),
    { seed: 38, numRuns: LIVES },
  );
  // A run with refusals alone would prove nothing
  for (const kind of ["deposit", "withdraw", "buy", "sell", "owner sells", "owner moves out"]) {
    expect(did.get(kind) ?? 0, kind).toBeGreaterThan(0);
  }
});
