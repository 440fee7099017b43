import { expect, it } from "vitest";
import { createTestClock } from "../../../../test/clock.ts";
import { ownerNamed } from "../../../../test/ids.ts";
import type { Network } from "../../../domain/network.ts";
import { placesOf } from "./lane-schedule.ts";
import { createNetworkQueues, type LaneRank } from "./network-queues.ts";

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

const entry = (owner: string, network: Network = "practice"): LaneRank => ({
  network,
  owner: ownerNamed(owner),
  isExit: false,
});
const exit = (owner: string, network: Network = "practice"): LaneRank => ({
  network,
  owner: ownerNamed(owner),
  isExit: true,
});

it("runs a limited number per network in order, whatever hangs on another", async () => {
  const { run, begun, end } = createHeldWork();
  const queues = createNetworkQueues(() => 2, run, createTestClock());
  for (let at = 0; at < 100; at += 1) queues.add(`m${at}`, entry("one", "mainnet"));
  queues.add("p", entry("one"));
  expect(begun).toEqual(["m0", "m1", "p"]);
  await end("m1");
  expect(begun).toEqual(["m0", "m1", "p", "m2"]);
});

it("never runs an id twice at a time, and once more when requested meanwhile", async () => {
  const { run, begun, end } = createHeldWork();
  const queues = createNetworkQueues(() => 2, run, createTestClock());
  queues.add("a", entry("one"));
  queues.add("a", entry("one"));
  queues.add("a", entry("one"));
  queues.add("b", entry("one"));
  expect(begun).toEqual(["a", "b"]);
  expect(queues.isRunning("a")).toBe(true);
  await end("a");
  expect(begun).toEqual(["a", "b", "a"]);
  await end("a");
  expect(begun).toHaveLength(3);
  expect(queues.isRunning("a")).toBe(false);
});

it("goes on with what was sent while any number of entries run and wait", async () => {
  const { run, begun, end } = createHeldWork();
  const queues = createNetworkQueues(() => 1, run, createTestClock());
  for (let at = 0; at < 100; at += 1) queues.add(`e${at}`, entry("one"));
  queues.add("s0", { ...entry("one"), isSent: true });
  queues.add("e99", { ...entry("one"), isSent: true });
  expect(begun).toEqual(["e0", "s0"]);
  await end("s0");
  expect(begun).toEqual(["e0", "s0", "e99"]);
  // What waits as sent stays so
  queues.add("e98", { ...entry("one"), isSent: true });
  queues.add("e98", entry("one"));
  await end("e99");
  expect(begun).toEqual(["e0", "s0", "e99", "e98"]);
});

it("lets waiting entries pass what was sent, for at most ten seconds", async () => {
  const { run, begun, end } = createHeldWork();
  const clock = createTestClock();
  const queues = createNetworkQueues(
    ({ isSent }, passing) => (passing !== null && isSent === true ? 1 : 2),
    run,
    clock,
  );
  const sent = (network: Network = "practice") => ({ ...entry("one", network), isSent: true });
  for (const id of ["e0", "e1", "e2"]) queues.add(id, entry("one"));
  for (const id of ["s0", "s1", "s2", "s3"]) queues.add(id, sent());
  for (const id of ["p0", "p1"]) queues.add(id, sent("paper"));
  expect(begun).toEqual(["e0", "e1", "s0", "p0", "p1"]);
  await end("s0");
  expect(begun.slice(5)).toEqual(["s1"]);
  clock.advance(9_999);
  await end("s1");
  expect(begun.slice(6)).toEqual(["s2"]);
  clock.advance(1);
  queues.add("s4", sent());
  expect(begun.slice(7)).toEqual(["s3"]);
  await end("e0");
  await end("s2");
  expect(begun.slice(8)).toEqual(["e2", "s4"]);
});

it("tells entries apart that begin while what was sent waits", async () => {
  const { run, begun, end } = createHeldWork();
  const queues = createNetworkQueues(
    ({ isSent }, passing) => (passing !== null || isSent === true ? 1 : 2),
    run,
    createTestClock(),
  );
  for (const id of ["e0", "e1", "e2", "e3"]) queues.add(id, entry("one"));
  for (const id of ["s0", "s1"]) queues.add(id, { ...entry("one"), isSent: true });
  expect(begun).toEqual(["e0", "e1", "s0"]);
  await end("e0");
  expect(begun).toEqual(["e0", "e1", "s0"]);
  await end("s0");
  expect(begun.slice(3)).toEqual(["s1"]);
  await end("s1");
  expect(begun.slice(4)).toEqual(["e2"]);
});

