import { EventEmitter, once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createTestClock } from "../../../../test/clock.ts";
import {
  type PriceFault,
  type PriceServer,
  startPriceServer,
} from "../../../../test/price-server.ts";
import { getText, connectSocket } from "../../main/http-client.ts";
import { createPriceBoard, type PriceBulletin } from "./price-board.ts";
import { PRICE_DIALECTS, PRICE_SOURCE_NAMES, type PriceSourceName } from "./price-dialects.ts";
import { createPriceSource } from "./price-sources.ts";

const FAULTS: readonly PriceFault[] = [
  "not a number",
  "negative",
  "zero",
  "exponent",
  "thousandfold",
  "an hour old",
  "frozen",
  "reordered",
  "a day ahead",
  "a day behind",
  "renamed",
  "crossed",
  "wide",
  "empty",
  "page",
  "other form",
  "huge",
  "slow",
  "half",
  "redirect",
  "too often",
  "forbidden",
  "unavailable for legal reasons",
  "broken",
];

const SECOND_MS = 1_000;
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

/** Sources on servers of their own, a second at a time. */
async function openWorld(names: readonly PriceSourceName[], origins?: readonly string[]) {
  const clock = createTestClock();
  const servers = new Map<PriceSourceName, PriceServer>();
  for (const name of names) servers.set(name, await startPriceServer(clock));
  const board = createPriceBoard(
    names.map((name) => PRICE_DIALECTS[name].label),
    clock,
  );
  const connections = new Map<PriceSourceName, number>();
  const failing: Promise<unknown>[] = [];
  const sources = names.map((name, at) => {
    const dialect = PRICE_DIALECTS[name];
    const origin = origins?.[at] ?? servers.get(name)?.origin ?? "";
    return createPriceSource(dialect, origin, {
      clock,
      // Only an answer that never comes is not waited for
      get: (url, headers) => getText(url, headers, servers.get(name)?.isSilent() ? 250 : 60_000),
      connect: (url, events) => {
        connections.set(name, (connections.get(name) ?? 0) + 1);
        const closing = new EventEmitter();
        failing.push(once(closing, "closed"));
        return connectSocket(url, {
          ...events,
          onClose(status) {
            events.onClose(status);
            closing.emit("closed");
          },
        });
      },
      onReadings: (readings) => board.receive(dialect.label, readings),
      onFault: (fault) => board.fail(dialect.label, fault),
    });
  });
  const settled = async () => {
    await Promise.all(sources.map((source) => source.step()));
    // Somebody else's servers fail every connection
    if (origins !== undefined) return void (await Promise.all(failing));
    for (const [name, server] of servers) {
      await server.hasSeen(connections.get(name) ?? 0);
      await server.push();
    }
  };
  opened.push({
    async close() {
      await Promise.all(sources.map((source) => source.stop()));
      await Promise.all([...servers.values()].map((server) => server.close()));
    },
  });
  return {
    clock,
    server: (name: PriceSourceName) => servers.get(name) as PriceServer,
    async second(): Promise<PriceBulletin> {
      clock.advance(SECOND_MS);
      await settled();
      return board.publish();
    },
    async until(isDone: (bulletin: PriceBulletin) => boolean, seconds: number) {
      for (let passed = 1; passed <= seconds; passed += 1) {
        const bulletin = await this.second();
        if (isDone(bulletin)) return { bulletin, seconds: passed };
      }
      throw new Error(`Not within ${seconds} s`);
    },
  };
}

const priced = ({ prices }: PriceBulletin) => prices["SOL"] !== undefined;
const posted = ({ prices }: PriceBulletin) => prices["SOL"]?.postedAtMs ?? 0;

describe.each(PRICE_SOURCE_NAMES)("price source %s", (name) => {
  it.each(FAULTS)("gives no price, says so within 30 s and recovers: %s", async (fault) => {
    const world = await openWorld([name]);
    const before = (await world.until(priced, 5)).bulletin;
    world.server(name).misbehave(fault);
    const told = await world.until(
      ({ missing, sources }) =>
        missing["SOL"] !== undefined && (sources[0]?.trouble !== null || fault === "thousandfold"),
      31,
    );
    expect(told.bulletin.prices["SOL"]).toEqual(before.prices["SOL"]);
    world.server(name).misbehave(null);
    const after = await world.until((bulletin) => posted(bulletin) > posted(before), 65);
    const { bulletin } = await world.until(({ sources }) => sources[0]?.trouble === null, 5);
    expect(after.bulletin.missing["SOL"]).toBeUndefined();
    expect(bulletin.sources[0]?.trouble).toBeNull();
  });
});

