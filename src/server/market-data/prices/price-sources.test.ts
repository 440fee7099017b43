import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createTestClock } from "../../../../test/clock.ts";
import {
  type PriceFault,
  type PriceServer,
  startPriceServer,
} from "../../../../test/price-server.ts";
import { getText } from "../../main/http-client.ts";
import { createPriceBoard, type PriceBulletin } from "./price-board.ts";
import {
  PRICE_DIALECTS,
  PRICE_SOURCE_NAMES,
  type PriceSourceName,
  sayFault,
} from "../../../venues/price-dialects.ts";
import { askSource, createPriceSource } from "./price-sources.ts";

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

const TRIO = ["pyth", "binance", "bybit"] as const;

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
    names.map((name) => PRICE_DIALECTS[name]),
    clock,
  );
  const sources = names.map((name, at) => {
    const { label } = PRICE_DIALECTS[name];
    const server = servers.get(name);
    const origin = origins?.[at] ?? server?.origin ?? "";
    return createPriceSource(
      { name, origin },
      {
        clock,
        // Only an answer that never comes is not waited for
        get: (url, headers) => getText(url, headers, server?.isSilent() ? 250 : 60_000),
        accounts: server?.accounts,
        onReadings: (readings) => board.receive(label, readings),
        onFault: (fault) => board.fail(label, fault),
      },
    );
  });
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
      await Promise.all(sources.map((source) => source.step()));
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

const TIMES = ["an hour old", "a day ahead", "a day behind", "reordered"] as const;
const BOOKS = ["crossed", "wide"] as const;

/** Faults that an answer of this form cannot have, or cannot show. */
const IMPOSSIBLE: Readonly<Partial<Record<PriceSourceName, readonly PriceFault[]>>> = {
  // Its answer names no market
  coinbase: ["renamed"],
  kraken: TIMES,
  jupiter: [...TIMES, ...BOOKS, "exponent"],
};

/** Seconds after which a source that stands still is told: one minute is usual on the chain. */
const TOLD_WITHIN: Readonly<Partial<Record<PriceSourceName, number>>> = {
  "pyth-onchain": 105,
  kraken: 45,
  jupiter: 45,
};

describe.each(PRICE_SOURCE_NAMES)("price source %s", (name) => {
  it.each(FAULTS.filter((fault) => IMPOSSIBLE[name]?.includes(fault) !== true))(
    "gives no price, says so within 30 s and recovers: %s",
    async (fault) => {
      const world = await openWorld([name]);
      const before = (await world.until(priced, 5)).bulletin;
      world.server(name).misbehave(fault);
      const told = await world.until(
        ({ missing, sources }) =>
          missing["SOL"] !== undefined &&
          (sources[0]?.trouble !== null || fault === "thousandfold"),
        fault === "frozen" ? (TOLD_WITHIN[name] ?? 31) : 31,
      );
      if (fault !== "frozen") expect(told.bulletin.prices["SOL"]).toEqual(before.prices["SOL"]);
      world.server(name).misbehave(null);
      const after = await world.until((bulletin) => posted(bulletin) > posted(before), 65);
      const { bulletin } = await world.until(({ sources }) => sources[0]?.trouble === null, 5);
      expect(after.bulletin.missing["SOL"]).toBeUndefined();
      expect(bulletin.sources[0]?.trouble).toBeNull();
    },
  );
});

describe("what a refusal means", () => {
  it.each([
    ["pyth", "unauthorized", "Pyth refused: it wants a key (PYTH_API_KEY)"],
    ["jupiter", "unauthorized", "Jupiter refused: it wants a key (JUPITER_API_KEY)"],
    ["bybit", "forbidden", "Bybit refuses this country"],
    ["bybit", "too frequent", "Bybit refuses so many requests"],
    ["binance", "unavailable for legal reasons", "Binance refuses this country"],
    ["kraken", "too often with 200", "Kraken refuses so many requests"],
    ["coinbase", "too often", "Coinbase refuses so many requests"],
    ["coinbase", "broken", "Coinbase refuses to answer"],
    ["kraken", "slow", "Kraken does not answer"],
    ["pyth-onchain", "page", "Pyth on chain answers with what cannot be used"],
    ["pyth-onchain", "slow", "Pyth on chain does not answer"],
  ] as const)("%s, %s", async (name, fault, words) => {
    const world = await openWorld([name]);
    world.server(name).misbehave(fault);
    const { bulletin } = await world.until(({ sources }) => sources[0]?.trouble !== null, 31);
    const [source] = bulletin.sources;
    expect(sayFault(source?.name ?? "", source?.trouble?.fault ?? "old")).toBe(words);
  });

  it("a key is sent in its header and in no address", async () => {
    const server = await startPriceServer(createTestClock());
    opened.push(server);
    const asked: string[] = [];
    const get = (url: string, headers: Readonly<Record<string, string>>) => {
      asked.push(url);
      return getText(url, headers, 5_000);
    };
    for (const [name, header, value] of [
      ["pyth", "authorization", "Bearer k-1"],
      ["jupiter", "x-api-key", "k-1"],
      ["kraken", "authorization", undefined],
    ] as const) {
      const { fault } = await askSource({ name, origin: server.origin, key: "k-1" }, { get });
      expect([fault, server.header(header)]).toEqual([null, value]);
    }
    expect(asked.join(" ")).not.toContain("k-1");
  });
});

