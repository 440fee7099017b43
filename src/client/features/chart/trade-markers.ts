import type { TradeLogEntry } from "../../../contract/trade-log.ts";
import { PLAN_ACT_WORDS, type PlanAct } from "../../../domain/plan/plan.ts";
import { displayDecimal, displayPrice } from "../../lib/format.ts";
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

/** Returns a trade's word in capitals, for instance `BUY`. */
function tradeWord({ side, type }: TradeLogEntry): string {
  const direction = directionOf(side);
  return (direction === "other" ? type || side : direction).toUpperCase();
}

/** Returns a trade's label, for instance `BUY 0.5`; a counter reset has no size. */
export const tradeText = (trade: TradeLogEntry): string =>
  /[1-9]/.test(trade.size) ? `${tradeWord(trade)} ${shortSize(trade.size)}` : tradeWord(trade);

/** Returns what of the position's plan asked for a trade, to put behind its label; empty for a rule's trade. */
const planText = (plan: PlanAct | undefined): string =>
  plan === undefined ? "" : ` (${PLAN_ACT_WORDS[plan].toLowerCase()})`;

/** Longest size that is shown with all its digits. */
const SIZE_CHARACTERS = 6;

/** Returns a size for a marker: four digits where it has more, so that the chart's edge does not cut it. */
function shortSize(size: string): string {
  if (size.length <= SIZE_CHARACTERS) return size;
  const [whole = ""] = size.split(".");
  return whole.length >= 4 ? whole : String(Number(Number(size).toPrecision(4)));
}

/** Returns a trade with its price and result, for instance `SELL 0.5 (stop) at $134.35, −$1.20`. */
export function tradeLine(trade: TradeLogEntry): string {
  const { price, pnl, byOwner, plan } = trade;
  const at = price === undefined ? "" : ` at $${displayPrice(price)}`;
  const isLoss = pnl?.startsWith("-") === true;
  const result =
    pnl === undefined ? "" : `, ${isLoss ? "−" : "+"}$${displayDecimal(pnl, 2).replace("−", "")}`;
  return `${tradeText(trade)}${planText(plan)}${at}${result}${byOwner === true ? ", by you" : ""}`;
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

/** Merges trades into one marker per candle, direction and act of the plan: `BUY 0.5`, `SELL ×3 (stop)` for three. */
export function toMarkers(
  placed: readonly PlacedTrade[],
  colours: MarkerColours,
): readonly TradeMarker[] {
  const groups = new Map<string, PlacedTrade[]>();
  for (const each of placed) {
    const key = `${each.time} ${directionOf(each.trade.side)} ${each.trade.status} ${each.trade.plan}`;
    const group = groups.get(key);
    if (group) group.push(each);
    else groups.set(key, [each]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const direction = directionOf(first.trade.side);
    const isPending = first.trade.status === "pending";
    const text =
      group.length === 1 ? tradeText(first.trade) : `${tradeWord(first.trade)} ×${group.length}`;
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
      text: `${text}${planText(first.trade.plan)}`,
      size: MARKER_SIZE,
    };
  });
}
