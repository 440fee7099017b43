import { PRICE_DECIMALS } from "../domain/market.ts";
import { ALERT_DELAY_MS } from "./firing-source.ts";
import type { SimulatedOrder } from "./simulation.ts";

/** A line of the trade log: an order that really was, or was refused. */
export interface RealTrade {
  readonly signal: string;
  readonly atMs: number;
  readonly hasTraded: boolean;
  /** Null where it is not known. */
  readonly price: number | null;
  /** Why it did not simply fill. */
  readonly reason: string | null;
}

/**
 * Where simulation and reality part. `missing`: nothing came of it live, the alert never arrived. `refused`: live it did
 * not trade. `late`: it traded a bar or more later. `only_live`: only live something was traded. `not_yet`: it was
 * traded live in a bar that has not closed, which no simulation knows.
 */
export type Parting =
  | "together"
  | "late"
  | "refused"
  | "missing"
  | "only_live"
  | "not_yet"
  | "refused_here";

/** One signal in both worlds. */
export interface ReplayRow {
  readonly signal: string;
  readonly atMs: number;
  readonly parting: Parting;
  readonly simulatedPrice: number | null;
  readonly realPrice: number | null;
  /** Share by which the real price was worse than the simulated one; negative was better. */
  readonly slippage: number | null;
  readonly lateMs: number | null;
  /** Why it was refused, live or here. */
  readonly reason: string | null;
}

/** The time in which simulated and real orders are compared, Unix milliseconds. */
export interface ReplaySpan {
  readonly fromMs: number;
  /** Open of the last closed bar: what follows it is not simulated. */
  readonly toMs: number;
  readonly intervalMs: number;
}

/** Latest a real order can follow the bar that is taken to have caused it, in bars. */
const MOST_BARS_LATE = 3;

const isBuy = (signal: string) => signal === "OPEN_LONG" || signal === "CLOSE_SHORT";

/**
 * Lays a simulation's orders beside the trade log of the same time, oldest first. Each real line belongs to the first
 * simulated order of its signal that it can have come from.
 */
export function replay(
  orders: readonly SimulatedOrder[],
  trades: readonly RealTrade[],
  { fromMs, toMs, intervalMs }: ReplaySpan,
): ReplayRow[] {
  const left = trades
    .filter(({ atMs, signal }) => atMs >= fromMs && /^(OPEN|CLOSE)_/.test(signal))
    .toSorted((a, b) => a.atMs - b.atMs);
  const rows: ReplayRow[] = [];
  for (const order of orders) {
    const { signal, signalledAtMs, refusal } = order;
    if (signalledAtMs < fromMs) continue;
    const at = left.findIndex(
      (trade) =>
        trade.signal === signal &&
        trade.atMs >= signalledAtMs - intervalMs / 2 &&
        trade.atMs < signalledAtMs + MOST_BARS_LATE * intervalMs,
    );
    const real = at === -1 ? null : (left.splice(at, 1)[0] ?? null);
    // Refused in both worlds, or here only for want of an alert: nothing to tell
    if (refusal !== null && real?.hasTraded !== true) continue;
    rows.push(rowOf(order, real, intervalMs));
  }
  for (const { signal, atMs, price, hasTraded } of left) {
    if (!hasTraded) continue;
    const none = { simulatedPrice: null, slippage: null, lateMs: null, reason: null };
    const parting = atMs > toMs + ALERT_DELAY_MS ? "not_yet" : "only_live";
    rows.push({ signal, atMs, parting, realPrice: price, ...none });
  }
  return rows.toSorted((a, b) => a.atMs - b.atMs);
}

function rowOf(order: SimulatedOrder, real: RealTrade | null, intervalMs: number): ReplayRow {
  const { signal, signalledAtMs, fill, refusal } = order;
  const simulatedPrice = fill === null ? null : Number(fill.price) / 10 ** PRICE_DECIMALS;
  const realPrice = real?.hasTraded === true ? real.price : null;
  const worse =
    simulatedPrice === null || realPrice === null ? null : realPrice / simulatedPrice - 1;
  const lateMs = real === null ? null : real.atMs - signalledAtMs;
  return {
    signal,
    atMs: signalledAtMs,
    parting: partingOf(refusal !== null, real, lateMs ?? 0, intervalMs),
    simulatedPrice,
    realPrice,
    slippage: worse === null ? null : isBuy(signal) ? worse : -worse,
    lateMs,
    reason: refusal ?? real?.reason ?? null,
  };
}

function partingOf(
  isRefusedHere: boolean,
  real: RealTrade | null,
  lateMs: number,
  intervalMs: number,
): Parting {
  if (isRefusedHere) return "refused_here";
  if (real === null) return "missing";
  if (!real.hasTraded) return "refused";
  return lateMs >= intervalMs ? "late" : "together";
}
