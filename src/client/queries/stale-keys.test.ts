import { expect, it } from "vitest";
import { parseAgentId, parseOwner } from "../../domain/ids.ts";
import { keysOf } from "./keys.ts";
import { staleKeys } from "./stale-keys.ts";

const owner = parseOwner("So11111111111111111111111111111111111111112");
const id = parseAgentId("a".repeat(32));
const keys = keysOf(owner);

it("asks again for everything that shows an agent's money when it moved", () => {
  const moved = staleKeys({ topic: "custody", id }, owner);
  for (const key of [keys.position(id), keys.custody(id), keys.allBalances, keys.portfolio]) {
    expect(moved).toContainEqual(key);
  }
  const traded = staleKeys({ topic: "position", id }, owner);
  for (const key of [keys.position(id), keys.custody(id), keys.userPositions, keys.portfolio]) {
    expect(traded).toContainEqual(key);
  }
});
