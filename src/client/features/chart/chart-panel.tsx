import { useMemo, useRef, type ReactNode, useEffect, useState, type RefObject } from "react";
import type { ChatId } from "../../../domain/ids.ts";
import type { Agent } from "../../../contract/agent.ts";
import type { Network } from "../../../domain/network.ts";
import { type ChartPreview, offerChartPicture } from "../../lib/chart-preview.ts";
import type { ChartAction } from "./chart-keys.ts";
import { ChartNotice, PreviewNote } from "./chart-notice.tsx";
import type { ChartSettings, ChartKind } from "./chart-settings.ts";
import { ChartStage } from "./chart-stage.tsx";
import { chartAsset } from "./chart-symbol.ts";
import { ComparisonPicker } from "./comparison-picker.tsx";
import { previewData, usePlayed } from "./preview-data.ts";
import { PositionLine } from "./position-line.tsx";
import { pictureOfChart, saveChart } from "./save-image.ts";
import { describeChart } from "./summary.ts";
import { timeframeOf, TIMEFRAME_IDS, type TimeframeId } from "./timeframe.ts";
import { useChartData, useComparisonData } from "./use-chart-data.ts";
import { usePicture } from "./use-picture.ts";
import { useOwner } from "../../lib/session.ts";
import { ZoneNote } from "../../ui/time-text.tsx";
import { clsx } from "clsx";
import { Badge } from "../../ui/badge.tsx";
import type { Candle } from "./candle.ts";
import { percentChange, percentText, priceText, volumeText } from "./percent.ts";
import { priceDecimals } from "../../lib/format.ts";
import type { ChartView } from "./chart-view.ts";
import { type ChartCursor, readLegend } from "./legend.ts";
import type { ChartPicture } from "./picture.ts";
import { ChartCandlestick, ChartLine, ImageDown, RotateCcw } from "lucide-react";
import { IconButton } from "../../ui/icon-button.tsx";
import { candleTimeText } from "./chart-time.ts";

/** Creates the chart after the library has loaded and keeps it updated; null until then. */
function useChartView(
  container: RefObject<HTMLElement | null>,
  picture: ChartPicture,
): ChartView | null {
  const [view, setView] = useState<ChartView | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);

  useEffect(() => {
    let isGone = false;
    let made: ChartView | null = null;
    import("./chart-view.ts").then(
      ({ createChartView }) => {
        if (isGone || !container.current) return;
        made = createChartView(container.current);
        setView(made);
      },
      (error: unknown) => setFailure(error instanceof Error ? error : new Error(String(error))),
    );
    return () => {
      isGone = true;
      made?.remove();
      setView(null);
    };
  }, [container]);

  useEffect(() => {
    if (picture.candles.length > 0) view?.show(picture);
  }, [view, picture]);

  // The chart cannot work without its code; the error boundary offers a reload
  if (failure) throw failure;
  return view;
}

interface ChartPanelProps {
  readonly chatId: ChatId | "";
  readonly agent: Agent | null;
  readonly network: Network;
  /** Preview shown instead of the market; null shows the market. */
  readonly preview: ChartPreview | null;
  readonly onLeavePreview: () => void;
  /** True when the preview is of an unsaved agent, to whose form it offers the way back. */
  readonly isDraft: boolean;
  readonly settings: ChartSettings;
  readonly onSettings: (change: Partial<ChartSettings>) => void;
  /** Random numbers for sample data, from 0 inclusive to 1 exclusive. */
  readonly random: () => number;
}

const NO_COMPARISONS: ChartSettings["comparisons"] = [];

const LOOKS = {
  preview: "plain",
  loading: "hidden",
  ready: "plain",
  old: "greyed",
  sample: "greyed",
} as const;

