import type { TradeLogEntry } from "../../../contract/trade-log.ts";
import { type Candle, indexAt } from "./candle.ts";

/** Marker of trades at one candle. */
export interface TradeMarker {
  readonly time: number;
  readonly position: "belowBar" | "aboveBar";
  readonly shape: "arrowUp" | "arrowDown" | "circle";
  readonly color: string;
  readonly text: string;
  readonly size: number;
}

export interface MarkerColours {
  readonly up: string;
  readonly down: string;
  readonly other: string;
}

type Direction = "buy" | "sell" | "other";

/** Size of a trade marker, in the chart library's unit. */
const MARKER_SIZE = 1;

export function directionOf(side: string): Direction {
  if (/^(?:buy|long)$/i.test(side)) return "buy";
  return /^(?:sell|short)$/i.test(side) ? "sell" : "other";
}

/** Returns a trade's label, for instance `BUY 0.5`; a counter reset has no size. */
export function tradeText(trade: Pick<TradeLogEntry, "side" | "size" | "type">): string {
  const direction = directionOf(trade.side);
  const word = direction === "other" ? trade.type || trade.side : direction;
  return /[1-9]/.test(trade.size) ? `${word.toUpperCase()} ${trade.size}` : word.toUpperCase();
}

/** Hypothetical event at the opening time of its candle. */
export interface PlacedMark {
  readonly time: number;
  readonly kind: "buy" | "sell" | "fired";
  readonly text: string;
}

/** Converts hypothetical events to chart markers. */
export const toPreviewMarkers = (
  marks: readonly PlacedMark[],
  colours: MarkerColours & { readonly fired: string },
): readonly TradeMarker[] =>
  marks.map(({ time, kind, text }) => ({
    time,
    position: kind === "sell" ? "aboveBar" : "belowBar",
    shape: kind === "buy" ? "arrowUp" : kind === "sell" ? "arrowDown" : "circle",
    color: kind === "buy" ? colours.up : kind === "sell" ? colours.down : colours.fired,
    text,
    size: MARKER_SIZE,
  }));

/** Trade with its candle. */
export interface PlacedTrade {
  readonly time: number;
  readonly trade: TradeLogEntry;
}

/** Assigns trades to candles, oldest first; omits failed trades and those before the first candle. */
export function placeTrades(
  trades: readonly TradeLogEntry[],
  candles: readonly Candle[],
): readonly PlacedTrade[] {
  const placed: PlacedTrade[] = [];
  for (const trade of trades) {
    if (trade.status === "failed") continue;
    const candle = candles[indexAt(candles, Math.floor(Date.parse(trade.at) / 1000))];
    if (candle) placed.push({ time: candle.time, trade });
  }
  return placed.sort((a, b) => a.time - b.time);
}

/** Merges trades into one marker per candle and direction: `BUY 0.5`, or `BUY ×3` for three. */
export function toMarkers(
  placed: readonly PlacedTrade[],
  colours: MarkerColours,
): readonly TradeMarker[] {
  const groups = new Map<string, PlacedTrade[]>();
  for (const each of placed) {
    const key = `${each.time} ${directionOf(each.trade.side)} ${each.trade.status}`;
    const group = groups.get(key);
    if (group) group.push(each);
    else groups.set(key, [each]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const direction = directionOf(first.trade.side);
    const isPending = first.trade.status === "pending";
    const text = tradeText(first.trade);
    return {
      time: first.time,
      position: direction === "buy" ? "belowBar" : "aboveBar",
      shape: direction === "buy" ? "arrowUp" : direction === "sell" ? "arrowDown" : "circle",
      color:
        direction === "other" || isPending
          ? colours.other
          : direction === "buy"
            ? colours.up
            : colours.down,
      text: group.length === 1 ? text : `${text.split(" ")[0] ?? text} ×${group.length}`,
      size: MARKER_SIZE,
    };
  });
}
