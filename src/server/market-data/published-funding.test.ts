import { afterEach, expect, it } from "vitest";
import { createTestClock } from "../../../test/clock.ts";
import { startExchange } from "../../../test/exchange-server.ts";
import { BYBIT_FUNDING } from "../../../test/recorded/price-answers.ts";
import { getText } from "../main/http-client.ts";
import { createPublishedFunding } from "./published-funding.ts";

const DAY_MS = 86_400_000;
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function openWorld(isConfigured = true) {
  const clock = createTestClock();
  const exchange = await startExchange(clock);
  ends.push(() => exchange.close());
  const funding = createPublishedFunding({
    clock,
    get: (url) => getText(url, {}, 60_000),
    origin: exchange.bybit,
    isConfigured,
  });
  const over = (days: number, network: "paper" | "practice" | "mainnet" = "paper") =>
    funding(network, "SOL", { fromMs: clock.now() - days * DAY_MS, toMs: clock.now() });
  return { clock, exchange, over };
}

const settled = (fundingRate: string, fundingRateTimestamp: number, symbol = "SOLUSDT") => ({
  symbol,
  fundingRate,
  fundingRateTimestamp: String(fundingRateTimestamp),
});

it("reads pages of rates, oldest first, and asks once whatever spans are asked for", async () => {
  const { exchange, over } = await openWorld();
  const answer = await over(100);
  // Three a day, 200 a page, 400 days
  expect(exchange.requests()).toBe(7);
  const { source, atMs = [], ppm = [] } = answer ?? {};
  expect(source).toBe("Bybit");
  expect(atMs).toHaveLength(301);
  const apart = atMs.slice(1).map((at, place) => at - (atMs[place] ?? 0));
  expect(new Set(apart)).toEqual(new Set([DAY_MS / 3]));
  expect([...new Set(ppm)].toSorted((one, other) => one - other)).toEqual([
    -200, -100, 0, 100, 200,
  ]);
  expect(await over(100)).toEqual(answer);
  expect(
    (await Promise.all([over(9), over(365), over(365.1)])).map((each) => each?.ppm.length),
  ).toEqual([28, 1_096, 1_096]);
  expect(exchange.requests()).toBe(0);
});

it("asks for paper alone, and only where Bybit is configured", async () => {
  const { exchange, over } = await openWorld();
  expect([await over(9, "practice"), await over(9, "mainnet")]).toEqual([null, null]);
  expect(exchange.requests()).toBe(0);
  const other = await openWorld(false);
  expect(await other.over(9)).toBeNull();
  expect(other.exchange.requests()).toBe(0);
});

it("has no rates from a source that refuses, and asks it again after ten minutes", async () => {
  const { clock, exchange, over } = await openWorld();
  for (const status of [403, 429, 451, 500]) {
    exchange.misbehave({ kind: "status", status });
    expect(await over(9)).toBeNull();
    expect(await over(9)).toBeNull();
    expect(exchange.requests()).toBe(1);
    clock.advance(600_000);
  }
  exchange.misbehave(null);
  expect((await over(9))?.ppm.length).toBeGreaterThan(20);
});

const now = createTestClock().now();

it.each([
  ["not JSON", "<!doctype html>"],
  ["an error", JSON.stringify({ retCode: 10_001, retMsg: "no", result: {} })],
  ["another market", [settled("0.0001", now - 1, "BTCUSDT")]],
  ["a rate of 11 %", [settled("0.11", now - 1)]],
  ["no number", [settled("NaN", now - 1)]],
  ["an exponent", [settled("1e-4", now - 1)]],
  ["a time outside the span", [settled("0.0001", now - 500 * DAY_MS)]],
  ["the same time twice", [settled("0.0001", now - DAY_MS), settled("0.0001", now - DAY_MS)]],
  ["oldest first", [settled("0.0001", now - 2 * DAY_MS), settled("0.0001", now - DAY_MS)]],
  ["one rate alone", [settled("0.0001", now - DAY_MS)]],
  ["none", []],
])("believes no answer with %s", async (_, said) => {
  const { exchange, over } = await openWorld();
  const answer = (list: unknown) => JSON.stringify({ ...BYBIT_FUNDING, result: { list } });
  exchange.misbehave({ kind: "text", text: typeof said === "string" ? said : answer(said) });
  expect(await over(9)).toBeNull();
});
