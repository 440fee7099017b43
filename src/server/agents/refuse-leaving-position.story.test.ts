import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildCompleteDraft } from "../../../test/drafts.ts";
import { createTradingWorld, type TradingWorld } from "../../../test/trading-world.ts";
import { saveAgent, updateCompleteAgent } from "./save-agent.ts";

let world: TradingWorld;

beforeEach(async () => {
  world = await createTradingWorld();
});

afterEach(async () => {
  await world.database.drop();
});

/** Both calls that can save an agent with another asset. */
function savings(assetPair: string) {
  const deps = { ...world.deps, random: (length: number) => randomBytes(length) };
  const session = { id: "", wallet: world.owner.address };
  const draft = buildCompleteDraft({ agent: { assetPair } });
  return [
    () => saveAgent(deps, world.agentId, { agent: draft.agent }, session),
    () => updateCompleteAgent(deps, world.agentId, { ...draft, rules: [] }, session),
  ];
}

async function expectRefusal(refusal: object): Promise<void> {
  for (const save of savings("BTC-PERP")) await expect(save()).rejects.toMatchObject(refusal);
}

describe("changing the asset of an agent that trades", () => {
  const refusal = { code: "conflict", message: expect.stringContaining("SOL-PERP") };

  it("is refused while it holds the old one, and the position still closes", async () => {
    await world.fire("long");
    await world.run();
    world.clock.advance(1_000);
    await expectRefusal(refusal);
    await world.fire("close long");
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG filled", "CLOSE_LONG filled"]);
    await savings("BTC-PERP")[1]?.();
    expect((await world.agent()).marketId).toBe("BTC-PERP");
  });

  it("is refused while an order is open, or when the account cannot be read", async () => {
    await world.fire("long");
    await expectRefusal(refusal);
    world.faulty.setDown(true);
    await expectRefusal({ code: "unavailable" });
    await expect(savings("SOL-PERP")[1]?.()).resolves.toBeDefined();
  });
});
