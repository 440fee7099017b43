import { AppError } from "../../contract/errors.ts";
import { CandleSourceError } from "../market-data/candle-source.ts";
import type { Candles } from "../market-data/candles.ts";
import type { Handlers } from "./handler.ts";

/** Answers the candle calls. */
export function candleHandlers(deps: { readonly candles: Candles }): Pick<Handlers, "listCandles"> {
  return {
    async listCandles({ query }) {
      try {
        const { source, candles } = await deps.candles.list(query);
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
  };
}
