import { afterEach, describe, expect, it } from "vitest";
import { expectBooked } from "../../../test/expect-booked.ts";
import { type PriceFault, type PriceServer, startPriceServer } from "../../../test/price-server.ts";
import { createTradingWorld, type TradingWorld } from "../../../test/trading-world.ts";
import type { Clock } from "../../domain/clock.ts";
import type { PriceSourceName } from "../../venues/price-dialects.ts";
import { PRICE_DIALECTS, sayFault } from "../../venues/price-dialects.ts";
import { getText } from "../main/http-client.ts";
import { createPriceBoard } from "../market-data/prices/price-board.ts";
import { createPriceSource } from "../market-data/prices/price-sources.ts";
import { createSpotPrices } from "../market-data/prices/spot-prices.ts";

let world: TradingWorld;
let servers: Map<PriceSourceName, PriceServer>;
let asking: (() => Promise<unknown>)[];

afterEach(async () => {
  for (const server of servers.values()) await server.close();
  await expectBooked(world);
  await world.database.drop();
});

/** A board with sources of its own, each a server that speaks the vendor's form; one for the server, one for the signer. */
function openBoard(clock: Clock) {
  const names = [...servers.keys()];
  const board = createPriceBoard(
    names.map((name) => PRICE_DIALECTS[name]),
    clock,
  );
  for (const [name, server] of servers) {
    const { label } = PRICE_DIALECTS[name];
    const source = createPriceSource(
      { name, origin: server.origin },
      {
        clock,
        get: (url, headers) => getText(url, headers, server.isSilent() ? 250 : 60_000),
        accounts: server.accounts,
        onReadings: (readings) => board.receive(label, readings),
        onFault: (fault) => board.fail(label, fault),
      },
    );
    asking.push(async () => {
      await source.step();
      board.publish();
    });
  }
  return { board, prices: createSpotPrices({ bulletin: board.publish }, clock) };
}

async function openWorld(...names: readonly PriceSourceName[]) {
  servers = new Map();
  asking = [];
  let said: () => readonly string[] = () => [];
  world = await createTradingWorld("jupiter", {
    async spotPrices(clock) {
      for (const name of names) servers.set(name, await startPriceServer(clock));
      const own = openBoard(clock);
      said = () =>
        own.board
          .publish()
          .sources.flatMap(({ name, trouble }) =>
            trouble === null ? [] : [sayFault(name, trouble.fault)],
          );
      return { server: own.prices, signer: openBoard(clock).prices };
    },
  });
  world.setPrice(150_000_000n);
  say(150);
  await pass(1);
  return { said: () => said() };
}

/** Lets sources say a price; the others go on with theirs. */
function say(dollars: number, ...names: readonly PriceSourceName[]): void {
  for (const name of names.length > 0 ? names : servers.keys()) {
    servers.get(name)?.setPrice("SOL", dollars);
  }
}

const misbehave = (fault: PriceFault | null, ...names: readonly PriceSourceName[]) => {
  for (const name of names) servers.get(name)?.misbehave(fault);
};

async function pass(seconds: number, each = 1_000): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    world.clock.advance(each);
    await Promise.all(asking.map((ask) => ask()));
  }
}

async function trade(alert: "long" | "close long"): Promise<string | undefined> {
  await world.fire(alert);
  await world.run();
  return (await world.story()).at(-1);
}

const exits = () => world.database.db.selectFrom("exits").selectAll().execute();

describe("an agent on Jupiter with prices of outside", () => {
  it("lives its whole life while Pyth wants a key and Bybit refuses the country", async () => {
    const { said } = await openWorld("pyth-onchain", "pyth", "bybit", "kraken");
    misbehave("unauthorized", "pyth");
    misbehave("forbidden", "bybit");
    await pass(12);
    expect(said()).toEqual([
      "Pyth refused: it wants a key (PYTH_API_KEY)",
      "Bybit refuses this country",
    ]);
    expect(await trade("long")).toBe("OPEN_LONG filled");
    await pass(60);
    expect(await trade("close long")).toBe("CLOSE_LONG filled");
    expect((await world.account()).positions).toEqual([]);
    await world.turn("off");
    await world.run();
    const before = await world.quote(world.owner.address);
    await world.approve(await world.prepare("withdraw", "400"));
    expect((await world.quote(world.owner.address)) - before).toBe(400_000_000n);
    expect(world.problems).toEqual([]);
  });

  it("enters on two sources, waits with one, and sells with one", async () => {
    await openWorld("pyth-onchain", "bybit", "kraken");
    misbehave("forbidden", "bybit", "kraken");
    await pass(12);
    expect(await trade("long")).toBe("OPEN_LONG denied price_unconfirmed");
    misbehave(null, "bybit");
    await pass(35);
    expect(await trade("long")).toBe("OPEN_LONG filled");
    misbehave("forbidden", "bybit");
    await pass(12);
    expect(await trade("close long")).toBe("CLOSE_LONG filled");
  });

  it("neither enters nor stays shut in while two of three sources lie by 3 %", async () => {
    await openWorld("pyth-onchain", "bybit", "kraken");
    await pass(2);
    say(154.5, "bybit", "kraken");
    await pass(2);
    expect(await trade("long")).toBe("OPEN_LONG denied price_unconfirmed");
    say(150);
    await pass(2);
    expect(await trade("long")).toBe("OPEN_LONG filled");
    for (const [bybit, kraken] of [
      [154.5, 154.5],
      [154.5, 145.5],
    ] as const) {
      say(bybit, "bybit");
      say(kraken, "kraken");
      await pass(12);
      expect(await trade("close long")).toBe("CLOSE_LONG filled");
      say(150);
      await pass(2);
      await trade("long");
    }
  });

  it("enters nothing without sources, and an exit waits for what it names until one is back", async () => {
    const { said } = await openWorld("pyth-onchain", "bybit", "kraken");
    await pass(2);
    expect(await trade("long")).toBe("OPEN_LONG filled");
    misbehave("slow", "pyth-onchain", "kraken");
    misbehave("forbidden", "bybit");
    await pass(8, 40_000);
    expect(said()).toEqual([
      "Pyth on chain does not answer",
      "Bybit refuses this country",
      "Kraken does not answer",
    ]);
    const venue = world.deps.networks.get("practice")?.venues.get("jupiter");
    await expect(venue?.price("SOL")).rejects.toThrow(`No price of SOL: ${said().join("; ")}.`);
    await world.fire("close long");
    await world.run();
    expect(await exits()).toMatchObject([{ state: "working", last_reason: "stale_price" }]);
    misbehave(null, "pyth-onchain");
    await pass(20);
    await world.run();
    expect(await exits()).toMatchObject([{ state: "done" }]);
    expect((await world.account()).positions).toEqual([]);
    misbehave("slow", "pyth-onchain");
    await pass(8, 40_000);
    expect(await trade("long")).toBe("OPEN_LONG denied stale_price");
  });
});
