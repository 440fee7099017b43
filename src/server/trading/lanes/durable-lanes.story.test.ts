import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SLOT_MS } from "../../../practice/slots.ts";
import { claimLane, releaseLane } from "../../store/lanes/lanes.ts";
import { type EmbeddedPostgres, launchPostgres } from "../../store/launch/launch-postgres.ts";
import type { HeldLane } from "../../store/orders/change.ts";
import { migrateDatabase } from "../../store/postgres/migrate.ts";
import { openDatabase } from "../../store/postgres/pool.ts";
import { withOneRole } from "../../../../test/database.ts";
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
    grant insert on noted to public;
    create function note(deed text) returns void language sql as $$
      insert into noted values (txid_current(), deed, current_setting('synchronous_commit')) $$;
    create function note_lane() returns trigger language plpgsql as $$
    begin
      if new.fence <> old.fence then perform note('claim'); end if;
      if old.claimed_by is not null and new.claimed_by is null then perform note('release'); end if;
      return null;
    end $$;
    create function note_order() returns trigger language plpgsql as $$
    begin
      perform note(case new.state when 'filled' then 'fill' else 'record' end);
      return null;
    end $$;
    create function note_fee() returns trigger language plpgsql as $$
    begin perform note('fee'); return null; end $$;
    create constraint trigger note_lane after update on lanes deferrable initially deferred
      for each row execute function note_lane();
    create constraint trigger note_order after update on orders deferrable initially deferred
      for each row execute function note_order();
    create constraint trigger note_fee after insert or update on owner_fees deferrable initially deferred
      for each row execute function note_fee()`);
}

it("waits for the disk with what it sends, and not with what the chain tells, claims and releases", async () => {
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
  await releaseLane(world.database.db, claimed.lane);
  const noted = await world.database.pool.query<{ deed: string; waits: string }>(
    `select distinct deed, waits from noted order by deed, waits`,
  );
  expect(noted.rows).toEqual([
    { deed: "claim", waits: "off" },
    // The settlement's, and the order's with its submission
    { deed: "fee", waits: "off" },
    { deed: "fee", waits: "on" },
    { deed: "fill", waits: "off" },
    { deed: "record", waits: "on" },
    { deed: "release", waits: "off" },
  ]);
});

describe("a database that crashes", () => {
  let dataDir: string;
  let postgres: EmbeddedPostgres;

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), "wheelhouse-claim-"));
    chmodSync(dataDir, 0o711);
    // What no commit waits for stays in memory until the crash
    postgres = await launchPostgres({ dataDir, settings: { wal_writer_delay: "10s" } });
    await migrateDatabase(postgres.url);
    const opened = openDatabase({ url: postgres.url, maxConnections: 8 });
    await world.database.drop();
    world = await createTradingWorld("drift", {
      database: withOneRole(opened, postgres.url),
      auctionSlots: 0,
    });
  });

  afterEach(async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** Kills the database and waits until it runs again. */
  async function crash(): Promise<void> {
    const { pool } = world.database;
    process.kill(postgres.pid, "SIGKILL");
    // Its backends end a moment after it and could still answer until then
    await expect.poll(() => pool.totalCount, { timeout: 30_000 }).toBe(0);
    const isBack = () =>
      pool.query("select").then(
        () => true,
        () => false,
      );
    await expect.poll(isBack, { timeout: 30_000 }).toBe(true);
  }

  it("forgets a claim, whose worker then writes and sends nothing, and the order is sent once", async () => {
    const { pool } = world.database;
    const lease = { leaseMs: 60_000, nowMs: world.clock.now() };
    const second: HeldLane[] = [];
    world.beforeSigning(async () => {
      world.beforeSigning(async () => {});
      await crash();
      const { rows } = await pool.query("select claimed_by from lanes");
      expect(rows).toEqual([{ claimed_by: null }]);
      const claimed = await claimLane(pool, world.agentId, "second", lease);
      if (claimed !== null) second.push(claimed.lane);
    });
    await world.fire("long");
    expect(await world.run("first")).toBe("taken");
    expect(await world.story()).toEqual(["OPEN_LONG planned"]);
    const [lane] = second;
    if (lane === undefined) throw new Error("The lane is still held");
    await releaseLane(world.database.db, lane);
    // The signer signs no second entry while the first one's signature can still land
    expect(await world.run("second")).toBe("waiting");
    world.clock.advance(200 * SLOT_MS);
    await world.run("second");
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    expect(await world.landed()).toHaveLength(1);
  });

  it("forgets a fill, which the chain tells again, and it is booked once", async () => {
    await world.fire("long");
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    await crash();
    expect(["OPEN_LONG submitted", "OPEN_LONG filled"]).toContain((await world.story())[0]);
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    expect(await world.landed()).toHaveLength(1);
    const { rows } = await world.database.pool.query(
      "select count(*)::int as fills, sum(base_size)::text as base from order_fills",
    );
    const [held] = (await world.account()).positions;
    expect(rows).toEqual([{ fills: 1, base: held?.baseSize.toString() }]);
  });
});