/** Returns the candles shown, of the market or a preview, and the picture made of them. */
function useShown(props: ChartPanelProps, asset: string) {
  const address = useOwner();
  const { chatId, agent, network, settings, preview, random } = props;
  const timeframe = timeframeOf(settings.timeframe);
  const market = useChartData({ network, asset: chartAsset(agent?.marketId), timeframe, random });
  const whole = useMemo(() => (preview === null ? null : previewData(preview)), [preview]);
  const previewed = usePlayed(whole);
  const data = previewed?.data ?? market;
  // Uses the displayed timeframe, since one time scale cannot show two
  const comparisons = useComparisonData(
    { network, timeframe: data.timeframe },
    preview === null ? settings.comparisons : NO_COMPARISONS,
  );
  const picture = usePicture({
    address,
    chatId,
    data,
    comparisons,
    kind: settings.kind,
    preview: previewed,
    agent: address === "" ? null : agent,
    asset,
  });
  return { data, comparisons, picture };
}

/** Chart of the agent's market, or of SOL, with its trades. Works without a wallet. */
export function ChartPanel(props: ChartPanelProps) {
  const address = useOwner();
  const { chatId, agent, settings, onSettings, isDraft } = props;
  const { kind } = settings;
  const { preview, onLeavePreview } = props;
  const asset = preview?.asset ?? chartAsset(agent?.marketId);
  const pair = `${asset}/USD`;
  const timeframe = timeframeOf(settings.timeframe);
  const { data, comparisons, picture } = useShown(props, asset);
  const canvas = useRef<HTMLDivElement>(null);
  const view = useChartView(canvas, picture);

  const isMarket = data.state === "ready" || data.state === "old";
  const last = isMarket ? data.candles.at(-1) : undefined;
  const hasAccount = agent?.subAccountId !== undefined && address !== "";

  useEffect(
    () =>
      offerChartPicture(() =>
        view && picture.candles.length > 0
          ? pictureOfChart({ view, picture, data, asset, isPreview: preview !== null })
          : null,
      ),
    [view, picture, data, asset, preview],
  );

  function saveAsImage(): void {
    if (view && picture.candles.length > 0) {
      saveChart({ view, picture, data, asset, isPreview: preview !== null });
    }
  }

  function chooseTimeframe(id: ChartSettings["timeframe"]): void {
    onLeavePreview();
    onSettings({ timeframe: id });
  }

  function onAction(action: ChartAction): void {
    if (action.kind === "timeframe") chooseTimeframe(action.id);
    if (action.kind === "toggle-kind") {
      onSettings({ kind: kind === "candles" ? "line" : "candles" });
    }
    if (action.kind === "save-image") saveAsImage();
  }

  return (
    <section aria-label="Chart" className="flex h-full min-h-[420px] flex-col bg-surface">
      <ChartHeader
        pair={pair}
        last={last}
        isOld={data.state === "old"}
        source={data.source}
        position={hasAccount && agent && <PositionLine agent={agent} asset={asset} />}
      />
      <ChartToolbar
        settings={settings}
        isPreview={preview !== null}
        onTimeframe={chooseTimeframe}
        onKind={(next) => onSettings({ kind: next })}
        onReset={() => view?.reset()}
        onSaveImage={saveAsImage}
      >
        {preview === null && (
          <ComparisonPicker
            mainAsset={asset}
            comparisons={comparisons}
            onChange={(assets) => onSettings({ comparisons: assets })}
          />
        )}
      </ChartToolbar>
      {preview !== null && (
        <PreviewNote {...preview} onLeave={onLeavePreview} draftOf={isDraft ? chatId : null} />
      )}
      <ChartStage
        label={`${pair} price chart`}
        summary={describeChart({
          pair,
          timeframe: data.timeframe,
          candles: data.candles,
          tradeCount: picture.trades.length,
          comparisons: picture.comparisons.map((each) => each.asset),
          isSample: data.state === "sample",
          previewTitle: preview?.title,
          times: picture.times,
        })}
        canvas={canvas}
        view={view}
        picture={picture}
        look={data.candles.length === 0 ? "hidden" : LOOKS[data.state]}
        onAction={onAction}
      >
        {data.state !== "sample" && <ChartLegend view={view} picture={picture} />}
        {preview === null && <ChartNotice data={data} chosen={timeframe} />}
      </ChartStage>
      <ChartFooter candleSeconds={data.timeframe.candleSeconds} />
    </section>
  );
}

