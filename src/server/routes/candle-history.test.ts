import { describe, expect, it } from "vitest";
import { createTestClock } from "../../../test/clock.ts";
import type { ResponseOf } from "../../contract/route.ts";
import type { ROUTES } from "../../contract/routes.ts";
import { createPracticeMarket } from "../../practice/practice-market.ts";
import { CandleSourceError } from "../market-data/candle-history.ts";
import { createPracticeHistory } from "../market-data/practice-history.ts";
import { candleHistoryHandlers } from "./candle-history.ts";

const MINUTE_MS = 60_000;
const clock = createTestClock();
const history = createPracticeHistory(createPracticeMarket(), clock);
const handlers = candleHistoryHandlers({ clock, historyOf: () => history });

type Answer = ResponseOf<typeof ROUTES.getCandleHistory>;
type Query = Parameters<typeof handlers.getCandleHistory>[0]["query"];

const ask = async (query: Partial<Query>): Promise<Answer> =>
  (await handlers.getCandleHistory({
    query: { symbol: "SOLUSDT", intervalMinutes: 1, from: 0, to: clock.now(), ...query },
  } as Parameters<typeof handlers.getCandleHistory>[0])) as Answer;

describe("the call for past bars", () => {
  it("returns the whole span page by page", async () => {
    const from = clock.now() - 50_000 * MINUTE_MS;
    const lengths: number[] = [];
    let openedAtMs = from - MINUTE_MS;
    for (let next: number | null = from; next !== null;) {
      const page = await ask({ from: next });
      lengths.push(page.bars.openTimeMs.length);
      for (const openTimeMs of page.bars.openTimeMs) {
        expect(openTimeMs).toBe(openedAtMs + MINUTE_MS);
        openedAtMs = openTimeMs;
      }
      next = page.nextFromMs;
    }
    expect(lengths).toEqual([20_000, 20_000, 10_000]);
  });

  it("ends now for any requested span", async () => {
    const from = clock.now() - 10 * MINUTE_MS;
    const page = await ask({ from, to: 99_999_999_999_999 });
    expect(page.nextFromMs).toBeNull();
    expect(page.bars.openTimeMs).toHaveLength(10);
  });

  it.each([
    ["symbol_unknown", "market_unknown"],
    ["unavailable", "unavailable"],
  ] as const)("answers %s as %s", async (kind, code) => {
    const down = candleHistoryHandlers({
      clock,
      historyOf: () => ({
        async bars() {
          throw new CandleSourceError(kind, "down");
        },
      }),
    });
    const query = { symbol: "SOLUSDT", intervalMinutes: 60, from: 0, to: clock.now() };
    const answer = down.getCandleHistory({ query } as Parameters<typeof down.getCandleHistory>[0]);
    await expect(answer).rejects.toMatchObject({ code });
  });
});