describe("prices of several sources", () => {
  it.each(FAULTS)("come from the others while one has a fault: %s", async (fault) => {
    const world = await openWorld(PRICE_SOURCE_NAMES);
    await world.until(({ prices }) => prices["SOL"]?.sources.length === 3, 5);
    world.server("bybit").misbehave(fault);
    await world.until(({ sources }) => sources[2]?.trouble !== null, 31);
    const { prices } = await world.second();
    const sol = prices["SOL"];
    expect(sol?.sources).toEqual(["Pyth", "Binance"]);
    expect(Number(sol?.confidence) / Number(sol?.price)).toBeLessThan(0.001);
  });

  it("stop while two sources disagree", async () => {
    const world = await openWorld(["pyth", "bybit"]);
    const before = (await world.until(priced, 5)).bulletin;
    world.server("bybit").misbehave("thousandfold");
    const { missing, prices } = await world.second();
    expect(missing["SOL"]).toBe("apart");
    expect(prices["SOL"]).toEqual(before.prices["SOL"]);
  });

  it("need a second source to begin with, and to move far", async () => {
    const world = await openWorld(["pyth", "bybit"]);
    world.server("bybit").misbehave("forbidden");
    expect((await world.second()).missing["SOL"]).toBe("unconfirmed");
    world.server("bybit").misbehave(null);
    const both = await world.until(priced, 40);
    world.server("bybit").misbehave("forbidden");
    const alone = await world.until(({ prices }) => prices["SOL"]?.sources.length === 1, 15);
    const share = ({ prices: { SOL: sol } }: PriceBulletin) =>
      Number(sol?.confidence) / Number(sol?.price);
    expect(share(alone.bulletin)).toBeGreaterThan(share(both.bulletin) + 0.002);
    world.server("pyth").setPrice("SOL", 100_000);
    expect((await world.second()).missing["SOL"]).toBe("unconfirmed");
  });

  it("that jump are believed once every source says so, or after ten seconds", async () => {
    const world = await openWorld(PRICE_SOURCE_NAMES);
    const before = (await world.until(({ prices }) => prices["SOL"]?.sources.length === 3, 5))
      .bulletin;
    const lying = ["binance", "bybit"] as const;
    for (const name of lying) world.server(name).setPrice("SOL", 1_500);
    const told = await world.second();
    expect(told.missing["SOL"]).toBe("jumped");
    expect(told.prices["SOL"]).toEqual(before.prices["SOL"]);
    const later = await world.until((bulletin) => posted(bulletin) > posted(before), 30);
    expect(later.seconds).toBeGreaterThanOrEqual(9);
    expect(later.bulletin.prices["SOL"]).toMatchObject({ price: 1_500_000_000n });
    // Back at once, because all three say so
    for (const name of lying) world.server(name).setPrice("SOL", null);
    const back = await world.until(({ prices }) => prices["SOL"]?.sources.length === 3, 5);
    expect(back.bulletin.missing["SOL"]).toBeUndefined();
  });

  it("that jump back are not believed any more", async () => {
    const world = await openWorld(PRICE_SOURCE_NAMES);
    const before = (await world.until(({ prices }) => prices["SOL"]?.sources.length === 3, 5))
      .bulletin;
    const lying = ["binance", "bybit"] as const;
    for (let times = 0; times < 3; times += 1) {
      for (const name of lying) world.server(name).setPrice("SOL", 1_500);
      for (let seconds = 0; seconds < 6; seconds += 1) {
        expect((await world.second()).missing["SOL"]).toBe("jumped");
      }
      for (const name of lying) world.server(name).setPrice("SOL", null);
      const { bulletin } = await world.until((each) => posted(each) > posted(before), 5);
      expect(bulletin.prices["SOL"]?.price).toBeLessThan(1_000_000_000n);
    }
  });

  it("are measured: the mean half spread of each hour of the day, and nothing while there is no price", async () => {
    const world = await openWorld(PRICE_SOURCE_NAMES);
    const { spreads } = (await world.until(priced, 5)).bulletin;
    const counted = ({ SOL = [] }: PriceBulletin["spreads"]) =>
      SOL.flatMap(([sum, count], hour) => (count === 0 ? [] : [[hour, sum / count, count]]));
    const hour = new Date(world.clock.now()).getUTCHours();
    // The servers' books are a ten-thousandth around their middle; what is rounded is rounded up
    expect(counted(spreads)).toEqual([[hour, expect.closeTo(100, -0.4), 1]]);
    world.clock.advance(3_600_000);
    await world.until((bulletin) => counted(bulletin.spreads).length === 2, 20);
    for (const name of PRICE_SOURCE_NAMES) world.server(name).misbehave("frozen");
    const before = (await world.second()).spreads;
    expect((await world.second()).spreads).toEqual(before);
  });

  it("are stale after a sleep of ten hours until a source answers anew", async () => {
    const world = await openWorld(PRICE_SOURCE_NAMES);
    const before = (await world.until(priced, 5)).bulletin;
    for (const name of PRICE_SOURCE_NAMES) world.server(name).misbehave("frozen");
    world.clock.advance(36_000_000);
    const { missing, prices } = await world.second();
    expect(missing).toMatchObject({ SOL: "stale", BTC: "stale", ETH: "stale", JUP: "stale" });
    expect(posted({ prices } as PriceBulletin)).toBe(posted(before));
    for (const name of PRICE_SOURCE_NAMES) world.server(name).misbehave(null);
    await world.until((bulletin) => posted(bulletin) > posted(before), 20);
  });
});

it("a source whose TLS fails gives no price and is told", async () => {
  const plain = createServer((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n{}")).listen(0);
  await once(plain, "listening");
  const { port } = plain.address() as AddressInfo;
  for (const name of ["pyth", "binance"] as const) {
    const world = await openWorld([name], [`https://127.0.0.1:${port}`]);
    const { bulletin } = await world.until(({ sources }) => sources[0]?.trouble !== null, 31);
    expect(bulletin.sources[0]?.trouble?.fault).toBe("unreachable");
    expect(bulletin.prices).toEqual({});
  }
  plain.close();
});
