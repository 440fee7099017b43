import { AppError } from "../../contract/errors.ts";
import { MAX_HISTORY_PAGE_BARS } from "../../contract/candle-history.ts";
import type { Clock } from "../../domain/clock.ts";
import type { Network } from "../../domain/network.ts";
import type { Bar } from "../../strategy/bar-times.ts";
import {
  type CandleHistory,
  firstPage,
  pageBars,
  CandleSourceError,
} from "../market-data/candle-history.ts";
import type { Handlers } from "../http/handler.ts";

/** Answers the call for past candles. `historyOf` returns the candles that a network's conditions are evaluated on. */
export function candleHistoryHandlers(deps: {
  readonly clock: Clock;
  readonly historyOf: (network: Network | undefined) => CandleHistory;
}) {
  return {
    async getCandleHistory({ query: { network, from, to, ...market } }) {
      const asked = { ...market, fromMs: from, toMs: Math.min(to, deps.clock.now()) };
      const { page, nextFromMs } = firstPage(
        asked,
        pageBars(market.intervalMinutes, MAX_HISTORY_PAGE_BARS),
      );
      const answer = await deps.historyOf(network).bars(page).catch(toAppError);
      return {
        source: answer.source,
        bars: toColumns(answer.bars),
        gaps: [...answer.gaps],
        contradictions: [...answer.contradictions],
        nextFromMs,
      };
    },
  } satisfies Partial<Handlers>;
}

const toColumns = (bars: readonly Bar[]) => ({
  openTimeMs: bars.map((bar) => bar.openTimeMs),
  open: bars.map((bar) => bar.open),
  high: bars.map((bar) => bar.high),
  low: bars.map((bar) => bar.low),
  close: bars.map((bar) => bar.close),
  volume: bars.map((bar) => bar.volume),
});

function toAppError(error: unknown): never {
  if (!(error instanceof CandleSourceError)) throw error;
  const code = error.kind === "symbol_unknown" ? "market_unknown" : "unavailable";
  throw new AppError(code, { message: error.message, cause: error });
}
