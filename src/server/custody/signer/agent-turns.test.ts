import { expect, it } from "vitest";
import { agentIdOf } from "../../../../test/ids.ts";
import { createAgentTurns } from "./create-trading-key-signer.ts";

it("gives an agent's work one turn at a time, urgent work first, and other agents their own", async () => {
  const inTurn = createAgentTurns();
  const [own, other] = [agentIdOf("a"), agentIdOf("b")];
  const done: string[] = [];
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const work =
    (name: string, after: Promise<void> = Promise.resolve()) =>
    () =>
      after.then(() => void done.push(name));
  const asked = [
    inTurn(own, false, work("first", held)),
    inTurn(own, false, work("entry")),
    inTurn(own, true, work("exit")),
    inTurn(own, false, () => Promise.reject(new Error("no"))).catch(() => done.push("failed")),
    inTurn(other, false, work("other agent's")),
  ];
  await asked.at(-1);
  expect(done).toEqual(["other agent's"]);
  release();
  await Promise.all(asked);
  expect(done).toEqual(["other agent's", "first", "exit", "entry", "failed"]);
  await inTurn(own, false, work("later"));
  expect(done.at(-1)).toBe("later");
});
