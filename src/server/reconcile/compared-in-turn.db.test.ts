import { afterEach, expect, it } from "vitest";
import { type Crowd, createCrowd } from "../../../test/crowd.ts";
import { createTestDatabase } from "../../../test/database.ts";
import { createCustodyGuard } from "../custody/custody-guard.ts";
import { createReconciler } from "./reconciler.ts";

let world: Crowd;

afterEach(() => world.database.drop());

it("compares two agents of a page at a time, although it reads more together", async () => {
  world = await createCrowd(await createTestDatabase(), 8);
  const { clock, database, keys, networks } = world;
  const looking = {
    db: database.db,
    clock,
    keys,
    networks,
    publisher: { publish: () => undefined },
  };
  const atOnce: number[] = [];
  let running = 0;
  const reconciler = createReconciler({
    ...looking,
    guard: createCustodyGuard(looking),
    onFailure: (error) => {
      throw error;
    },
    book: (_agent, inTurn) =>
      inTurn(async () => {
        running += 1;
        atOnce.push(running);
        await database.pool.query("select 1");
        running -= 1;
      }),
  });
  await reconciler.run();
  expect(atOnce).toHaveLength(8);
  expect(Math.max(...atOnce)).toBe(2);
});
