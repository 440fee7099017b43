import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createConcurrencyLimit } from "./big-reads.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work that ends when it is told to, and what has begun of it. */
function createWorks() {
  const begun: string[] = [];
  const ends = new Map<string, { resolve: (name: string) => void; reject: (why: Error) => void }>();
  return {
    begun,
    work: (name: string) => () => {
      begun.push(name);
      return new Promise<string>((resolve, reject) => ends.set(name, { resolve, reject }));
    },
    end: (name: string) => ends.get(name)?.resolve(name),
    fail: (name: string) => ends.get(name)?.reject(new Error(name)),
  };
}

const settled = () => vi.advanceTimersByTimeAsync(0);

it("runs a limited number at a time, in order of arrival", async () => {
  const { begun, work, end } = createWorks();
  const inTurn = createConcurrencyLimit(2, 1_000);
  const results = Promise.all(["a", "b", "c", "d"].map((name) => inTurn(work(name))));
  await settled();
  expect(begun).toEqual(["a", "b"]);
  end("b");
  await settled();
  expect(begun).toEqual(["a", "b", "c"]);
  end("a");
  end("c");
  await settled();
  end("d");
  expect(await results).toEqual(["a", "b", "c", "d"]);
});

it("continues after a failure", async () => {
  const { begun, work, end, fail } = createWorks();
  const inTurn = createConcurrencyLimit(1, 1_000);
  const failing = inTurn(work("a"));
  const next = inTurn(work("b"));
  fail("a");
  await expect(failing).rejects.toThrow("a");
  await settled();
  expect(begun).toEqual(["a", "b"]);
  end("b");
  expect(await next).toBe("b");
});

it("releases the slot of a task that waits, and frees no second slot at its end", async () => {
  const { begun, work, end } = createWorks();
  const inTurn = createConcurrencyLimit(1, 1_000);
  const results = ["a", "b", "c"].map((name) => inTurn(work(name)));
  await vi.advanceTimersByTimeAsync(999);
  expect(begun).toEqual(["a"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(begun).toEqual(["a", "b"]);
  end("a");
  await settled();
  expect(begun).toEqual(["a", "b"]);
  end("b");
  await settled();
  expect(begun).toEqual(["a", "b", "c"]);
  end("c");
  expect(await Promise.all(results)).toEqual(["a", "b", "c"]);
});
