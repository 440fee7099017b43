import { describe, expect, it } from "vitest";
import type { KnownAgent } from "../../store/intake/alert-transaction.ts";
import { createAlertMemory } from "./alert-memory.ts";

const HOUR_MS = 3_600_000;
const agent = {} as KnownAgent;
const only = (agentId: string) => new Map([[agentId, agent]]);

describe("the memory of agents", () => {
  it("evicts the least recently used agent beyond its size", () => {
    const memory = createAlertMemory(2);
    for (const [at, agentId] of ["a", "b", "a", "c"].entries()) memory.keep(only(agentId), at);
    expect(["a", "b", "c"].map(memory.has)).toEqual([true, false, true]);
  });

  it("evicts agents that were not used for an hour", () => {
    const memory = createAlertMemory(10);
    memory.keep(only("old"), 0);
    memory.keep(only("young"), 1);
    memory.keep(only("now"), HOUR_MS);
    expect(["old", "young", "now"].map(memory.has)).toEqual([false, true, true]);
  });
});
