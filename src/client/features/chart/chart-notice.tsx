import type { ChatId } from "../../../domain/ids.ts";
import { openAgentDialog } from "../../lib/dialogs.ts";
import { Button } from "../../ui/button.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import type { Timeframe } from "./timeframe.ts";
import type { ChartData } from "./use-chart-data.ts";

/** Watermark over sample candles, on screen and in a saved image. */
export const SAMPLE_WATERMARK = "Sample data - not market prices";

interface ChartNoticeProps {
  readonly data: ChartData;
  /** Selected timeframe. */
  readonly chosen: Timeframe;
}

/** Overlay with the state of the candles; empty while they are current. */
export function ChartNotice({ data, chosen }: ChartNoticeProps) {
  const { state, isSwitching, candles, timeframe, retry } = data;
  if (state === "loading") {
    return (
      <p
        role="status"
        className="absolute inset-0 z-10 flex items-center justify-center text-sm text-muted"
      >
        <Spinner label="Loading chart..." />
      </p>
    );
  }
  if (state === "ready" && !isSwitching && candles.length > 0) return null;
  return (
    <>
      {state === "sample" && (
        <p className="pointer-events-none absolute inset-0 z-10 flex items-center justify-center px-6 text-center text-base font-semibold text-balance text-muted md:text-xl">
          {SAMPLE_WATERMARK}
        </p>
      )}
      <div
        role="status"
        className="absolute inset-x-0 bottom-12 z-20 mx-auto flex w-fit items-center gap-3 rounded-md border bg-surface py-1.5 pr-1.5 pl-3 text-xs shadow-pop"
      >
        {isSwitching ? (
          <span className="py-1 pr-1.5">
            <Spinner label="Loading chart..." />
          </span>
        ) : state === "ready" ? (
          <span className="py-1 pr-1.5">No candles of this market yet</span>
        ) : (
          <>
            <span>
              <span className="text-down">Failed to load chart data</span>
              {state === "old" && timeframe.id !== chosen.id && (
                <span className="text-muted"> Showing {timeframe.id}</span>
              )}
            </span>
            <Button size="small" onClick={retry}>
              Retry
            </Button>
          </>
        )}
      </div>
    </>
  );
}

interface PreviewNoteProps {
  readonly title: string;
  readonly onLeave: () => void;
  /** Chat of the draft to return to; null without one. */
  readonly draftOf: ChatId | "" | null;
}

/** Note that the chart shows a preview instead of the current market. */
export function PreviewNote({ title, onLeave, draftOf }: PreviewNoteProps) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-y border-line bg-accent-soft px-3 py-1.5 text-xs"
    >
      <p className="min-w-0 grow basis-64">{title}</p>
      {draftOf !== null && (
        <Button size="small" onClick={() => openAgentDialog({ chatId: draftOf })}>
          Back to editing
        </Button>
      )}
      <Button size="small" onClick={onLeave}>
        Show the market
      </Button>
    </div>
  );
}
