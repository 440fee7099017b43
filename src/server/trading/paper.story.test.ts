import { describe, expect, it } from "vitest";
import { STORY_VENUES } from "../../../test/auctions.ts";
import { useTradingWorld } from "../../../test/trading-world.ts";

const SECOND_MS = 1_000;

describe.each(STORY_VENUES)("an agent on %s while there are no prices", (venue) => {
  const world = useTradingWorld(venue);

  async function runFor(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      world.clock.advance(SECOND_MS);
      await world.run();
    }
  }
  const isOpen = async () => (await world.account()).positions.length === 1;

  it("enters nothing", async () => {
    world.holdPrices(true);
    world.clock.advance(31 * SECOND_MS);
    await world.fire("long");
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG denied stale_price"]);
  });

  it("keeps its position, and exits once prices are back", async () => {
    await world.fire("long");
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    const before = await world.account();

    world.holdPrices(true);
    world.clock.advance(60 * SECOND_MS);
    await world.fire("long");
    await world.run();
    await world.fire("close long");
    await runFor(90);
    expect(await isOpen()).toBe(true);
    expect((await world.account()).positions[0]?.baseSize).toBe(before.positions[0]?.baseSize);
    const working = await world.database.db.selectFrom("exits").selectAll().execute();
    expect(working).toMatchObject([{ state: "working" }]);

    world.clock.advance(86_400 * SECOND_MS);
    await runFor(5);
    expect(await isOpen()).toBe(true);

    world.holdPrices(false);
    await runFor(120);
    expect(await isOpen()).toBe(false);
    const done = await world.database.db.selectFrom("exits").selectAll().execute();
    expect(done).toMatchObject([{ state: "done" }]);
  });
});
