import { useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Network } from "../../../domain/network.ts";
import { symbolOf } from "../../../venues/profiles.ts";
import { type CandleAnswer, candlesQuery, lastCandles } from "../../queries/candles.ts";
import { type Candle, inOrder } from "./candle.ts";
import type { ComparisonAsset } from "./comparison.ts";
import { type Timeframe, timeframeFor } from "./timeframe.ts";

export interface ChartData {
  /** `old`: refreshing failed. `sample`: generated, since none exist. `preview`: history for another part of the page. */
  readonly state: "loading" | "ready" | "old" | "sample" | "preview";
  readonly candles: readonly Candle[];
  /** Identity of market and timeframe of the candles. */
  readonly key: string;
  /** Timeframe of the candles; differs from the selected one while that loads or when it failed. */
  readonly timeframe: Timeframe;
  readonly source: string | null;
  /** True while another timeframe loads. */
  readonly isSwitching: boolean;
  retry(): void;
}

interface ChartQuestion {
  readonly network: Network;
  readonly asset: string;
  readonly timeframe: Timeframe;
  readonly random: () => number;
}

const NONE: readonly Candle[] = [];

const keyOf = ({ of }: CandleAnswer) => `${of.network} ${of.symbol} ${of.interval} ${of.limit}`;

/** Returns an asset's candles, or the best available substitute. */
export function useChartData(question: ChartQuestion): ChartData {
  const { network, asset, timeframe, random } = question;
  const { interval, limit, candleSeconds } = timeframe;
  const symbol = symbolOf(asset);
  const client = useQueryClient();
  const read = useQuery(candlesQuery({ network, symbol, interval, limit }));
  const answer = read.data ?? (read.isError ? lastCandles(client, { network, symbol }) : undefined);
  const candles = useMemo(() => (answer ? inOrder(answer.candles) : NONE), [answer]);

  const isSample = read.isError && answer === undefined;
  const failedAt = Math.floor(read.errorUpdatedAt / 1000);
  const endTime = failedAt - (failedAt % candleSeconds);
  const sample = useMemo(
    () => (isSample ? createSampleCandles({ random, candleSeconds, limit, endTime }) : NONE),
    [isSample, random, candleSeconds, limit, endTime],
  );
  const rest = {
    isSwitching: read.isPlaceholderData,
    retry: () => void read.refetch(),
  };
  if (isSample) {
    const key = `sample ${symbol} ${interval} ${limit}`;
    return { ...rest, state: "sample", candles: sample, key, timeframe, source: null };
  }
  if (answer === undefined) {
    return { ...rest, state: "loading", candles: NONE, key: "", timeframe, source: null };
  }
  return {
    ...rest,
    state: read.isError ? "old" : "ready",
    candles,
    key: keyOf(answer),
    timeframe: timeframeFor(answer.of),
    source: answer.source,
  };
}

export interface ComparisonData {
  readonly asset: ComparisonAsset;
  readonly candles: readonly Candle[] | null;
  readonly hasFailed: boolean;
}

/** Returns the candles of the compared assets; null without any. */
export function useComparisonData(
  question: Pick<ChartQuestion, "network" | "timeframe">,
  assets: readonly ComparisonAsset[],
): readonly ComparisonData[] {
  const { network, timeframe } = question;
  const { interval, limit } = timeframe;
  const reads = useQueries({
    queries: assets.map((asset) =>
      candlesQuery({ network, symbol: symbolOf(asset), interval, limit }),
    ),
    combine: (results) =>
      results.map(({ data, isError, isPlaceholderData }) => ({
        candles: data && !isPlaceholderData ? data.candles : null,
        hasFailed: isError && data === undefined,
      })),
  });
  return useMemo(
    () =>
      assets.map((asset, index) => ({
        asset,
        candles: reads[index]?.candles ? inOrder(reads[index].candles) : null,
        hasFailed: reads[index]?.hasFailed ?? false,
      })),
    [assets, reads],
  );
}

interface SampleShape {
  /** Returns a random number from 0 inclusive to 1 exclusive. */
  readonly random: () => number;
  readonly candleSeconds: number;
  readonly limit: number;
  /** Time that the last candle must contain, Unix seconds. */
  readonly endTime: number;
}

const FIRST_PRICE = 100;

/** Generates sample candles for an empty chart. They are not prices and must only be used for drawing. */
export function createSampleCandles(shape: SampleShape): readonly Candle[] {
  const { random, candleSeconds, limit, endTime } = shape;
  const lastTime = endTime - (endTime % candleSeconds);
  let close = FIRST_PRICE;
  return Array.from({ length: limit }, (_, index) => {
    const open = close;
    close = open * (1 + (random() - 0.5) * 0.04);
    const spread = open * 0.012;
    return {
      time: lastTime - (limit - 1 - index) * candleSeconds,
      open,
      high: Math.max(open, close) + random() * spread,
      low: Math.min(open, close) - random() * spread,
      close,
      volume: Math.round(random() * 1000),
    };
  });
}
