import { beforeEach, expect, it, vi } from "vitest";
import { agentIdOf } from "../../../../test/ids.ts";
import { awaitStop, forgetStop, stoppingAgents } from "./stopping-agents.ts";

beforeEach(() => {
  localStorage.clear();
  // Tests of other files wait for stops in the same module
  stoppingAgents.setState([], true);
});

/** The module as a tab that is opened now has it. */
async function openTab() {
  vi.resetModules();
  return import("./stopping-agents.ts");
}

it("keeps the agents that two tabs wait for, and forgets only finished ones", async () => {
  const other = await openTab();
  awaitStop(agentIdOf("a"));
  other.awaitStop(agentIdOf("b"));
  awaitStop(agentIdOf("c"));
  expect((await openTab()).stoppingAgents.getState().toSorted()).toEqual(
    ["a", "b", "c"].map(agentIdOf),
  );
  forgetStop(agentIdOf("a"));
  expect((await openTab()).stoppingAgents.getState().toSorted()).toEqual(["b", "c"].map(agentIdOf));
});
