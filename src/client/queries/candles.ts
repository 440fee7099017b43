import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { CallOf, ResponseOf } from "../../contract/route.ts";
import { listCandles } from "../../contract/candles.ts";
import type { Network } from "../../domain/network.ts";
import { call } from "../lib/api.ts";
import { clock } from "../lib/clock.ts";
import { PUBLIC } from "./read.ts";

/** Poll interval of the shown candles, in milliseconds. */
export const CANDLES_POLL_MS = 30_000;

/** Least time between two reads beside the position, in milliseconds: the header reads it twice as often. */
const SAME_MOMENT_MS = 8_000;

export interface CandlesOf {
  readonly network: Network;
  readonly symbol: string;
  readonly interval: CallOf<typeof listCandles>["query"]["interval"];
  readonly limit: number;
}

export type CandleAnswer = ResponseOf<typeof listCandles> & {
  /** Request the answer belongs to; it lags behind while another timeframe loads. */
  readonly of: CandlesOf;
};

const marketKey = ({ network, symbol }: Pick<CandlesOf, "network" | "symbol">) =>
  [PUBLIC, listCandles.path, network, symbol] as const;

/** Candles, shared by all wallets. The market's previous answer is kept while another one loads. */
export const candlesQuery = (of: CandlesOf) =>
  queryOptions({
    queryKey: [...marketKey(of), of.interval, of.limit],
    queryFn: async (): Promise<CandleAnswer> => ({
      ...(await call(listCandles, { query: of })),
      of,
    }),
    placeholderData: (previous: CandleAnswer | undefined) =>
      previous?.of.symbol === of.symbol && previous.of.network === of.network
        ? previous
        : undefined,
    refetchInterval: CANDLES_POLL_MS,
  });

/** Reads a market's shown candles again unless they are of this moment. */
export const followCandles = (
  client: QueryClient,
  of: Pick<CandlesOf, "network" | "symbol">,
): Promise<void> =>
  client.refetchQueries({
    queryKey: marketKey(of),
    type: "active",
    predicate: ({ state: { status, dataUpdatedAt } }) =>
      status === "success" && clock.now() - dataUpdatedAt > SAME_MOMENT_MS,
  });

/** Returns the newest cached answer of a market, for any timeframe. */
export function lastCandles(
  client: QueryClient,
  of: Pick<CandlesOf, "network" | "symbol">,
): CandleAnswer | undefined {
  return client
    .getQueryCache()
    .findAll({ queryKey: marketKey(of) })
    .filter(({ state }) => state.data !== undefined)
    .sort((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
    .map(({ state }) => state.data as CandleAnswer)[0];
}