const DAY_SECONDS = 86_400;

/** Footer: the time zone of the candles and the library's attribution. */
function ChartFooter({ candleSeconds }: { readonly candleSeconds: number }) {
  return (
    <footer className="flex flex-wrap items-center justify-between gap-x-4 border-t px-3 py-0.5 text-2xs text-faint">
      {candleSeconds < DAY_SECONDS ? <ZoneNote /> : <span>Candles begin at 00:00 UTC</span>}
      <a
        href="https://www.tradingview.com/"
        target="_blank"
        rel="noopener noreferrer"
        className="rounded-sm py-1 hover:text-ink hover:underline"
      >
        Charts by TradingView Lightweight Charts™
      </a>
    </footer>
  );
}

interface ChartHeaderProps {
  readonly pair: string;
  /** Newest market candle; absent without one. */
  readonly last: Candle | undefined;
  /** True when newer candles could not be loaded; the price is dimmed. */
  readonly isOld: boolean;
  readonly source: string | null;
  readonly position: ReactNode;
}

/** Badge of the candle source; practice prices are invented and must not look like market prices. */
function SourceBadge({ source }: { readonly source: string }) {
  const isPractice = /practice/i.test(source);
  return (
    <Badge
      tone={isPractice ? "practice" : "neutral"}
      title={isPractice ? "Prices of the practice market, not market prices" : "Source of prices"}
    >
      {isPractice ? "Practice market" : source}
    </Badge>
  );
}

function ChartHeader({ pair, last, isOld, source, position }: ChartHeaderProps) {
  const change = last && percentChange(last.open, last.close);
  return (
    <header className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-1 px-3 pt-2 pb-1">
      <div className="flex min-w-0 items-center gap-x-3">
        <h2 className="text-lg font-semibold">{pair}</h2>
        {last && (
          <p
            title={isOld ? "Newer candles could not be loaded" : undefined}
            className={clsx("flex items-baseline gap-2 whitespace-nowrap", isOld && "opacity-50")}
          >
            <span className="text-lg">${priceText(last.close, priceDecimals(last.close))}</span>
            {change != null && (
              <span
                title="Change of the newest candle"
                className={clsx("text-xs", change < 0 ? "text-down" : "text-up")}
              >
                {percentText(change)}
              </span>
            )}
          </p>
        )}
        {source !== null && <SourceBadge source={source} />}
      </div>
      {position}
    </header>
  );
}

interface ChartLegendProps {
  readonly view: ChartView | null;
  readonly picture: ChartPicture;
}

const NOWHERE: ChartCursor = { time: null, fromTime: null };

const toneOf = (change: number | null) =>
  change === null ? "text-muted" : change < 0 ? "text-down" : "text-up";

