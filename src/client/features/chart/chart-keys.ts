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

/** A key of the chart: how the list of shortcuts and a screen reader's description name it, and what it does. */
interface ChartKey {
  readonly keys: readonly string[];
  readonly text: string;
  readonly said: string;
  /** Actions by key, with "Shift" before the key, or "Alt" before the key's code. */
  readonly does: Readonly<Record<string, ChartAction>>;
}

/** All keys of the chart; what reads them, the description and the list of shortcuts are made from here. */
export const CHART_KEYS: readonly ChartKey[] = [
  {
    keys: ["←", "→"],
    text: "Read the candles one by one",
    said: "Arrow keys read the candles one by one",
    does: {
      ArrowLeft: { kind: "cursor", candles: -1 },
      ArrowRight: { kind: "cursor", candles: 1 },
      Home: { kind: "cursor-to", end: "first" },
      End: { kind: "cursor-to", end: "last" },
      Escape: { kind: "cursor-off" },
    },
  },
  {
    keys: ["Shift", "←", "→"],
    text: "Scroll",
    said: "Shift with arrows scrolls",
    does: {
      "Shift ArrowLeft": { kind: "scroll", candles: -SCROLL_CANDLES },
      "Shift ArrowRight": { kind: "scroll", candles: SCROLL_CANDLES },
    },
  },
  {
    keys: ["+", "-"],
    text: "Zoom",
    said: "plus and minus zoom",
    does: {
      "+": { kind: "zoom", factor: 1 / ZOOM_FACTOR },
      "=": { kind: "zoom", factor: 1 / ZOOM_FACTOR },
      "-": { kind: "zoom", factor: ZOOM_FACTOR },
    },
  },
  {
    keys: ["1–6"],
    text: "Timeframe, from 30m to 3M",
    said: "1 to 6 choose the timeframe",
    does: Object.fromEntries(
      TIMEFRAME_IDS.map((id, at) => [`${at + 1}`, { kind: "timeframe", id } as const]),
    ),
  },
  {
    keys: ["C"],
    text: "Candles or line",
    said: "C switches between candles and line",
    does: { c: { kind: "toggle-kind" } },
  },
  {
    keys: ["Alt", "R"],
    text: "Reset the view",
    said: "Alt R resets the view",
    does: { "Alt KeyR": { kind: "reset" } },
  },
  {
    keys: ["Alt", "S"],
    text: "Save an image",
    said: "Alt S saves an image",
    does: { "Alt KeyS": { kind: "save-image" } },
  },
];

const ACTIONS = new Map(CHART_KEYS.flatMap(({ does }) => Object.entries(does)));

/** Returns the chart's action for a key; null leaves the key to the page. */
export function readChartKey(press: Press): ChartAction | null {
  const { key, code, altKey, ctrlKey, metaKey, shiftKey } = press;
  if (ctrlKey || metaKey) return null;
  // On some keyboard layouts Alt changes `key` but not `code`
  if (altKey) return ACTIONS.get(`Alt ${code}`) ?? null;
  return (shiftKey && ACTIONS.get(`Shift ${key}`)) || (ACTIONS.get(key) ?? null);
}

export const CHART_KEYS_TEXT = `${CHART_KEYS.map(({ said }) => said).join(", ")}.`;
