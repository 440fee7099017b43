import { expect, it } from "vitest";
import { type DueAgent, agentsOfRound } from "./agent-evaluators.ts";

const dueOf = (name: string): DueAgent =>
  ({ agent: { agentId: name, owner: name.split(" ")[0] } }) as unknown as DueAgent;

const orderOf = (names: readonly string[], warm: readonly string[] = [], coldAtOnce?: number) => {
  const isCold = ({ agent }: DueAgent) => !warm.some((name) => name === agent.agentId);
  return agentsOfRound(names.map(dueOf), { isCold }, coldAtOnce).map(({ agent }) =>
    String(agent.agentId),
  );
};

it("evaluates agents that go on before any that are new or changed", () => {
  expect(orderOf(["a 1", "a 2", "b 1", "a 3"], ["b 1", "a 3"])).toEqual([
    "b 1",
    "a 3",
    "a 1",
    "a 2",
  ]);
});

it("lets owners take turns with agents evaluated from nothing", () => {
  expect(orderOf(["a 1", "a 2", "a 3", "b 1", "c 1", "b 2"])).toEqual([
    "a 1",
    "b 1",
    "c 1",
    "a 2",
    "b 2",
    "a 3",
  ]);
});

it("delays another owner's agent by one agent of each of many wallets, whatever they have", () => {
  const wallets = Array.from({ length: 50 }, (_, at) => `w${at}`);
  const flood = wallets.flatMap((wallet) => [1, 2, 3].map((agent) => `${wallet} ${agent}`));
  expect(orderOf([...flood, "own 1"]).indexOf("own 1")).toBe(50);
});

it("leaves what is beyond a round's agents from nothing to the next, and none of those that go on", () => {
  const [names, warm] = [
    ["a 1", "a 2", "b 1", "a 3", "c 1"],
    ["a 3", "c 1"],
  ];
  expect(orderOf(names, warm, 2)).toEqual(["a 3", "c 1", "a 1", "b 1"]);
  expect(orderOf(names, [...warm, "a 1", "b 1"], 2)).toEqual(["a 1", "b 1", "a 3", "c 1", "a 2"]);
});
