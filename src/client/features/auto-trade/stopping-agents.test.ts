import { beforeEach, expect, it, vi } from "vitest";
import { awaitStop, forgetStop } from "./stopping-agents.ts";

beforeEach(() => localStorage.clear());

/** The module as a tab that is opened now has it. */
async function openTab() {
  vi.resetModules();
  return import("./stopping-agents.ts");
}

it("keeps what two tabs wait for, and forgets only what has ended", async () => {
  const other = await openTab();
  awaitStop("a");
  other.awaitStop("b");
  awaitStop("c");
  expect((await openTab()).stoppingAgents.getState().toSorted()).toEqual(["a", "b", "c"]);
  forgetStop("a");
  expect((await openTab()).stoppingAgents.getState().toSorted()).toEqual(["b", "c"]);
});
