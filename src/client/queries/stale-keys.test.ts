import { expect, it } from "vitest";
import { parseAgentId, parseOwner } from "../../domain/ids.ts";
import { keysOf } from "./keys.ts";
import { staleKeys } from "./stale-keys.ts";

const owner = parseOwner("So11111111111111111111111111111111111111112");
const id = parseAgentId("a".repeat(32));
const keys = keysOf(owner);

it("asks again for everything that shows an agent's money when it moved", () => {
  const both = [keys.position(id), keys.custody(id), keys.portfolio, keys.performance(id)];
  const moved = staleKeys({ topic: "custody", id }, owner);
  for (const key of [...both, keys.allBalances]) {
    expect(moved).toContainEqual(key);
  }
  const traded = staleKeys({ topic: "position", id }, owner);
  for (const key of [...both, keys.userPositions]) {
    expect(traded).toContainEqual(key);
  }
});
