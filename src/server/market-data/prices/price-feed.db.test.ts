import { afterEach, describe, expect, it, vi } from "vitest";
import { createTestClock } from "../../../../test/clock.ts";
import { createTestDatabase } from "../../../../test/database.ts";
import { type PriceServer, startPriceServer } from "../../../../test/price-server.ts";
import { getText } from "../../main/http-client.ts";
import { listPriceGaps } from "../../store/market-data/paper-feed.ts";
import { type Notifier, openNotifier } from "../../store/postgres/notify.ts";
import { createPriceFeed, openLivePrices, PRICES_TOPIC } from "./price-feed.ts";

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
  const hintsOf = async (as: "web" | "trading") => {
    const { url, pool } = database.as(as);
    const notifier = await openNotifier({ url, pool, heard: [PRICES_TOPIC] });
    ends.push(() => notifier.close());
    return notifier;
  };
  const feedHints = await hintsOf("trading");
  const startFeed = (holder: string, on: PriceServer = server) => {
    const feed = createPriceFeed({
      db,
      clock,
      holder,
      onFailure,
      hints: feedHints,
      configured: NAMES.map((name) => ({ name, origin: on.origin })),
      get: getText,
    });
    feed.start();
    ends.push(() => feed.stop());
    return feed;
  };
  const openPrices = async (as: "web" | "signer" = "web", hints?: Notifier) => {
    const prices = await openLivePrices({
      db: database.as(as).db,
      onFailure,
      ...(hints && { hints }),
    });
    ends.push(() => prices.stop());
    return prices;
  };
  const gaps = () => listPriceGaps(database.as("web").db, "SOL", new Date(0));
  return { clock, server, startFeed, openPrices, hintsOf, gaps };
}

const patient = { timeout: 30_000, interval: 100 };

describe("the feed of live prices", () => {
  it("asks the sources in one process, and not for its readers", async () => {
    const { clock, server, startFeed, openPrices } = await openWorld();
    const idle = await startPriceServer(clock);
    ends.push(() => idle.close());
    const readers = await Promise.all([openPrices(), openPrices("signer")]);
    expect(readers[0]?.quote("SOL")).toBeUndefined();
    const feed = startFeed("one");
    await vi.waitFor(async () => {
      clock.advance(300);
      for (const { quote } of readers) expect(quote("SOL")).toBeDefined();
    }, patient);
    startFeed("two", idle);
    const before = readers[0]?.quote("BTC")?.publishedAtMs ?? 0;
    await vi.waitFor(async () => {
      clock.advance(300);
      for (const { quote } of readers) {
        expect(quote("BTC")?.publishedAtMs).toBeGreaterThan(before + 10_000);
      }
    }, patient);
    expect(idle.requests()).toBe(0);
    await feed.stop();
    server.requests();
    // A thousand agents at a price each
    for (let agent = 0; agent < 1_000; agent += 1) {
      for (const { quote } of readers) expect(quote("BTC")).toBeDefined();
    }
    expect(server.requests()).toBe(0);
  });

  it("brings each price to a process that serves pages by its hint, not by a look every few seconds", async () => {
    const { clock, server, startFeed, openPrices, hintsOf } = await openWorld();
    const hints = await hintsOf("web");
    const prices = await openPrices("web", hints);
    startFeed("one");
    await vi.waitFor(async () => {
      clock.advance(300);
      expect(prices.quote("SOL")).toBeDefined();
    }, patient);
    const seen: (number | undefined)[] = [];
    prices.onNew((bulletin) => seen.push(Number(bulletin.prices["SOL"]?.price) / 1e6));
    // Looks alone, every 15 s, would take minutes for so many
    for (let price = 131; price < 143; price += 1) {
      server.setPrice("SOL", price);
      await vi.waitFor(async () => {
        clock.advance(500);
        expect(seen.at(-1)).toBe(price);
      }, patient);
    }
  });

  it("is taken over from a process that ended, and goes on from the last price", async () => {
    const { clock, startFeed, openPrices } = await openWorld();
    const prices = await openPrices();
    const first = startFeed("one");
    const measuredBy = ({ bulletin }: typeof prices) =>
      bulletin().spreads["SOL"]?.reduce((all, [, count]) => all + count, 0) ?? 0;
    await vi.waitFor(async () => {
      clock.advance(300);
      expect(measuredBy(prices)).toBeGreaterThan(20);
    }, patient);
    await first.stop();
    const later = await openPrices();
    const last = later.quote("SOL");
    const before = measuredBy(later);
    await vi.waitFor(() => expect(prices.quote("SOL")).toEqual(last), patient);
    startFeed("two");
    await vi.waitFor(async () => {
      clock.advance(300);
      const next = later.quote("SOL");
      expect(next?.publishedAtMs).toBeGreaterThan(last?.publishedAtMs ?? Infinity);
    }, patient);
    // Spreads go on from what the process before had measured
    expect(measuredBy(later)).toBeGreaterThan(before);
  });

  it("keeps when there was no price: a machine asleep for ten hours, and nothing shorter than 30 s", async () => {
    const { clock, startFeed, openPrices, gaps } = await openWorld();
    const prices = await openPrices();
    const feed = startFeed("one");
    await vi.waitFor(async () => {
      clock.advance(300);
      expect(prices.quote("SOL")).toBeDefined();
    }, patient);
    const seenMs = () => prices.quote("SOL")?.publishedAtMs ?? 0;
    const before = seenMs();
    await vi.waitFor(async () => {
      clock.advance(300);
      expect(seenMs()).toBeGreaterThan(before + 5_000);
    }, patient);
    await feed.stop();
    expect(await gaps()).toEqual([]);
    const last = (await openPrices()).quote("SOL")?.publishedAtMs ?? 0;
    clock.advance(10 * 3_600_000);
    startFeed("two");
    await vi.waitFor(async () => {
      clock.advance(300);
      expect(seenMs()).toBeGreaterThan(last);
    }, patient);
    const [gap, ...others] = await gaps();
    expect(others).toEqual([]);
    expect(gap?.from.getTime()).toBe(last);
    expect(gap?.to.getTime()).toBeGreaterThanOrEqual(last + 10 * 3_600_000);
    expect(gap?.to.getTime()).toBeLessThan(last + 10 * 3_600_000 + 60_000);
  });
});
