import { createStore } from "zustand/vanilla";

/** Takes a picture of the chart that is shown, as a data URL; null where it has no candles. */
type TakePicture = () => string | null;

/** What the chart offers to other parts of the page; null while no chart is shown. */
export const chartPicture = createStore<{ readonly take: TakePicture | null }>(() => ({
  take: null,
}));

/** Offers a chart's picture until the returned function is called. */
export function offerChartPicture(take: TakePicture): () => void {
  chartPicture.setState({ take });
  return () => {
    if (chartPicture.getState().take === take) chartPicture.setState({ take: null });
  };
}
