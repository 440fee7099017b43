import { describe, expect, it } from "vitest";
import { useTradingWorld } from "../../../../test/trading-world.ts";
import type { VenueId } from "../../../domain/venue-id.ts";
import { decodeTransaction } from "../../../solana/decode-transaction.ts";
import { readComputeUnitLimit } from "../../../solana/programs/compute-budget.ts";
import type { Venue } from "../../../venues/ports.ts";

const world = useTradingWorld();

it("opens nothing for an account missing from the answer: absent is not flat", async () => {
  await world.fire("long");
  await world.run();
  const venues = world.deps.networks.get("practice")?.venues as Map<VenueId, Venue>;
  const venue = venues.get("drift");
  if (venue === undefined) throw new Error("The practice network has no exchange");
  // What a node says that knows nothing of the account: as of one that was never opened
  const accountState: Venue["accountState"] = (account) =>
    venue.accountState({ ...account, subAccountId: 9 });
  venues.set("drift", { ...venue, accountState });
  world.clock.advance(1_000);
  await world.fire("long");
  await world.run();
  expect(await world.story()).toEqual(["OPEN_LONG filled", "OPEN_LONG denied sub_account_missing"]);
  const [first] = await world.orders();
  expect((await world.account()).positions[0]?.baseSize).toBe(first?.baseSize);
});

describe("an order's request to the exchange", () => {
  it("is never below the market's minimum: an account of one dollar gets a message", async () => {
    await world.turn("off");
    await world.approve(await world.prepare("withdraw", "499"));
    await world.turn("on");
    await world.fire("long");
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG denied below_minimum"]);
    expect(world.problems).toEqual([]);
    expect(await world.landed()).toEqual([]);
  });

  it("includes no more compute units than are cheaper than asking for the necessary ones", async () => {
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
    expect(units).toBeLessThanOrEqual(300_000);
  });
});
