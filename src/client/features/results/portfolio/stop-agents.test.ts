import { expect, it } from "vitest";
import { agentIdOf } from "../../../../../test/ids.ts";
import { type Stop, stopAll } from "./portfolio-view.tsx";

it("stops every other agent although one fails and one never answers", async () => {
  const agents = ["a", "b", "c", "d"].map((digit) => ({
    id: agentIdOf(digit),
    name: `Agent ${digit}`,
  }));
  let answer = (_state: "off") => {};
  const seen: (readonly Stop[])[] = [];
  const done = stopAll(agents, {
    stop: (id) => {
      if (id === agentIdOf("a")) return Promise.reject(new Error("Unreadable."));
      if (id === agentIdOf("b")) return new Promise((resolve) => (answer = resolve));
      return Promise.resolve(id === agentIdOf("c") ? "stopping" : "off");
    },
    reasonOf: (error) => (error as Error).message,
    onChange: (stops) => seen.push(stops),
  });
  await expect
    .poll(() => seen.at(-1)?.map(({ state }) => state))
    .toEqual(["failed", "waiting", "stopping", "off"]);
  expect(seen[0]?.every(({ state }) => state === "waiting")).toBe(true);
  expect(seen.at(-1)?.[0]?.reason).toBe("Unreadable.");
  answer("off");
  await done;
  expect(seen.at(-1)?.[1]?.state).toBe("off");
});
