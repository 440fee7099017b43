import { describe, expect, it } from "vitest";
import { agentIdOf } from "../../../../test/ids.ts";
import type { KnownAgent } from "../../store/intake/alert-transaction.ts";
import { createAlertMemory } from "./receive-alerts.ts";

const HOUR_MS = 3_600_000;
const only = (digit: string, version = 1n) =>
  new Map([[agentIdOf(digit), { version } as unknown as KnownAgent]]);
const unchanged = (digit: string) => ({ before: only(digit), after: only(digit) });

describe("the memory of agents", () => {
  it("evicts the least recently used agent beyond its size", () => {
    const memory = createAlertMemory(2);
    for (const [at, digit] of ["a", "b", "a", "c"].entries()) memory.keep(unchanged(digit), at);
    expect(["a", "b", "c"].map(agentIdOf).map(memory.has)).toEqual([true, false, true]);
  });

  it("evicts agents that were unused for an hour", () => {
    const memory = createAlertMemory(10);
    memory.keep(unchanged("a"), 0);
    memory.keep(unchanged("b"), 1);
    memory.keep(unchanged("c"), HOUR_MS);
    expect(["a", "b", "c"].map(agentIdOf).map(memory.has)).toEqual([false, true, true]);
  });

  it("trusts a cached agent that another server also counts for only once it is found unchanged", () => {
    const memory = createAlertMemory();
    const count = (from: bigint) =>
      memory.keep({ before: only("a", from), after: only("a", from + 1n) }, 0);
    count(1n);
    count(2n);
    expect(memory.has(agentIdOf("a"))).toBe(true);
    count(7n);
    expect(memory.has(agentIdOf("a"))).toBe(false);
    expect(memory.recall([agentIdOf("a")])).toBeNull();
    count(8n);
    expect(memory.recall([agentIdOf("a")])).toEqual(only("a", 9n));
    memory.suspend([agentIdOf("a")]);
    expect(memory.has(agentIdOf("a"))).toBe(false);
  });
});
