import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCustodyWorld, type CustodyWorld } from "../../../test/custody-world.ts";
import { createTestDatabase } from "../../../test/database.ts";

let world: CustodyWorld;

const approve = async (...request: Parameters<CustodyWorld["prepare"]>) =>
  world.approve(await world.prepare(...request));

const status = async () => (await world.agent()).multisig?.status;

beforeEach(async () => {
  world = await createCustodyWorld(await createTestDatabase());
  await world.setUp();
  await approve("deposit", "100");
  await world.database.db.updateTable("agents").set({ auto_trade: "off" }).execute();
  await approve("withdraw", "100");
});
afterEach(() => world.database.drop());

describe("an agent whose deletion stopped after the first signature", () => {
  it("refuses deposits with the reason, and its deletion can continue", async () => {
    expect(await world.prepare("delete")).toMatchObject({ step: 1, stepCount: 2 });
    expect(await status()).toBe("active");
    await approve("delete");
    expect(await status()).toBe("deleting");
    await expect(world.prepare("deposit", "10")).rejects.toMatchObject({ code: "being_deleted" });
    expect(await world.prepare("delete")).toMatchObject({ step: 2, stepCount: 2 });
    await approve("delete");
    await world.custody.close(world.agentId);
    expect(await status()).toBe("closed");
  });

  it("is complete again once its owner set it up again", async () => {
    await approve("delete");
    await world.custody.summarise(world.agentId);
    expect(await status()).toBe("deleting");
    await approve("set-up");
    expect(await status()).toBe("active");
    expect(await approve("deposit", "10")).toMatchObject({ state: "confirmed" });
  });
});
