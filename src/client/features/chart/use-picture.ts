import { useMemo } from "react";
import type { Agent } from "../../../contract/agent.ts";
import type { ChatId } from "../../../domain/ids.ts";
import { useTheme } from "../../lib/theme.ts";
import { useTimes } from "../../lib/time-zone.ts";
import type { TradeLogEntry } from "../../../contract/trade-log.ts";
import { useTradeLog } from "../../queries/trade-log.ts";
import { useAgentLines, usePositionLevels } from "./agent-lines.ts";
import type { ChartKind } from "./chart-settings.ts";
import { comparisonColour } from "./comparison.ts";
import { type Palette, readPalette } from "./palette.ts";
import type { ChartPicture } from "./picture.ts";
import type { PreviewData } from "./preview-data.ts";
import { type PlacedMark, placeTrades } from "./trade-markers.ts";
import type { ChartData, ComparisonData } from "./use-chart-data.ts";
import type { SignedInWallet } from "../../lib/session.ts";

const NO_TRADES: readonly TradeLogEntry[] = [];
const NO_MARKS: readonly PlacedMark[] = [];

interface PictureParts {
  readonly address: SignedInWallet;
  readonly chatId: ChatId | "";
  readonly data: ChartData;
  readonly comparisons: readonly ComparisonData[];
  readonly kind: ChartKind;
  readonly preview: PreviewData | null;
  readonly agent: Agent | null;
  /** Asset of the candles. */
  readonly asset: string;
}

/** Assembles the chart's data. Sample candles have neither trades nor comparisons. */
export function usePicture(parts: PictureParts): ChartPicture {
  const { address, chatId, data, comparisons, kind, preview, agent, asset } = parts;
  const { candles, key } = data;
  const { candleSeconds } = data.timeframe;
  const isSample = data.state === "sample";
  const theme = useTheme();
  const times = useTimes();
  const firstMs = (candles[0]?.time ?? Number.POSITIVE_INFINITY) * 1_000;
  const { log } = useTradeLog(
    { address, chatId, filter: "trades" },
    (loaded) => !isSample && Date.parse(loaded.entries.at(-1)?.at ?? "") >= firstMs,
  );
  const entries = log.data?.entries ?? NO_TRADES;
  const themed = useMemo<{ of: string; palette: Palette }>(
    () => ({ of: theme, palette: readPalette(document.documentElement) }),
    [theme],
  );
  const trades = useMemo(
    () => placeTrades(isSample || preview !== null ? NO_TRADES : entries, candles),
    [isSample, preview, entries, candles],
  );
  const lines = useMemo(
    () =>
      comparisons.flatMap(({ asset, candles: line }) =>
        line === null || isSample
          ? []
          : [{ asset, colour: comparisonColour(asset, theme), candles: line }],
      ),
    [comparisons, isSample, theme],
  );
  // Prices in percent have no place for lines in dollars
  const ownAgent = preview === null && lines.length === 0 ? agent : null;
  const { indicators, firings } = useAgentLines(ownAgent, data, asset, theme);
  const levels = usePositionLevels(isSample ? null : ownAgent);
  return useMemo(
    () => ({
      key,
      candles,
      candleSeconds,
      kind,
      indicators,
      firings,
      levels,
      trades,
      marks: preview?.marks ?? NO_MARKS,
      view: preview?.view ?? null,
      comparisons: lines,
      palette: themed.palette,
      times,
    }),
    [
      key,
      candles,
      candleSeconds,
      kind,
      indicators,
      firings,
      levels,
      trades,
      preview,
      lines,
      themed,
      times,
    ],
  );
}