it("runs an exit at once while any number of entries run and wait", async () => {
  const { run, begun } = createHeldWork();
  const queues = createNetworkQueues(() => 2, run, createTestClock());
  for (let at = 0; at < 100; at += 1) queues.add(`e${at}`, entry("one"));
  queues.add("x", exit("one"));
  expect(begun).toEqual(["e0", "e1", "x"]);
});

it("begins no more than the places beside exits while one runs, then those that waited", async () => {
  const { run, begun, end } = createHeldWork();
  const queues = createNetworkQueues(
    (_, passing) => (passing === "exits" ? 1 : 2),
    run,
    createTestClock(),
  );
  queues.add("x", exit("one"));
  for (const id of ["e0", "e1", "e2"]) queues.add(id, entry("two"));
  queues.add("p0", entry("two", "paper"));
  queues.add("p1", entry("two", "paper"));
  queues.add("s0", { ...entry("two"), isSent: true });
  queues.add("s1", { ...entry("two"), isSent: true });
  expect(begun).toEqual(["x", "e0", "p0", "p1", "s0", "s1"]);
  await end("e0");
  expect(begun.slice(6)).toEqual(["e1"]);
  await end("x");
  expect(begun.slice(7)).toEqual(["e2"]);
});

it("runs a waiting entry at once when it becomes an exit, and keeps it an exit", async () => {
  const { run, begun, end } = createHeldWork();
  const queues = createNetworkQueues(() => 1, run, createTestClock());
  queues.add("a", entry("one"));
  queues.add("b", entry("one"));
  queues.add("b", exit("one"));
  expect(begun).toEqual(["a", "b"]);
  queues.add("c", exit("one"));
  queues.add("c", entry("one"));
  await end("b");
  expect(begun).toEqual(["a", "b", "c"]);
});

it("never runs an exit of an id beside an entry of it", async () => {
  const { run, begun, end } = createHeldWork();
  const queues = createNetworkQueues(() => 1, run, createTestClock());
  queues.add("a", entry("one"));
  queues.add("a", exit("one"));
  expect(begun).toEqual(["a"]);
  await end("a");
  expect(begun).toEqual(["a", "a"]);
});

it("gives the next free slot to an owner without one, although another waits with 300 agents", async () => {
  const { run, begun, end } = createHeldWork();
  const queues = createNetworkQueues(() => 8, run, createTestClock());
  for (let at = 0; at < 300; at += 1) queues.add(`a${at}`, entry("many"));
  queues.add("b", entry("single"));
  await end("a3");
  expect(begun.slice(8)).toEqual(["b"]);
  await end("a5");
  expect(begun.slice(8)).toEqual(["b", "a8"]);
});

it("alternates between owners with equally many running", async () => {
  const { run, begun, end } = createHeldWork();
  const queues = createNetworkQueues(() => 1, run, createTestClock());
  for (const id of ["a0", "a1", "a2"]) queues.add(id, entry("a"));
  for (const id of ["b0", "b1"]) queues.add(id, entry("b"));
  for (const id of ["a0", "a1", "b0", "a2", "b1"]) {
    expect(begun.at(-1)).toBe(id);
    await end(id);
  }
});

it("starts nothing once it is stopping, and has stopped when everything ended", async () => {
  const { run, begun, end } = createHeldWork();
  const queues = createNetworkQueues(() => 1, run, createTestClock());
  queues.add("a", entry("one"));
  queues.add("b", entry("one"));
  let isOver = false;
  const stopped = queues.stop().then(() => (isOver = true));
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  await end("a");
  await stopped;
  expect(begun).toEqual(["a"]);
});

it("slows down what was sent while entries wait on a built-in network, and entries behind nodes while it waits or an exit runs", () => {
  const entries = { isExit: false, isSent: false };
  const sent = { isExit: false, isSent: true };
  const exits = { isExit: true, isSent: false };
  const placesOn = (requestsPerSecond?: number) =>
    [entries, sent, exits].map((rank) =>
      [null, "others" as const, "exits" as const].map((passing) =>
        placesOf(requestsPerSecond === undefined ? {} : { requestsPerSecond }, rank, passing),
      ),
    );
  expect(placesOn()).toEqual([
    [8, 8, 8],
    [8, 2, 2],
    [8, 8, 8],
  ]);
  expect(placesOn(50)).toEqual([
    [35, 25, 5],
    [50, 50, 50],
    [50, 50, 50],
  ]);
});
