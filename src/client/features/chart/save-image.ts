import { downloadFile } from "../../lib/download.ts";
import { SAMPLE_WATERMARK } from "./chart-notice.tsx";
import type { ChartView } from "./chart-view.ts";
import type { Palette } from "./palette.ts";
import type { ChartPicture } from "./picture.ts";
import type { ChartData } from "./use-chart-data.ts";

interface ImageText {
  readonly title: string;
  /** Watermark for sample candles; null for real ones. */
  readonly watermark: string | null;
}

const HEAD_HEIGHT = 32;

/** Returns an opaque canvas with title, chart and watermark. */
function composeImage(
  chart: HTMLCanvasElement,
  text: ImageText,
  palette: Palette,
): HTMLCanvasElement {
  const image = document.createElement("canvas");
  const ratio = devicePixelRatio || 1;
  const head = HEAD_HEIGHT * ratio;
  image.width = chart.width;
  image.height = chart.height + head;
  const context = image.getContext("2d");
  if (!context) return chart;
  context.fillStyle = palette.background;
  context.fillRect(0, 0, image.width, image.height);
  context.drawImage(chart, 0, head);
  context.fillStyle = palette.text;
  context.textBaseline = "middle";
  context.font = `600 ${13 * ratio}px ${palette.font}`;
  context.fillText(text.title, 12 * ratio, head / 2);
  if (text.watermark !== null) {
    context.textAlign = "center";
    context.font = `600 ${26 * ratio}px ${palette.font}`;
    context.fillText(text.watermark, image.width / 2, image.height / 2);
  }
  return image;
}

interface SavedChart {
  readonly view: ChartView;
  readonly picture: ChartPicture;
  readonly data: ChartData;
  readonly asset: string;
  readonly isPreview: boolean;
}

/** Returns the chart's picture, titled for what it shows, with the name of its file. */
function imageOf({ view, picture, data, asset, isPreview }: SavedChart) {
  const { times } = picture;
  const day = times.date((picture.candles.at(-1)?.time ?? 0) * 1000);
  const span = isPreview ? data.timeframe.candleName : data.timeframe.id;
  const source = data.source === null ? "" : ` · ${data.source}`;
  const title = `${asset}/USD · ${span}${source} · ${day} ${times.zone}`;
  const watermark = data.state === "sample" ? SAMPLE_WATERMARK : null;
  return {
    image: composeImage(view.takeScreenshot(), { title, watermark }, picture.palette),
    name: `${asset}-USD-${span.replaceAll(" ", "-")}-${day}.png`,
  };
}

/** Saves the chart as a PNG file. */
export function saveChart(chart: SavedChart): void {
  const { image, name } = imageOf(chart);
  image.toBlob((content) => {
    if (content) downloadFile(content, name);
  }, "image/png");
}

/** Returns the chart as a data URL. */
export const pictureOfChart = (chart: SavedChart): string =>
  imageOf(chart).image.toDataURL("image/png");
