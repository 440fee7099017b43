import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createStaleQueries, ROUND_GAP_MS } from "./stale-queries.ts";

let asked: string[] = [];

const build = () =>
  createStaleQueries({
    invalidateQueries: (filters) => {
      asked.push((filters?.queryKey ?? []).join("/"));
      return Promise.resolve();
    },
  });

beforeEach(() => {
  asked = [];
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

describe("createStaleQueries", () => {
  it("asks at once", () => {
    build().mark([
      ["a", "chats"],
      ["a", "agents"],
    ]);
    expect(asked).toEqual(["a/chats", "a/agents"]);
  });

  it("asks once a round for what many notices name, and loses none of them", () => {
    const queries = build();
    queries.mark([["a", "chats"]]);
    for (let notice = 0; notice < 20; notice += 1)
      queries.mark([
        ["a", "chats"],
        ["a", `x${notice % 2}`],
      ]);
    expect(asked).toEqual(["a/chats"]);
    vi.advanceTimersByTime(ROUND_GAP_MS);
    expect(asked).toEqual(["a/chats", "a/chats", "a/x0", "a/x1"]);
    vi.advanceTimersByTime(10 * ROUND_GAP_MS);
    expect(asked).toHaveLength(4);
    queries.mark([["a", "chats"]]);
    expect(asked).toHaveLength(5);
  });

  it("asks for a part together with the whole", () => {
    const queries = build();
    queries.mark([["b"]]);
    queries.mark([
      ["a", "custody", "1", "access"],
      ["a", "custody", "1"],
      ["a", "custody", "1", "deletion"],
    ]);
    vi.advanceTimersByTime(ROUND_GAP_MS);
    expect(asked).toEqual(["b", "a/custody/1"]);
  });

  it("asks for nothing more once stopped", () => {
    const queries = build();
    queries.mark([["a"]]);
    queries.mark([["a"]]);
    queries.stop();
    vi.advanceTimersByTime(10 * ROUND_GAP_MS);
    expect(asked).toEqual(["a"]);
  });
});
