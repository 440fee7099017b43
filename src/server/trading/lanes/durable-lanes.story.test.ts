import { afterEach, beforeEach, expect, it } from "vitest";
import { claimLane, releaseIfIdle } from "../../store/lanes/lanes.ts";
import { createTradingWorld, type TradingWorld } from "../../../../test/trading-world.ts";

let world: TradingWorld;

beforeEach(async () => {
  // Commits wait for the disk, as outside of tests
  world = await createTradingWorld("drift", {
    sessionSettings: "-c synchronous_commit=on",
    auctionSlots: 0,
  });
});

afterEach(() => world.database.drop());

/** Notes what each commit did to a lane, and whether it waits for the disk. */
async function noteCommits(): Promise<void> {
  await world.database.pool.query(`
    create table noted (commit bigint, deed text, waits text);
    create function note(deed text) returns void language sql as $$
      insert into noted values (txid_current(), deed, current_setting('synchronous_commit')) $$;
    create function note_lane() returns trigger language plpgsql as $$
    begin
      if new.fence <> old.fence then perform note('claim'); end if;
      if old.claimed_by is not null and new.claimed_by is null then perform note('release'); end if;
      return null;
    end $$;
    create function note_record() returns trigger language plpgsql as $$
    begin perform note('record'); return null; end $$;
    create constraint trigger note_lane after update on lanes deferrable initially deferred
      for each row execute function note_lane();
    create constraint trigger note_order after update on orders deferrable initially deferred
      for each row execute function note_record();
    create constraint trigger note_fee after insert or update on owner_fees deferrable initially deferred
      for each row execute function note_record()`);
}

it("never loses a claim or a record, and does not wait for the disk to release a lane", async () => {
  await noteCommits();
  await world.fire("long");
  await world.run();
  await world.fire("close long");
  await world.run();
  expect(await world.story()).toEqual(["OPEN_LONG filled", "CLOSE_LONG filled"]);
  // An order's last record releases its lane; without one it is released by itself
  const { pool } = world.database;
  const lease = { leaseMs: 1_000, nowMs: world.clock.now() };
  const claimed = await claimLane(pool, world.agentId, "idle", lease);
  if (claimed === null) throw new Error("The lane is held");
  expect(await releaseIfIdle(pool, claimed.lane)).toBe(true);
  const noted = await world.database.pool.query<{ deed: string; waits: string }>(
    `select distinct deed, waits from noted where deed <> 'release'
      or commit not in (select commit from noted where deed = 'record') order by deed`,
  );
  expect(noted.rows).toEqual([
    { deed: "claim", waits: "on" },
    { deed: "record", waits: "on" },
    { deed: "release", waits: "off" },
  ]);
});
