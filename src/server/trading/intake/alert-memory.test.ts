import { describe, expect, it } from "vitest";
import type { KnownAgent } from "../../store/intake/alert-transaction.ts";
import { createAlertMemory } from "./alert-memory.ts";

const HOUR_MS = 3_600_000;
const only = (agentId: string, version = 1n) =>
  new Map([[agentId, { version } as unknown as KnownAgent]]);
const unchanged = (agentId: string) => ({ before: only(agentId), after: only(agentId) });

describe("the memory of agents", () => {
  it("evicts the least recently used agent beyond its size", () => {
    const memory = createAlertMemory(2);
    for (const [at, agentId] of ["a", "b", "a", "c"].entries()) memory.keep(unchanged(agentId), at);
    expect(["a", "b", "c"].map(memory.has)).toEqual([true, false, true]);
  });

  it("evicts agents that were not used for an hour", () => {
    const memory = createAlertMemory(10);
    memory.keep(unchanged("old"), 0);
    memory.keep(unchanged("young"), 1);
    memory.keep(unchanged("now"), HOUR_MS);
    expect(["old", "young", "now"].map(memory.has)).toEqual([false, true, true]);
  });

  it("trusts an agent that another server counts for only once it was found as it was left", () => {
    const memory = createAlertMemory();
    const count = (from: bigint) =>
      memory.keep({ before: only("a", from), after: only("a", from + 1n) }, 0);
    count(1n);
    count(2n);
    expect(memory.has("a")).toBe(true);
    count(7n);
    expect(memory.has("a")).toBe(false);
    expect(memory.recall(["a"])).toBeNull();
    count(8n);
    expect(memory.recall(["a"])).toEqual(only("a", 9n));
    memory.suspend(["a"]);
    expect(memory.has("a")).toBe(false);
  });
});
