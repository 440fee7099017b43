import { describe, expect, it } from "vitest";
import { createTestClock } from "../../../test/clock.ts";
import { type CandleSource, CandleSourceError } from "../market-data/candle-history.ts";
import { createCandles } from "../market-data/candles.ts";
import { candleHandlers } from "./candles.ts";

type Call = Parameters<ReturnType<typeof candleHandlers>["listCandles"]>[0];

const callOf = (network?: "practice" | "mainnet") =>
  ({
    query: {
      symbol: "SOLUSDT",
      interval: "1h",
      limit: 2,
      ...(network === undefined ? {} : { network }),
    },
  }) as Call;

function handlersOf(candles: CandleSource["candles"]) {
  const clock = createTestClock();
  const market = createCandles({ clock, sources: [{ name: "market", candles }] });
  const practice = createCandles({
    clock,
    sources: [{ name: "practice market", candles: async () => [] }],
  });
  return candleHandlers({
    candlesOf: (network) => (network === "practice" ? practice : market),
  });
}

describe("the candle call", () => {
  it("returns the prices at which the network's agents trade", async () => {
    const { listCandles } = handlersOf(async () => []);
    expect(await listCandles(callOf("practice"))).toMatchObject({ source: "practice market" });
    expect(await listCandles(callOf("mainnet"))).toMatchObject({ source: "market" });
    expect(await listCandles(callOf())).toMatchObject({ source: "market" });
  });

  it.each([
    ["symbol_unknown", "market_unknown"],
    ["unavailable", "unavailable"],
  ] as const)("answers %s as %s", async (kind, code) => {
    const { listCandles } = handlersOf(async () => {
      throw new CandleSourceError(kind, "down");
    });
    await expect(listCandles(callOf())).rejects.toMatchObject({ code });
  });
});
