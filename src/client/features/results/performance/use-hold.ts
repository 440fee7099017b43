import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Network } from "../../../../domain/network.ts";
import { candlesQuery, symbolOf } from "../../../queries/candles.ts";
import type { Performance } from "../../../queries/performance.ts";
import { type HoldCurve, holdCandles, holdCurve, holdInterval } from "./hold-curve.ts";

/** Loads the buy-and-hold result over the shown span. */
export function useHold(
  network: Network,
  asset: string,
  shown: Performance,
): HoldCurve & { readonly isLoading: boolean } {
  const begun = shown.curve[0]?.time ?? 0;
  const toMs = Date.parse(shown.to);
  const spanMs = toMs - begun * 1_000;
  const interval = holdInterval(spanMs);
  const limit = holdCandles(spanMs, interval);
  const read = useQuery(candlesQuery({ network, symbol: symbolOf(asset), interval, limit }));
  const candles = read.data?.of.interval === interval ? read.data.candles : undefined;
  const curve = useMemo(
    () => holdCurve(candles ?? [], interval, { fromMs: begun * 1_000, toMs }),
    [candles, interval, begun, toMs],
  );
  return { ...curve, isLoading: read.isPending };
}
