import { downloadFile } from "../../lib/download.ts";
import type { Palette } from "./palette.ts";

interface ImageText {
  readonly title: string;
  /** Watermark for sample candles; null for real ones. */
  readonly watermark: string | null;
}

const HEAD_HEIGHT = 32;

/** Returns an opaque canvas with title, chart and watermark. */
export function composeImage(
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

/** Saves the chart as a PNG file. */
export function saveImage(image: HTMLCanvasElement, name: string): void {
  image.toBlob((content) => {
    if (content) downloadFile(content, name);
  }, "image/png");
}
