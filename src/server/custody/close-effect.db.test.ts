import { beforeEach, describe, expect, it } from "vitest";
import { createCustodyWorld, type CustodyWorld } from "../../../test/custody-world.ts";
import { useDatabase } from "../../../test/database.ts";
import { closeByOwner, openLong } from "../../../test/open-long.ts";
import { changeExchange } from "../../../test/practice-operator.ts";

const database = useDatabase({ isEach: true });
let world: CustodyWorld;

beforeEach(async () => {
  world = await createCustodyWorld(database, { hasLookupTable: true, auctionSlots: 10 });
  await world.setUp();
  await world.approve(await world.prepare("deposit", "900"));
  await openLong(world);
  await database.db.updateTable("agents").set({ auto_trade: "off" }).execute();
});

describe("closing by the owner", () => {
  it("is confirmed once nothing is open, and appears in the trade log with its figures", async () => {
    const closed = await closeByOwner(world);
    expect(closed).toMatchObject({ state: "confirmed" });
    const [line, ...others] = await database.db.selectFrom("trade_log").selectAll().execute();
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      market: "SOL-PERP",
      signal: "CLOSE_LONG",
      side: "sell",
      status: "success",
      by_owner: true,
      base_size: "1000000000",
      signature: closed.signature,
    });
    expect(BigInt(line?.quote_total ?? 0)).toBeGreaterThan(150_000_000n);
    expect(BigInt(line?.fee ?? 0)).toBeGreaterThan(0n);
  });

  it("is not reported as done when the position grew before it landed, and closes the rest next", async () => {
    await changeExchange(world.chain, { minPerpAuctionDuration: 0 });
    const prepared = await world.prepare("close-positions");
    world.clock.advance(400);
    await openLong(world);
    expect(await world.approve(prepared)).toMatchObject({
      state: "failed",
      reason: "The transaction landed without the expected effect.",
    });
    const rest = await world.prepare("close-positions");
    expect(await world.approve(rest)).toMatchObject({ state: "confirmed" });
  });

  it("needs two signatures where the exchange holds auctions, and no trading key", async () => {
    const placing = await world.approve(await world.prepare("close-positions"));
    expect(placing).toMatchObject({ state: "confirmed" });
    for (let slot = 0; slot <= 10; slot += 1) {
      // A fill during the auction would land without effect and be called failed
      await expect(world.prepare("close-positions")).rejects.toMatchObject({
        code: "order_waiting",
        message: expect.stringContaining("auction"),
      });
      world.clock.advance(400);
    }
    const filling = await world.prepare("close-positions");
    expect(await world.approve(filling)).toMatchObject({ state: "confirmed" });
    // Nothing is open any more: what is left is settling
    expect((await world.prepare("close-positions")).label).toBe("Settle PnL");
  });

  it("places a new order once its order has expired unfilled, because the price left its limit", async () => {
    await world.approve(await world.prepare("close-positions"));
    world.setPrice(140_000_000n);
    world.clock.advance(20 * 400);
    await expect(world.prepare("close-positions")).rejects.toMatchObject({ code: "order_waiting" });
    world.clock.advance(45_000);
    expect((await world.prepare("close-positions")).label).toBe("Place the closing orders");
  });
});
