import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestClock } from "../../../../test/clock.ts";
import { type ConditionWorld, createConditionWorld } from "../../../../test/condition-world.ts";
import {
  type ExchangeServer,
  type Misbehaviour,
  startExchange,
} from "../../../../test/exchange-server.ts";
import { getText } from "../../main/http-client.ts";
import { createExchangeHistory } from "../../market-data/exchange-history.ts";
import { binanceKlines, bybitKlines } from "../../market-data/exchange-dialects.ts";
import { createStoredHistory } from "../../market-data/stored-history.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const at = (text: string) => Date.parse(`2026-11-21T${text}Z`);
const MARKET = {
  network: "mainnet",
  venue: "drift",
  marketId: "SOL-PERP",
  interval: "1h",
} as const;

let world: ConditionWorld;
let first: ExchangeServer;
let second: ExchangeServer;
/** Long enough for a busy machine; only an exchange that hangs is given up sooner, because nothing can come. */
const ANSWER_MS = 20_000;
const HANGING_MS = 300;
let answerMs = ANSWER_MS;

beforeEach(async () => {
  const clock = createTestClock(at("07:01:00"));
  world = await createConditionWorld(clock);
  first = await startExchange(clock);
  second = await startExchange(clock);
});

afterEach(async () => {
  await first.close();
  await second.close();
  await world.close();
});

/** A server whose exchanges are local ones; without `both` the second one is not there. */
function startServer(both = false) {
  const { clock, database } = world;
  const transport = {
    get: (url: string) => getText(url, {}, answerMs),
    sleep: async () => {},
  };
  const deps = { transport, clock, requestsPerMinute: 1_000 };
  const sources = [createExchangeHistory(binanceKlines(first.binance), deps)];
  if (both) sources.push(createExchangeHistory(bybitKlines(second.bybit), deps));
  const history = createStoredHistory({ db: database.db, clock, sources });
  return { ...world.startServer({ historyOf: () => history }), history };
}

const addAgent = () =>
  world.addAgent({ network: "mainnet", conditions: { a: { kind: "every-bars", bars: 1 } } });

describe("an exchange that misbehaves", () => {
  it.each<[string, Misbehaviour, RegExp]>([
    [
      "is late",
      { kind: "late", sinceMs: at("07:30:00") },
      /no candle that closed at 2026-11-21 08:00/,
    ],
    ["has a gap", { kind: "gap", openTimeMs: at("07:00:00") }, /no candle that closed at .* 08:00/],
    ["repeats a candle", { kind: "repeat" }, /out of order or twice/],
    ["reorders candles", { kind: "reorder" }, /out of order or twice/],
    ["answers with other candles", { kind: "other times" }, /not asked for/],
    ["answers with no numbers", { kind: "no numbers" }, /no candle/],
    ["answers 429", { kind: "status", status: 429, retryAfter: 20 }, /Binance answered 429/],
    ["answers 500", { kind: "status", status: 500 }, /Binance answered 500/],
    ["answers nonsense", { kind: "text", text: "<html>" }, /unreadable/],
    ["answers with an object", { kind: "text", text: `{"code":0}` }, /without a list/],
    ["hangs", { kind: "hang" }, /did not answer/],
    ["breaks off", { kind: "break off" }, /did not answer/],
  ])(
    "that %s causes no firing, the agent says so, and it recovers by itself",
    async (_, how, says) => {
      const agentId = await addAgent();
      const server = startServer();
      first.misbehave(how);
      answerMs = how.kind === "hang" ? HANGING_MS : ANSWER_MS;
      world.clock.advance(HOUR_MS);
      await server.round();
      expect(await world.signals(agentId)).toEqual([]);
      expect((await world.troubleOf(MARKET))?.text).toMatch(says);
      first.misbehave(null);
      answerMs = ANSWER_MS;
      world.clock.advance(2 * MINUTE_MS);
      await server.round();
      expect(await world.signals(agentId)).toEqual(["a accepted 11-21T08:00"]);
      expect(await world.troubleOf(MARKET)).toBeNull();
    },
  );

  it("that changes a closed candle is not used until the change leaves the window", async () => {
    const agentId = await addAgent();
    const server = startServer();
    world.clock.advance(HOUR_MS);
    await server.round();
    first.misbehave({ kind: "changed", openTimeMs: at("07:00:00") });
    world.clock.advance(HOUR_MS);
    await server.round();
    await server.round();
    expect((await world.troubleOf(MARKET))?.text).toMatch(
      /Binance changed its candle of 2026-11-21 07:00/,
    );
    first.misbehave(null);
    world.clock.advance(HOUR_MS);
    await server.round();
    expect(await world.signals(agentId)).toEqual([
      "a accepted 11-21T08:00",
      "a refused bar_missed 11-21T09:00",
      "a accepted 11-21T10:00",
    ]);
    expect(await world.troubleOf(MARKET)).toBeNull();
  });

  it("that contradicts the second exchange causes no firing on that candle", async () => {
    const agentId = await addAgent();
    const server = startServer(true);
    second.misbehave({ kind: "apart", factor: 1.2 });
    world.clock.advance(HOUR_MS);
    await server.round();
    expect(await world.signals(agentId)).toEqual([]);
    expect((await world.troubleOf(MARKET))?.text).toMatch(
      /08:00 UTC ended at .* on Binance and at .* on Bybit/,
    );
  });

  it("is replaced by the second exchange while it is down", async () => {
    const agentId = await addAgent();
    const server = startServer(true);
    first.misbehave({ kind: "status", status: 503 });
    world.clock.advance(HOUR_MS);
    await server.round();
    expect(await world.signals(agentId)).toEqual(["a accepted 11-21T08:00"]);
    expect(await world.troubleOf(MARKET)).toBeNull();
  });

  it("that never delivers one candle loses only that candle", async () => {
    const agentId = await addAgent();
    const server = startServer();
    first.misbehave({ kind: "gap", openTimeMs: at("07:00:00") });
    for (let minutes = 0; minutes < 62; minutes += 1) {
      world.clock.advance(MINUTE_MS);
      await server.round();
    }
    expect(await world.signals(agentId)).toEqual([]);
    world.clock.advance(HOUR_MS - MINUTE_MS);
    await server.round();
    expect(await world.signals(agentId)).toEqual(["a accepted 11-21T09:00"]);
  });
});
