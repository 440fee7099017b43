import { expect, it } from "vitest";
import { createBigReads } from "./big-reads.ts";

/** Starts reads that do not end; returns how many were refused once all that can happen has happened. */
async function refusedOf(
  reads: ReturnType<typeof createBigReads>,
  callers: readonly string[],
): Promise<number> {
  let refused = 0;
  for (const caller of callers) {
    reads(caller, () => new Promise<never>(() => {})).catch((error: { code: string }) => {
      expect(error.code).toBe("rate_limited");
      refused += 1;
    });
  }
  await new Promise((resolve) => setImmediate(resolve));
  return refused;
}

const many = (count: number, callerOf: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => callerOf(at));

it("lets one caller, under any number of wallets, take only its own share of the turns", async () => {
  const reads = createBigReads({ ofCaller: 3, ofAll: 10 });
  expect(
    await refusedOf(
      reads,
      many(20, () => "flood"),
    ),
  ).toBe(17);
  // Of the four turns the flood has three
  expect(await reads("other", async () => "read")).toBe("read");
});

it("refuses beyond what all callers may have waiting, and takes more once some are done", async () => {
  const reads = createBigReads({ ofCaller: 3, ofAll: 10 });
  const ends: (() => void)[] = [];
  const first = reads("first", () => new Promise<void>((resolve) => ends.push(resolve)));
  expect(
    await refusedOf(
      reads,
      many(20, (at) => `caller ${at}`),
    ),
  ).toBe(11);
  ends[0]?.();
  await first;
  expect(await refusedOf(reads, ["late", "later"])).toBe(1);
});

it("gives a turn back when a read fails", async () => {
  const reads = createBigReads({ ofCaller: 1, ofAll: 1 });
  const failing = () => reads("one", () => Promise.reject(new Error("down")));
  await expect(failing()).rejects.toThrow("down");
  await expect(failing()).rejects.toThrow("down");
});
