import { afterEach, beforeEach, expect, it } from "vitest";
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

/** Notes of each change of a lane, when it is committed, what it was and whether the commit waits for the disk. */
async function noteCommits(): Promise<void> {
  await world.database.pool.query(`
    create table noted (deed text, waits text);
    create function note_lane() returns trigger language plpgsql as $$
    begin
      insert into noted values (
        case when new.fence > old.fence then 'claim'
          when old.claimed_by is not null and new.claimed_by is null then 'release' else 'record' end,
        current_setting('synchronous_commit'));
      return null;
    end $$;
    create constraint trigger note_lane after update on lanes deferrable initially deferred
      for each row execute function note_lane()`);
}

it("never forgets a claim or a record, and waits for no disk to release", async () => {
  await noteCommits();
  await world.fire("long");
  await world.run();
  await world.fire("close long");
  await world.run();
  expect(await world.story()).toEqual(["OPEN_LONG filled", "CLOSE_LONG filled"]);
  const noted = await world.database.pool.query<{ deed: string; waits: string }>(
    "select distinct deed, waits from noted order by deed",
  );
  expect(noted.rows).toEqual([
    { deed: "claim", waits: "on" },
    { deed: "record", waits: "on" },
    { deed: "release", waits: "off" },
  ]);
});
