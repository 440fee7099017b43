import { TIMEFRAME_IDS, type TimeframeId } from "./timeframe.ts";

export type ChartAction =
  | { readonly kind: "cursor"; readonly candles: number }
  | { readonly kind: "cursor-to"; readonly end: "first" | "last" }
  | { readonly kind: "cursor-off" }
  | { readonly kind: "scroll"; readonly candles: number }
  | { readonly kind: "zoom"; readonly factor: number }
  | { readonly kind: "reset" }
  | { readonly kind: "save-image" }
  | { readonly kind: "toggle-kind" }
  | { readonly kind: "timeframe"; readonly id: TimeframeId };

interface Press {
  readonly key: string;
  readonly code: string;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

const SCROLL_CANDLES = 10;
const ZOOM_FACTOR = 1.25;

const PLAIN: Readonly<Record<string, ChartAction>> = {
  ArrowLeft: { kind: "cursor", candles: -1 },
  ArrowRight: { kind: "cursor", candles: 1 },
  Home: { kind: "cursor-to", end: "first" },
  End: { kind: "cursor-to", end: "last" },
  Escape: { kind: "cursor-off" },
  "+": { kind: "zoom", factor: 1 / ZOOM_FACTOR },
  "=": { kind: "zoom", factor: 1 / ZOOM_FACTOR },
  "-": { kind: "zoom", factor: ZOOM_FACTOR },
  c: { kind: "toggle-kind" },
};

/** Returns the chart's action for a key; null leaves the key to the page. */
export function readChartKey(press: Press): ChartAction | null {
  const { key, code, altKey, ctrlKey, metaKey, shiftKey } = press;
  if (ctrlKey || metaKey) return null;
  if (altKey) {
    // On some keyboard layouts Alt changes `key` but not `code`
    if (code === "KeyR") return { kind: "reset" };
    return code === "KeyS" ? { kind: "save-image" } : null;
  }
  if (shiftKey && key === "ArrowLeft") return { kind: "scroll", candles: -SCROLL_CANDLES };
  if (shiftKey && key === "ArrowRight") return { kind: "scroll", candles: SCROLL_CANDLES };
  const id = TIMEFRAME_IDS[["1", "2", "3", "4", "5", "6"].indexOf(key)];
  return id === undefined ? (PLAIN[key] ?? null) : { kind: "timeframe", id };
}

export const CHART_KEYS_TEXT =
  "Arrow keys read the candles one by one, Shift with arrows scrolls, plus and minus zoom, 1 to 6 choose the timeframe, C switches between candles and line, Alt R resets the view, Alt S saves an image.";
