import { expect, it } from "vitest";
import { createNetworkQueues } from "./network-queues.ts";

/** Work that ends when the test says so. */
function createHeldWork() {
  const ends = new Map<string, () => void>();
  const begun: string[] = [];
  return {
    begun,
    run(id: string) {
      begun.push(id);
      return new Promise<void>((resolve) => ends.set(id, resolve));
    },
    async end(id: string) {
      ends.get(id)?.();
      await new Promise(setImmediate);
    },
  };
}

it("runs so many of a network in their order, whatever hangs on another", async () => {
  const { run, begun, end } = createHeldWork();
  const queues = createNetworkQueues(2, run);
  for (let at = 0; at < 100; at += 1) queues.add("mainnet", `m${at}`);
  queues.add("practice", "p");
  expect(begun).toEqual(["m0", "m1", "p"]);
  await end("m1");
  expect(begun).toEqual(["m0", "m1", "p", "m2"]);
});

it("runs nothing twice at a time and once more when it was asked for meanwhile", async () => {
  const { run, begun, end } = createHeldWork();
  const queues = createNetworkQueues(2, run);
  queues.add("practice", "a");
  queues.add("practice", "a");
  queues.add("practice", "a");
  queues.add("practice", "b");
  expect(begun).toEqual(["a", "b"]);
  expect(queues.isRunning("a")).toBe(true);
  await end("a");
  expect(begun).toEqual(["a", "b", "a"]);
  await end("a");
  expect(begun).toHaveLength(3);
  expect(queues.isRunning("a")).toBe(false);
});

it("begins nothing once it stops, and has stopped when all has ended", async () => {
  const { run, begun, end } = createHeldWork();
  const queues = createNetworkQueues(1, run);
  queues.add("practice", "a");
  queues.add("practice", "b");
  let isOver = false;
  const stopped = queues.stop().then(() => (isOver = true));
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  await end("a");
  await stopped;
  expect(begun).toEqual(["a"]);
});