describe("prices of several sources", () => {
  it.each(FAULTS)("come from the others while one has a fault: %s", async (fault) => {
    const world = await openWorld(TRIO);
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

  it("are marked where two of three refuse, and need a second source to move far", async () => {
    const world = await openWorld(TRIO);
    world.server("bybit").misbehave("forbidden");
    world.server("binance").misbehave("unavailable for legal reasons");
    const first = await world.second();
    expect(first.missing).toEqual({});
    expect(first.prices["SOL"]).toMatchObject({ sources: ["Pyth"], isConfirmed: false });
    for (const name of ["binance", "bybit"] as const) world.server(name).misbehave(null);
    const both = await world.until(({ prices }) => prices["SOL"]?.isConfirmed === true, 40);
    for (const name of ["binance", "bybit"] as const) world.server(name).misbehave("forbidden");
    const alone = await world.until(({ prices }) => prices["SOL"]?.sources.length === 1, 15);
    const share = ({ prices: { SOL: sol } }: PriceBulletin) =>
      Number(sol?.confidence) / Number(sol?.price);
    expect(share(alone.bulletin)).toBeGreaterThan(share(both.bulletin) + 0.002);
    world.server("pyth").setPrice("SOL", 100_000);
    expect((await world.second()).missing["SOL"]).toBe("unconfirmed");
  });

  it("are not confirmed while two of three lie by 3 %, nor where no two agree, and are rough then", async () => {
    const world = await openWorld(TRIO);
    const { bulletin } = await world.until(({ prices }) => prices["SOL"]?.sources.length === 3, 5);
    expect(bulletin.prices["SOL"]?.isConfirmed).toBe(true);
    const truth = Number(bulletin.prices["SOL"]?.price) / 1e6;
    for (const name of TRIO) world.server(name).setPrice("SOL", truth);
    for (const name of ["binance", "bybit"] as const)
      world.server(name).setPrice("SOL", truth * 1.03);
    const lied = await world.second();
    expect(lied.prices["SOL"]).toMatchObject({ sources: ["Binance", "Bybit"], isConfirmed: false });
    world.server("bybit").setPrice("SOL", truth * 0.97);
    const apart = await world.second();
    expect(apart.missing["SOL"]).toBe("apart");
    expect(Number(apart.rough["SOL"]?.price) / 1e6 / truth).toBeCloseTo(1, 3);
    world.server("bybit").setPrice("SOL", truth * 0.8);
    expect((await world.second()).rough).toEqual({});
  });

  it("stay confirmed while one of four disagrees, and not of two that are 1.5 % apart", async () => {
    const world = await openWorld([...TRIO, "kraken"]);
    for (const name of [...TRIO, "kraken"] as const) world.server(name).setPrice("SOL", 150);
    world.server("pyth").setPrice("SOL", 151.6);
    const { bulletin } = await world.until(priced, 5);
    expect(bulletin.prices["SOL"]).toMatchObject({ price: 150_000_000n, isConfirmed: true });
    for (const name of ["binance", "kraken"] as const) world.server(name).misbehave("broken");
    await world.until(({ missing }) => missing["SOL"] === "apart", 15);
  });

  it("of the chain count for a minute, and one that stands still no longer", async () => {
    const world = await openWorld(["pyth-onchain", "bybit"]);
    for (const name of ["pyth-onchain", "bybit"] as const) world.server(name).setPrice("SOL", 150);
    await world.until(({ prices }) => prices["SOL"]?.sources.length === 2, 5);
    world.server("pyth-onchain").misbehave("frozen");
    for (let seconds = 0; seconds < 60; seconds += 1) {
      expect((await world.second()).prices["SOL"]?.isConfirmed).toBe(true);
    }
    await world.until(({ prices }) => prices["SOL"]?.isConfirmed === false, 45);
  });

  it("that jump are believed once every source says so, or after ten seconds", async () => {
    const world = await openWorld(TRIO);
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
    const world = await openWorld(TRIO);
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
    const world = await openWorld(TRIO);
    const { spreads } = (await world.until(priced, 5)).bulletin;
    const counted = ({ SOL = [] }: PriceBulletin["spreads"]) =>
      SOL.flatMap(([sum, count], hour) => (count === 0 ? [] : [[hour, sum / count, count]]));
    const hour = new Date(world.clock.now()).getUTCHours();
    // The servers' books are a ten-thousandth around their middle; what is rounded is rounded up
    expect(counted(spreads)).toEqual([[hour, expect.closeTo(100, -0.4), 1]]);
    world.clock.advance(3_600_000);
    await world.until((bulletin) => counted(bulletin.spreads).length === 2, 20);
    for (const name of TRIO) world.server(name).misbehave("frozen");
    const before = (await world.second()).spreads;
    expect((await world.second()).spreads).toEqual(before);
  });

  it("are stale after a sleep of ten hours until a source answers anew", async () => {
    const world = await openWorld(TRIO);
    const before = (await world.until(priced, 5)).bulletin;
    for (const name of TRIO) world.server(name).misbehave("frozen");
    world.clock.advance(36_000_000);
    const { missing, prices } = await world.second();
    expect(missing).toMatchObject({ SOL: "stale", BTC: "stale", ETH: "stale", JUP: "stale" });
    expect(posted({ prices } as PriceBulletin)).toBe(posted(before));
    for (const name of TRIO) world.server(name).misbehave(null);
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
