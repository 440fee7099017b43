import { type RefObject, useEffect, useState } from "react";
import type { ChartPicture } from "./picture.ts";
import type { ChartView } from "./chart-view.ts";

/** Creates the chart after the library has loaded and keeps it updated; null until then. */
export function useChartView(
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
