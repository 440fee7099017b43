import { afterEach, expect, it } from "vitest";
import { createTradingWorld, type TradingWorld } from "../../../test/trading-world.ts";
import { presentSummary } from "./present-position.ts";

let world: TradingWorld;

afterEach(() => world.database.drop());

const summary = async () =>
  presentSummary(await world.agent(), {
    state: await world.account(),
    readAtMs: world.clock.now(),
  });

it("shows the rest of today's limit only once something was traded on the swap venue", async () => {
  world = await createTradingWorld("jupiter");
  expect(await summary()).not.toHaveProperty("limitLeft");
  // The asset's limit, set at the price of the set-up, is worth less than the money there is
  world.setPrice(50_000_000n);
  expect(await summary()).not.toHaveProperty("limitLeft");
  expect(await summary()).toHaveProperty("entryLimit");
  await world.fire("long");
  for (let turns = 0; turns < 3; turns += 1) await world.run();
  await world.fire("close long");
  for (let turns = 0; turns < 3; turns += 1) await world.run();
  const traded = await summary();
  expect(traded).toHaveProperty("limitLeft");
  expect(traded).not.toHaveProperty("entryLimit");
});
