import { afterEach, describe, expect, it, vi } from "vitest";
import { createAlertWorld } from "../../../test/alert-world.ts";
import type { TestClock } from "../../../test/clock.ts";
import { useDatabase } from "../../../test/database.ts";
import { createTestServer } from "../../../test/server.ts";
import { createTestWallet } from "../../../test/wallet.ts";
import { createSteadyClock, type SteadyClock } from "./steady-clock.ts";
import { readTime } from "../store/postgres/installation.ts";

const HOUR_MS = 3600_000;
const MINUTE_MS = 60_000;

const database = useDatabase();

afterEach(() => {
  vi.useRealTimers();
});

const openClock = () =>
  createSteadyClock({
    read: () => readTime(database.as("trading").db),
    monotonicMs: () => performance.now(),
    onBehind: () => {},
  });

const keepLatest = (ms: number) =>
  database.pool.query("update installation set latest_at = $1", [new Date(ms)]);

const asTestClock = (clock: Pick<SteadyClock, "now">): TestClock => ({
  now: clock.now,
  advance: () => {
    throw new Error("Real time is not moved.");
  },
});

describe("the time that a server uses", () => {
  it("is the database's, so that an hour-old alert is refused by a machine that is an hour slow", async () => {
    const trueMs = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: trueMs - HOUR_MS });
    const clock = openClock();
    await clock.sync();
    const world = await createAlertWorld({ clock: asTestClock(clock) });
    const isoOf = (ms: number) => new Date(ms).toISOString();
    const old = await world.post(world.message({ timestamp: isoOf(trueMs - HOUR_MS) }));
    const fresh = await world.post(world.message({ timestamp: isoOf(trueMs) }));
    await world.close();
    expect([old.status, old.body.code]).toEqual([422, "stale_signal"]);
    expect(fresh.status).toBe(202);
  });

  it("is stored: an expired nonce stays expired when the clock is set back, even after a restart", async () => {
    const times = { shownMs: Date.parse("2026-11-21T08:00:00.000Z"), latestMs: 0, monotonicMs: 0 };
    const open = async () => {
      const clock = createSteadyClock({
        read: async () => {
          times.latestMs = Math.max(times.latestMs, times.shownMs);
          return times;
        },
        monotonicMs: () => times.monotonicMs,
        onBehind: () => {},
      });
      await clock.sync();
      return clock;
    };
    const clock = await open();
    const server = await createTestServer(database, { clock: asTestClock(clock) });
    const wallet = createTestWallet();
    const walletAddress = wallet.address;
    const { body } = await server.send("POST", "/api/auth/nonce", { body: { walletAddress } });
    const proof = { walletAddress, nonce: body.nonce, signature: wallet.sign(body.message) };

    times.monotonicMs += 5 * MINUTE_MS;
    times.shownMs += 5 * MINUTE_MS;
    await clock.sync();
    times.shownMs -= 3 * MINUTE_MS;
    await clock.sync();
    expect((await server.send("POST", "/api/auth/token", { body: proof })).status).toBe(401);
    await server.close();

    const restarted = await open();
    const again = await createTestServer(database, {
      clock: asTestClock(restarted),
      secret: server.secret,
    });
    expect((await again.send("POST", "/api/auth/token", { body: proof })).status).toBe(401);
    await again.close();
  });

  it("is stored in the database and only moves forward there", async () => {
    const first = await readTime(database.as("web").db);
    expect(first.latestMs).toBeLessThanOrEqual(first.shownMs);
    const ahead = Date.now() + HOUR_MS;
    await keepLatest(ahead);
    const second = await readTime(database.as("signer").db);
    expect(second.latestMs).toBe(ahead);
    expect(second.shownMs).toBeLessThan(ahead);
    const clock = openClock();
    await clock.sync();
    expect(clock.now()).toBeGreaterThanOrEqual(ahead);
    await keepLatest(0);
  });

  it("is read while another process keeps the row to itself", async () => {
    await keepLatest(0);
    const holder = await database.as("web").pool.connect();
    await holder.query("begin");
    await holder.query("select * from read_time()");
    await holder.query("select * from installation for update");
    const { shownMs } = await readTime(database.as("trading").db);
    expect(Math.abs(shownMs - Date.now())).toBeLessThan(MINUTE_MS);
    await holder.query("rollback");
    holder.release();
  });

  it("is taken by a signer no further than half a minute ahead of its own machine's", async () => {
    await keepLatest(Date.now() + 24 * HOUR_MS);
    const heard: number[] = [];
    const clock = createSteadyClock({
      read: () => readTime(database.as("signer").db),
      monotonicMs: () => performance.now(),
      onBehind: () => {},
      machine: { nowMs: () => Date.now(), onAhead: (ms) => heard.push(ms) },
    });
    await clock.sync();
    await clock.sync();
    expect(clock.now() - Date.now()).toBeLessThanOrEqual(30_000);
    expect(heard).toEqual([expect.closeTo(24 * HOUR_MS, -4)]);
    await keepLatest(0);
  });
});
