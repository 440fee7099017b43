import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTradingWorld, type TradingWorld } from "../../../../test/trading-world.ts";
import { decodeTransaction } from "../../../solana/decode-transaction.ts";
import { readComputeUnitLimit } from "../../../solana/programs/compute-budget.ts";

let world: TradingWorld;

beforeEach(async () => {
  world = await createTradingWorld();
});

afterEach(async () => {
  await world.database.drop();
  expect(world.problems).toEqual([]);
});

describe("what an order asks of the exchange", () => {
  it("is never less than its market takes: an account of one dollar is told in words", async () => {
    await world.turn("off");
    await world.approve(await world.prepare("withdraw", "499"));
    await world.turn("on");
    await world.fire("long");
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG denied below_minimum"]);
    expect(world.problems.splice(0)).toHaveLength(1);
    expect(await world.landed()).toEqual([]);
  });

  it("is as many compute units as it takes and a margin, so that its priority fee is paid once", async () => {
    await world.fire("long");
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    const sent = await world.database.db
      .selectFrom("orders")
      .select("transaction")
      .executeTakeFirstOrThrow();
    const { instructions } = decodeTransaction(new Uint8Array(sent.transaction ?? []), {});
    const units = instructions.map(readComputeUnitLimit).find((limit) => limit !== null) ?? 0;
    expect(units).toBeGreaterThan(20_000);
    expect(units).toBeLessThan(160_000);
  });
});
