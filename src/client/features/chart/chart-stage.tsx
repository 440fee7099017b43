import { clsx } from "clsx";
import { type KeyboardEvent, type ReactNode, type RefObject, useId, useState } from "react";
import { CHART_KEYS_TEXT, type ChartAction, readChartKey } from "./chart-keys.ts";
import type { ChartView } from "./chart-view.ts";
import { type ChartCursor, readLegend } from "./legend.ts";
import type { ChartPicture } from "./picture.ts";
import { describeCandle } from "./summary.ts";

interface ChartStageProps {
  readonly label: string;
  readonly summary: string;
  readonly canvas: RefObject<HTMLDivElement | null>;
  readonly view: ChartView | null;
  readonly picture: ChartPicture;
  /** Greyed for outdated or sample candles, hidden without candles. */
  readonly look: "plain" | "greyed" | "hidden";
  /** Called for actions the stage does not handle itself. */
  readonly onAction: (action: ChartAction) => void;
  readonly children: ReactNode;
}

const LOOKS = { plain: "", greyed: "opacity-45 grayscale", hidden: "invisible" } as const;

/** Applies a key's action to the view; returns the cursor whose candle is announced, if any. */
function actOn(view: ChartView, action: ChartAction): ChartCursor | null {
  switch (action.kind) {
    case "cursor":
      return view.moveCursor(action.candles);
    case "cursor-to":
      return view.moveCursorTo(action.end);
    case "cursor-off":
      view.clearCursor();
      return null;
    case "scroll":
      view.scroll(action.candles);
      return null;
    case "zoom":
      view.zoom(action.factor);
      return null;
    case "reset":
      view.reset();
      return null;
    default:
      return null;
  }
}

/** Focusable container of the chart: handles keys while focused and describes the canvas in text. */
export function ChartStage(props: ChartStageProps) {
  const { label, summary, canvas, view, picture, look, onAction, children } = props;
  const [spoken, setSpoken] = useState("");
  const id = useId();

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    if (event.target !== event.currentTarget) return;
    const action = readChartKey(event);
    if (!action || !view) return;
    event.preventDefault();
    onAction(action);
    const cursor = actOn(view, action);
    const legend = cursor && readLegend(picture, cursor);
    setSpoken(legend ? describeCandle(legend, picture.candleSeconds, picture.times) : "");
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a canvas has no element that takes keys
    <div
      role="application"
      aria-roledescription="chart"
      aria-label={label}
      aria-describedby={`${id}-summary ${id}-keys`}
      tabIndex={0}
      onKeyDown={onKeyDown}
      className="relative min-h-72 grow overflow-hidden outline-offset-[-2px]"
    >
      <p id={`${id}-summary`} className="sr-only">
        {summary}
      </p>
      <p id={`${id}-keys`} hidden>
        {CHART_KEYS_TEXT}
      </p>
      <p aria-live="polite" className="sr-only">
        {spoken}
      </p>
      <div ref={canvas} aria-hidden className={clsx("absolute inset-0", LOOKS[look])} />
      {children}
    </div>
  );
}
