import { afterEach, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/database.ts";
import { createCustodyWorld, type CustodyWorld } from "../../../test/custody-world.ts";
import { bookDeps } from "../../../test/expect-booked.ts";
import { createCustodyGuard } from "../custody/custody-guard.ts";
import { updateAgentLedger } from "../ledger/update-agent-ledger.ts";
import { showHealth } from "../routes/agent-health.ts";
import { createReconciler } from "./reconciler.ts";

let database: TestDatabase;

afterEach(() => database.drop());

const venueOf = async (world: CustodyWorld) => {
  const health = await showHealth({ db: database.db, clock: world.clock }, world.agentId);
  return health.venue;
};

it.each(["jupiter", "drift"] as const)(
  "an agent on %s can be read from its set-up on, before and after its first deposit",
  async (venue) => {
    database = await createTestDatabase();
    const world = await createCustodyWorld(database, { venue });
    const deps = { ...bookDeps(world), keys: world.keys };
    const failures: unknown[] = [];
    const reconciler = createReconciler({
      ...deps,
      guard: createCustodyGuard(deps),
      book: (agent) => updateAgentLedger(bookDeps(world), agent),
      onFailure: (error) => void failures.push(error),
    });
    const look = async () => {
      world.clock.advance(40_000);
      await reconciler.run();
    };
    await look();
    await world.setUp();
    await look();
    expect(await venueOf(world)).toEqual({ id: venue, isAnswering: true });
    await world.approve(await world.prepare("deposit", "500"));
    await look();
    expect(await venueOf(world)).toEqual({ id: venue, isAnswering: true });
    expect(failures).toEqual([]);
  },
);
