import { AppError } from "../../contract/errors.ts";
import type { Network } from "../../domain/network.ts";
import { CandleSourceError } from "../market-data/candle-history.ts";
import type { Candles } from "../market-data/candles.ts";
import type { Handlers } from "../http/handler.ts";

/** Answers the candle calls. `candlesOf` returns the candles of a network's traded prices. */
export function candleHandlers(deps: {
  readonly candlesOf: (network: Network | undefined) => Candles;
}) {
  return {
    async listCandles({ query: { network, ...query } }) {
      try {
        const { source, candles } = await deps.candlesOf(network).list(query);
        return { source, candles: [...candles] };
      } catch (error) {
        if (!(error instanceof CandleSourceError)) throw error;
        if (error.kind === "symbol_unknown") {
          throw new AppError("market_unknown", { message: error.message, cause: error });
        }
        throw new AppError("unavailable", {
          message: "Failed to load chart data",
          cause: error,
        });
      }
    },
  } satisfies Partial<Handlers>;
}
