import { afterEach, describe, expect, it } from "vitest";
import { createTestClock } from "../../../test/clock.ts";
import { staleNotice } from "../../contract/events.ts";
import { createEventStreams, type EventStreams } from "./event-streams.ts";
import type { Hints } from "./hints.ts";

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

const EVERYTHING = staleNotice.shape.topic.options.map(
  (topic) => `event: stale\ndata: ${JSON.stringify({ topic })}\n\n`,
);

describe("Event streams while hints are missing", () => {
  let streams: EventStreams;
  afterEach(() => streams.close());

  const open = () => {
    const [hints, clock] = [createLocalHints(), createTestClock()];
    streams = createEventStreams({ hints, clock, isLive: async () => true });
    const written: string[] = [];
    streams.add({
      session: { id: "s", wallet: "w" },
      expiresAt: clock.now() + 60_000,
      caller: null,
      write: (text) => written.push(text),
      end: () => written.push("end"),
    });
    return { hints, clock, written };
  };

  it("tells the browser to ask for everything, but not all the time", () => {
    const { hints, clock, written } = open();
    hints.miss();
    hints.miss();
    expect(written).toEqual(EVERYTHING);
    clock.advance(3_000);
    hints.miss();
    expect(written).toEqual([...EVERYTHING, ...EVERYTHING]);
  });

  it("ends every stream when the server closes", () => {
    const { written } = open();
    streams.close();
    expect(written).toEqual(["end"]);
  });
});

describe("Event streams of one address", () => {
  it("are 256, of whatever wallets; a proxy's own address is not counted", () => {
    const [hints, clock] = [createLocalHints(), createTestClock()];
    const streams = createEventStreams({ hints, clock, isLive: async () => true });
    let wallets = 0;
    const add = (caller: string | null) => {
      const session = { id: "s", wallet: `w${(wallets += 1)}` };
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
