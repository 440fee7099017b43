import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { processUrls } from "../../../test/database-server.ts";
import { expectBooked } from "../../../test/expect-booked.ts";
import { createTradingWorld, type TradingWorld } from "../../../test/trading-world.ts";
import { BLOCKHASH_LIFETIME_SLOTS, FINALITY_SLOTS, SLOT_MS } from "../../practice/slots.ts";
import { listCustodyNotices, sumTradedBase } from "../store/custody/custody-notices.ts";
import { grantProcesses } from "../store/postgres/grants.ts";
import { loadTables } from "../store/backup/load-tables.ts";
import { runLane } from "../trading/lanes/lane.ts";
import { afterRestore } from "./after-restore.ts";
import { readBackup, writeBackup } from "./backup-file.ts";
import { readIdentity } from "./database-identity.ts";

const DAY_MS = 86_400_000;

/** After this time everything signed before the restore is finalized or expired. */
const ALL_OVER_MS = Number(BLOCKHASH_LIFETIME_SLOTS + FINALITY_SLOTS + 1n) * SLOT_MS;

/** The chain of these worlds lies in memory, beside the database: it goes on while the database goes back. */
describe("yesterday's backup over today's chain", () => {
  let world: TradingWorld;
  let folder: string;
  let path: string;

  beforeEach(async () => {
    world = await createTradingWorld("drift", { auctionSlots: 0 });
    folder = mkdtempSync(join(tmpdir(), "restored-chain-"));
    path = join(folder, "yesterday.backup");
    await trade("long");
  });

  afterEach(async () => {
    await world.database.drop();
    rmSync(folder, { recursive: true });
    expect(world.problems).toEqual([]);
  });

  async function trade(alert: Parameters<TradingWorld["fire"]>[0]): Promise<void> {
    world.clock.advance(1_000);
    await world.fire(alert);
    await world.run();
  }

  async function backUp(): Promise<void> {
    await writeBackup(world.database.url, path, { nowMs: 0, onProgress: () => {} });
    world.clock.advance(DAY_MS);
  }

  /** As the command does it: the server dies, the database goes back, a server starts on it. */
  async function restore(): Promise<void> {
    await endSessions(world.database.url);
    await loadTables(
      world.database.url,
      readBackup(path, () => {}),
      { replaces: true },
    );
    // As each start does
    await grantProcesses(world.database.url, processUrls(world.database.url));
    const place = { dataDir: folder, databaseUrl: world.database.url };
    await afterRestore(world.database.db, {
      identity: await readIdentity(world.database.db, place),
      random: randomBytes,
      now: world.clock.now(),
      keepsSessions: false,
      keepsWebhookTokens: true,
    });
  }

  const heldBase = async () => {
    const { positions } = await world.account();
    return positions.map(({ side, baseSize }) => (side === "long" ? baseSize : -baseSize));
  };

  const sentCount = async () => {
    const { tradingKey } = world.keys.of(world.agentId);
    return (await world.chain.signaturesFor(tradingKey.address, 1_000)).length;
  };

  it("contains a trade paid by a former fee payer", async () => {
    await backUp();
    await trade("close long");
    await restore();
    expect(await world.run()).toBe("waiting");
    world.clock.advance(ALL_OVER_MS);
    const { deps, agentId, keys } = world;
    const replaced = {
      ...deps,
      signer: { ...deps.signer, feePayer: keys.of(agentId).vault },
      formerFeePayers: [keys.feePayer.address],
    };
    await runLane(replaced, agentId, "replaced");
    const notices = await listCustodyNotices(world.database.db, agentId, 10);
    expect(notices.map(({ text }) => text)).toEqual([expect.stringContaining("One trade made")]);
  });

  it("contains every later trade and deposit before the first new order is sent", async () => {
    const { db } = world.database;
    const evaluated = { agent_id: world.agentId, evaluated_to: new Date(world.clock.now()) };
    await db.insertInto("condition_progress").values(evaluated).execute();
    await backUp();
    await trade("close long");
    await trade("short");
    await world.approve(await world.prepare("deposit", "100"));
    const before = { held: await heldBase(), sent: await sentCount() };
    expect(before.held[0]).toBeLessThan(0n);

    await restore();
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    const progress = await db.selectFrom("condition_progress").select("evaluated_to").execute();
    expect(progress).toEqual([{ evaluated_to: new Date(world.clock.now()) }]);
    await world.fire("close short");
    expect(await world.run()).toBe("waiting");
    expect(await world.run()).toBe("waiting");
    expect(await sentCount()).toBe(before.sent);

    world.clock.advance(ALL_OVER_MS);
    let known: ReadonlyMap<string, bigint> | null = null;
    world.beforeSigning(async () => {
      known ??= await sumTradedBase(world.database.db, world.agentId);
    });
    await world.run();

    expect([...(known ?? new Map())]).toEqual([["SOL-PERP", before.held[0]]]);
    expect(await world.story()).toEqual(["OPEN_LONG filled", "CLOSE_SHORT filled"]);
    expect(await heldBase()).toEqual([]);
    const notices = await listCustodyNotices(world.database.db, world.agentId, 10);
    expect(notices.map(({ text }) => text)).toEqual([
      expect.stringMatching(/2 trades made after it/),
    ]);
    await expectBooked(world);
  });

  it("does not repeat an order that waited at the backup and was executed since", async () => {
    world.limitTo("halted");
    await trade("close long");
    expect(await world.story()).toEqual(["OPEN_LONG filled", expect.stringMatching(/CLOSE_LONG/)]);
    await backUp();
    world.limitTo("active");
    await world.run();
    await trade("long");
    const held = await heldBase();
    expect(held[0]).toBeGreaterThan(0n);

    await restore();
    await world.run();
    world.clock.advance(ALL_OVER_MS);
    await world.run();
    world.clock.advance(60_000);
    await world.run();

    expect(await heldBase()).toEqual(held);
    const exits = await world.database.db.selectFrom("exits").select("state").execute();
    expect(exits.filter(({ state }) => state === "working")).toEqual([]);
    expect((await world.story()).at(-1)).toBe("CLOSE_LONG denied restored");
    await expectBooked(world);
  });

  it("continues a waiting order when nothing was executed since", async () => {
    world.limitTo("halted");
    await trade("close long");
    await backUp();
    await restore();
    world.limitTo("active");
    await world.run();
    world.clock.advance(ALL_OVER_MS);
    await world.run();
    expect(await heldBase()).toEqual([]);
    await expectBooked(world);
  });

  it("settles an order that was pending at the backup by its own signature", async () => {
    world.faulty.script(() => "delay");
    await trade("close long");
    await writeBackup(world.database.url, path, { nowMs: 0, onProgress: () => {} });
    world.faulty.script(() => undefined);
    await world.faulty.release();
    world.clock.advance(DAY_MS);
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG filled", "CLOSE_LONG filled"]);
    const sent = await sentCount();

    await restore();
    expect((await world.story()).at(-1)).toMatch(/CLOSE_LONG (submitted|unknown)/);
    await world.run();
    expect((await world.story()).at(-1)).toBe("CLOSE_LONG filled");
    world.clock.advance(ALL_OVER_MS);
    await world.run();

    expect(await sentCount()).toBe(sent);
    expect(await listCustodyNotices(world.database.db, world.agentId, 10)).toEqual([]);
    await expectBooked(world);
  });

  it("waits for an order that was pending when the server died", async () => {
    await backUp();
    world.faulty.script(() => "delay");
    await trade("close long");

    await restore();
    await world.fire("long");
    await world.run();
    await world.run();
    world.faulty.script(() => undefined);
    await world.faulty.release();
    expect(await heldBase()).toEqual([]);
    world.clock.advance(ALL_OVER_MS);
    await world.run();

    const traded = await sumTradedBase(world.database.db, world.agentId);
    expect([...traded.values()]).toEqual(await heldBase());
    const [notice] = await listCustodyNotices(world.database.db, world.agentId, 10);
    expect(notice?.text).toMatch(/One trade made after it/);
    await expectBooked(world);
  });
});

async function endSessions(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(
    "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  await client.end();
}
