import { afterEach, describe, expect, it } from "vitest";
import { ownerNamed } from "../../../test/ids.ts";
import { createTestClock } from "../../../test/clock.ts";
import { STALE_TOPICS } from "../../contract/route.ts";
import { createEventStreams, type EventStreams } from "./event-streams.ts";
import type { Hints } from "./create-stale-publisher.ts";

/** Hints within one process. */
function createLocalHints(): Hints & { miss(): void } {
  const listeners = new Map<string, ((id: string) => void)[]>();
  const missed: (() => void)[] = [];
  return {
    notify: (topic, id) => listeners.get(topic)?.forEach((listener) => listener(id)),
    subscribe(topic, listener) {
      listeners.set(topic, [...(listeners.get(topic) ?? []), listener]);
      return () => listeners.delete(topic);
    },
    onMayHaveMissed(listener) {
      missed.push(listener);
      return () => missed.splice(0);
    },
    miss: () => missed.forEach((listener) => listener()),
  };
}

const WALLET = ownerNamed("w");

const EVERYTHING = STALE_TOPICS.map(
  (topic) => `event: stale\ndata: ${JSON.stringify({ topic })}\n\n`,
);

describe("Event streams while hints are missing", () => {
  let streams: EventStreams;
  afterEach(() => streams.close());

  const open = () => {
    const [hints, clock] = [createLocalHints(), createTestClock()];
    streams = createEventStreams({ hints, clock, liveOf: async () => new Set(["s"]) });
    const written: string[] = [];
    streams.add({
      session: { id: "s", wallet: WALLET },
      expiresAt: clock.now() + 60_000,
      caller: null,
      write: (text) => written.push(text),
      end: () => written.push("end"),
    });
    return { hints, clock, written };
  };

  it("tell the browser to refetch everything, but not all the time", () => {
    const { hints, clock, written } = open();
    hints.miss();
    hints.miss();
    expect(written).toEqual(EVERYTHING);
    clock.advance(3_000);
    hints.miss();
    expect(written).toEqual([...EVERYTHING, ...EVERYTHING]);
  });

  it("carry live prices to whoever is signed in", () => {
    const { written } = open();
    const price = {
      asset: "SOL",
      price: "129.5",
      at: null,
      sources: 3,
      isConfirmed: true,
      missing: null,
    };
    const prices = { network: "paper" as const, assets: [price] };
    streams.sendPrices(prices);
    expect(written).toEqual([`event: prices\ndata: ${JSON.stringify(prices)}\n\n`]);
  });

  it("all end when the server closes", () => {
    const { written } = open();
    streams.close();
    expect(written).toEqual(["end"]);
  });
});

describe("Event streams of one address", () => {
  it("are limited to 256 for all wallets; a proxy's own address is not counted", () => {
    const [hints, clock] = [createLocalHints(), createTestClock()];
    const streams = createEventStreams({ hints, clock, liveOf: async () => new Set(["s"]) });
    let wallets = 0;
    const add = (caller: string | null) => {
      const session = { id: "s", wallet: ownerNamed(`w${(wallets += 1)}`) };
      const expiresAt = clock.now() + 60_000;
      return streams.add({ session, expiresAt, caller, write() {}, end() {} });
    };
    const removals = Array.from({ length: 256 }, () => add("203.0.113.9"));
    expect(() => add("203.0.113.9")).toThrow("Too many requests");
    add("203.0.113.10");
    for (let added = 0; added < 2_000; added += 1) add(null);
    removals[0]?.();
    add("203.0.113.9");
    expect(() => add("203.0.113.9")).toThrow("Too many requests");
    streams.close();
    add("203.0.113.9");
  });
});

it("end at once when their session ended before they were registered", async () => {
  const clock = createTestClock();
  const ended: string[] = [];
  const streams = createEventStreams({
    hints: createLocalHints(),
    clock,
    heartbeatMs: 3_600_000,
    liveOf: async () => new Set(["still"]),
  });
  for (const id of ["over", "still"]) {
    streams.add({
      session: { id, wallet: WALLET },
      expiresAt: clock.now() + 60_000,
      caller: null,
      write: () => {},
      end: () => ended.push(id),
    });
  }
  await expect.poll(() => ended).toEqual(["over"]);
  streams.close();
  expect(ended).toEqual(["over", "still"]);
});

it("have their sessions checked together, end with them, and stay open while the database is away", async () => {
  const clock = createTestClock();
  const asked: string[][] = [];
  const ended: string[] = [];
  const streams = createEventStreams({
    hints: createLocalHints(),
    clock,
    heartbeatMs: 5,
    liveOf: async (sessions) => {
      asked.push(sessions.map(({ id }) => id));
      if (asked.length < 6) throw new Error("The database is away");
      return new Set(["one"]);
    },
  });
  for (const id of ["one", "one", "other"]) {
    streams.add({
      session: { id, wallet: WALLET },
      expiresAt: clock.now() + 60_000,
      caller: null,
      write: () => {},
      end: () => ended.push(`${id} after ${asked.length}`),
    });
  }
  // Each was asked for alone when it was added
  expect(asked.splice(0, 3, [], [], [])).toEqual([["one"], ["one"], ["other"]]);
  await expect.poll(() => asked.length).toBeGreaterThan(6);
  expect(asked.slice(3, 7)).toEqual([
    ["one", "one", "other"],
    ["one", "one", "other"],
    ["one", "one", "other"],
    ["one", "one"],
  ]);
  expect(ended).toEqual(["other after 6"]);
  streams.close();
});
