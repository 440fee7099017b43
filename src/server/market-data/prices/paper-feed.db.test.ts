import { afterEach, describe, expect, it, vi } from "vitest";
import { createTestClock, type TestClock } from "../../../../test/clock.ts";
import { createTestDatabase } from "../../../../test/database.ts";
import { type PriceServer, startPriceServer } from "../../../../test/price-server.ts";
import { getText } from "../../main/http-client.ts";
import { connectSocket } from "../../main/socket-client.ts";
import { listPriceGaps } from "../../store/market-data/paper-feed.ts";
import { createPaperFeed, openPaperPrices } from "./paper-feed.ts";

const NAMES = ["pyth", "binance", "bybit"] as const;

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

async function openWorld() {
  const database = await createTestDatabase();
  ends.push(() => database.drop());
  const clock = createTestClock();
  const server = await startPriceServer(clock);
  ends.push(() => server.close());
  const { db } = database.as("trading");
  const onFailure = (error: unknown) => {
    throw error;
  };
  const startFeed = (holder: string, on: PriceServer = server) => {
    const feed = createPaperFeed({
      db,
      clock,
      holder,
      onFailure,
      configured: NAMES.map((name) => ({ name, origin: on.origin })),
      get: getText,
      connect: connectSocket,
    });
    feed.start();
    ends.push(() => feed.stop());
    return feed;
  };
  const openPrices = async (as: "web" | "signer" = "web") => {
    const prices = await openPaperPrices(database.as(as).db, onFailure);
    ends.push(() => prices.stop());
    return prices;
  };
  const gaps = () => listPriceGaps(database.as("web").db, "SOL", new Date(0));
  return { clock, server, startFeed, openPrices, gaps };
}

/** Lets the time of a market pass in which sources answer. */
async function pass(clock: TestClock, server: PriceServer, ms = 1_000): Promise<void> {
  clock.advance(ms);
  await server.push();
}

const patient = { timeout: 20_000, interval: 100 };

describe("the feed of paper's prices", () => {
  it("asks the sources once for all readers of every process", async () => {
    const { clock, server, startFeed, openPrices } = await openWorld();
    const readers = await Promise.all([openPrices(), openPrices("signer")]);
    expect(readers[0]?.quote("SOL")).toBeUndefined();
    startFeed("one");
    startFeed("two");
    await vi.waitFor(async () => {
      await pass(clock, server);
      for (const { quote } of readers) expect(quote("SOL")).toBeDefined();
    }, patient);
    server.requests();
    const countFor = async (agents: number): Promise<number> => {
      const before = readers[0]?.quote("BTC")?.publishedAtMs ?? 0;
      await vi.waitFor(async () => {
        await pass(clock, server);
        for (let agent = 0; agent < agents; agent += 1) {
          const [one, other] = readers.map(({ quote }) => quote("BTC"));
          expect(one?.publishedAtMs).toBeGreaterThan(before + 3_000);
          expect(other?.publishedAtMs).toBeGreaterThan(before + 3_000);
        }
      }, patient);
      return server.requests();
    };
    const [few, many] = [await countFor(1), await countFor(1_000)];
    // A round is one request of Pyth and one for each of Bybit's books; the socket stays open
    expect(Math.abs(many - few)).toBeLessThanOrEqual(20);
  });

  it("is taken over from a process that ended, and goes on from the last price", async () => {
    const { clock, server, startFeed, openPrices } = await openWorld();
    const prices = await openPrices();
    const first = startFeed("one");
    await vi.waitFor(async () => {
      await pass(clock, server);
      expect(prices.quote("SOL")).toBeDefined();
    }, patient);
    await first.stop();
    const later = await openPrices();
    const last = later.quote("SOL");
    await vi.waitFor(() => expect(prices.quote("SOL")).toEqual(last), patient);
    startFeed("two");
    await vi.waitFor(async () => {
      await pass(clock, server);
      const next = later.quote("SOL");
      expect(next?.publishedAtMs).toBeGreaterThan(last?.publishedAtMs ?? Infinity);
    }, patient);
  });

  it("keeps when there was no price: a machine asleep for ten hours, and nothing shorter than 30 s", async () => {
    const { clock, server, startFeed, openPrices, gaps } = await openWorld();
    const prices = await openPrices();
    const feed = startFeed("one");
    await vi.waitFor(async () => {
      await pass(clock, server);
      expect(prices.quote("SOL")).toBeDefined();
    }, patient);
    const seenMs = () => prices.quote("SOL")?.publishedAtMs ?? 0;
    const before = seenMs();
    await vi.waitFor(async () => {
      await pass(clock, server);
      expect(seenMs()).toBeGreaterThan(before + 5_000);
    }, patient);
    await feed.stop();
    expect(await gaps()).toEqual([]);
    const last = (await openPrices()).quote("SOL")?.publishedAtMs ?? 0;
    clock.advance(10 * 3_600_000);
    startFeed("two");
    await vi.waitFor(async () => {
      await pass(clock, server);
      expect(seenMs()).toBeGreaterThan(last);
    }, patient);
    const [gap, ...others] = await gaps();
    expect(others).toEqual([]);
    expect(gap?.from.getTime()).toBe(last);
    expect(gap?.to.getTime()).toBeGreaterThanOrEqual(last + 10 * 3_600_000);
    expect(gap?.to.getTime()).toBeLessThan(last + 10 * 3_600_000 + 60_000);
  });
});