/** Shows the values of the candle under the cursor, or of the newest one. */
function ChartLegend({ view, picture }: ChartLegendProps) {
  const [cursor, setCursor] = useState(NOWHERE);
  useEffect(() => view?.onCursor(setCursor), [view]);
  const legend = readLegend(picture, cursor);
  if (!legend) return null;
  const { candle, change, indicators, comparisons, trades } = legend;
  const decimals = priceDecimals(candle.close);
  const figures = [
    ["O", candle.open],
    ["H", candle.high],
    ["L", candle.low],
    ["C", candle.close],
  ] as const;
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute top-2 left-3 z-10 flex max-w-[calc(100%-5.5rem)] flex-col gap-0.5 text-2xs"
    >
      <p className="flex flex-wrap gap-x-2">
        <span className="text-muted">
          {candleTimeText(candle.time, picture.candleSeconds, picture.times)}
        </span>
        {figures.map(([name, value]) => (
          <span key={name}>
            <span className="text-faint">{name} </span>
            <span className={toneOf(change)}>{priceText(value, decimals)}</span>
          </span>
        ))}
        {change !== null && <span className={toneOf(change)}>{percentText(change)}</span>}
        <span>
          <span className="text-faint">Vol </span>
          <span className="text-muted">{volumeText(candle.volume)}</span>
        </span>
      </p>
      {indicators.length > 0 && (
        <p className="flex flex-wrap gap-x-3">
          {indicators.map((each) => (
            <span key={each.label} className="flex items-center gap-1 text-muted">
              <span className="size-1.5 rounded-full" style={{ background: each.colour }} />
              {each.text}
            </span>
          ))}
        </p>
      )}
      {comparisons.length > 0 && (
        <p className="flex flex-wrap gap-x-3">
          {comparisons.map((each) => (
            <span key={each.asset} className="flex items-center gap-1 text-muted">
              <span className="size-1.5 rounded-full" style={{ background: each.colour }} />
              {each.asset} {each.change === null ? "–" : percentText(each.change)}
            </span>
          ))}
        </p>
      )}
      {trades.length > 0 && (
        <p className="flex flex-wrap gap-x-3 font-medium">
          {trades.slice(0, 6).map((text, index) => (
            <span
              key={index}
              className={clsx(
                text.startsWith("BUY") && "text-up",
                text.startsWith("SELL") && "text-down",
              )}
            >
              {text}
            </span>
          ))}
          {trades.length > 6 && <span className="text-muted">and {trades.length - 6} more</span>}
        </p>
      )}
    </div>
  );
}

interface ChartToolbarProps {
  readonly settings: ChartSettings;
  /** True when a preview is drawn, which has no market timeframe. */
  readonly isPreview: boolean;
  readonly onTimeframe: (id: TimeframeId) => void;
  readonly onKind: (kind: ChartKind) => void;
  readonly onReset: () => void;
  readonly onSaveImage: () => void;
  readonly children: ReactNode;
}

const Divider = ({ className }: { readonly className?: string }) => (
  <span aria-hidden className={clsx("mx-1 h-4 border-l", className)} />
);

/** Toolbar for timeframe and chart options, with the comparison control between them. */
function ChartToolbar(props: ChartToolbarProps) {
  const { settings, onTimeframe, onKind, onReset, onSaveImage, children } = props;
  const { kind } = settings;
  const timeframe = props.isPreview ? null : settings.timeframe;
  return (
    <div className="flex flex-wrap items-center gap-y-1 border-b px-2 pb-1.5">
      <div role="group" aria-label="Timeframe" className="flex">
        {TIMEFRAME_IDS.map((id) => (
          <button
            key={id}
            type="button"
            aria-pressed={id === timeframe}
            onClick={() => onTimeframe(id)}
            className={clsx(
              "tint h-7 min-w-8 rounded-md px-1 text-xs lg:min-w-9 font-medium",
              id === timeframe ? "bg-hover text-ink" : "text-muted hover:bg-hover hover:text-ink",
            )}
          >
            {id}
          </button>
        ))}
      </div>
      <Divider />
      <div role="group" aria-label="Chart type" className="flex">
        <IconButton
          label="Candles"
          icon={<ChartCandlestick aria-hidden />}
          pressed={kind === "candles"}
          onClick={() => onKind("candles")}
        />
        <IconButton
          label="Line"
          icon={<ChartLine aria-hidden />}
          pressed={kind === "line"}
          onClick={() => onKind("line")}
        />
      </div>
      <Divider className="max-sm:hidden" />
      {children}
      <div className="ml-auto flex">
        <IconButton label="Reset view" icon={<RotateCcw aria-hidden />} onClick={onReset} />
        <IconButton label="Save image" icon={<ImageDown aria-hidden />} onClick={onSaveImage} />
      </div>
    </div>
  );
}
