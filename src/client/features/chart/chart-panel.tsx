import { useMemo, useRef } from "react";
import type { ChatId } from "../../../domain/ids.ts";
import type { Agent } from "../../queries/agent.ts";
import type { Network } from "../../../domain/network.ts";
import type { ChartPreview } from "../../lib/chart-preview.ts";
import { ChartFooter } from "./chart-footer.tsx";
import { ChartHeader } from "./chart-header.tsx";
import type { ChartAction } from "./chart-keys.ts";
import { ChartLegend } from "./chart-legend.tsx";
import { ChartNotice } from "./chart-notice.tsx";
import type { ChartSettings } from "./chart-settings.ts";
import { ChartStage } from "./chart-stage.tsx";
import { chartAsset } from "./chart-symbol.ts";
import { ChartToolbar } from "./chart-toolbar.tsx";
import { ComparisonPicker } from "./comparison-picker.tsx";
import { PreviewNote } from "./preview-note.tsx";
import { previewData } from "./preview-data.ts";
import { PositionLine } from "./position-line.tsx";
import { saveChart } from "./save-image.ts";
import { describeChart } from "./summary.ts";
import { timeframeOf } from "./timeframe.ts";
import { useChartData, useComparisonData } from "./use-chart-data.ts";
import { useChartView } from "./use-chart-view.ts";
import { usePicture } from "./use-picture.ts";
import type { SignedInWallet } from "../../lib/session.ts";

interface ChartPanelProps {
  readonly address: SignedInWallet;
  readonly chatId: ChatId | "";
  readonly agent: Agent | null;
  readonly network: Network;
  /** Preview shown instead of the market; null shows the market. */
  readonly preview: ChartPreview | null;
  readonly onLeavePreview: () => void;
  /** Returns to the preview's draft; absent without one. */
  readonly onEdit: (() => void) | undefined;
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

/** Chart of the agent's market, or of SOL, with its trades. Works without a wallet. */
export function ChartPanel(props: ChartPanelProps) {
  const { address, chatId, agent, network, settings, onSettings, random } = props;
  const { kind } = settings;
  const { preview, onLeavePreview } = props;
  const ownAsset = chartAsset(agent?.marketId);
  const asset = preview?.asset ?? ownAsset;
  const pair = `${asset}/USD`;
  const timeframe = timeframeOf(settings.timeframe);
  const market = useChartData({ network, asset: ownAsset, timeframe, random });
  const previewed = useMemo(() => (preview === null ? null : previewData(preview)), [preview]);
  const data = previewed?.data ?? market;
  // Uses the displayed timeframe, since one time scale cannot show two
  const comparisons = useComparisonData(
    { network, timeframe: data.timeframe },
    preview === null ? settings.comparisons : NO_COMPARISONS,
  );
  const picture = usePicture({ address, chatId, data, comparisons, kind, preview: previewed });
  const canvas = useRef<HTMLDivElement>(null);
  const view = useChartView(canvas, picture);

  const isMarket = data.state === "ready" || data.state === "old";
  const last = isMarket ? data.candles.at(-1) : undefined;
  const hasAccount = agent?.isFunded === true && address !== "";

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
        position={
          hasAccount && agent && <PositionLine address={address} agent={agent} asset={asset} />
        }
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
        <PreviewNote title={preview.title} onLeave={onLeavePreview} onEdit={props.onEdit} />
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
