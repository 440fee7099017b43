import { clsx } from "clsx";
import { ChartCandlestick, ChartLine, ImageDown, RotateCcw } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "../../ui/icon-button.tsx";
import type { ChartKind, ChartSettings } from "./chart-settings.ts";
import { TIMEFRAME_IDS, type TimeframeId } from "./timeframe.ts";

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
export function ChartToolbar(props: ChartToolbarProps) {
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
