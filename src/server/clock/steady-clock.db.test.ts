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
    read: (atLeastMs) => readTime(database.db, atLeastMs),
    monotonicMs: () => performance.now(),
    onBehind: () => {},
  });

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
        read: async (atLeastMs) => {
          times.latestMs = Math.max(times.latestMs, times.shownMs, atLeastMs);
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
    const ahead = Date.now() + HOUR_MS;
    const first = await readTime(database.db, ahead);
    expect(first.latestMs).toBe(ahead);
    expect(first.shownMs).toBeLessThan(ahead);
    const second = await readTime(database.db, 0);
    expect(second.latestMs).toBe(ahead);
    const clock = openClock();
    await clock.sync();
    expect(clock.now()).toBeGreaterThanOrEqual(ahead);
  });
});
