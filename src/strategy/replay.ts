import { PRICE_DECIMALS } from "../domain/market.ts";
import type { SimulatedOrder } from "./simulation.ts";

/** An entry of the trade log: an order that was sent, or denied. */
export interface RealTrade {
  readonly signal: string;
  readonly atMs: number;
  readonly hasTraded: boolean;
  /** Null where it is unknown. */
  readonly price: number | null;
  /** Reason it did not simply fill. */
  readonly reason: string | null;
}

/**
 * Difference between simulation and live trading. `missing`: the alert never arrived live. `refused`: it did not trade
 * live. `late`: it traded live a bar or more later. `only_live`: it traded only live. `not_yet`: it traded live in a
 * bar that has not closed and cannot be simulated.
 */
export type ReplayDifference =
  | "together"
  | "late"
  | "refused"
  | "missing"
  | "only_live"
  | "not_yet"
  | "refused_here";

/** One signal in the simulation and live. */
export interface ReplayRow {
  readonly signal: string;
  readonly atMs: number;
  readonly parting: ReplayDifference;
  readonly simulatedPrice: number | null;
  readonly realPrice: number | null;
  /** Slippage of the real price against the simulated one as a share; negative was better. */
  readonly slippage: number | null;
  readonly lateMs: number | null;
  /** Reason it was refused, live or in the simulation. */
  readonly reason: string | null;
}

/** Time span in which simulated and real orders are compared, Unix milliseconds. */
export interface ReplaySpan {
  readonly fromMs: number;
  /** Time of the last order that could be simulated; real ones after it are not compared. */
  readonly toMs: number;
  readonly intervalMs: number;
}

/** Largest delay, in bars, of a real order behind the bar that is taken to have caused it. */
const MOST_BARS_LATE = 3;

const isBuy = (signal: string) => signal === "OPEN_LONG" || signal === "CLOSE_SHORT";

/**
 * Matches a simulation's orders with the trade log of the same time, oldest first. Each trade log entry belongs to the
 * first simulated order of the same signal that can have caused it.
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
    // Refused in both, or only in the simulation and without a live order: there is no difference to report
    if (refusal !== null && real?.hasTraded !== true) continue;
    rows.push(rowOf(order, real, intervalMs));
  }
  for (const { signal, atMs, price, hasTraded } of left) {
    if (!hasTraded) continue;
    const none = { simulatedPrice: null, slippage: null, lateMs: null, reason: null };
    const parting = atMs > toMs ? "not_yet" : "only_live";
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
): ReplayDifference {
  if (isRefusedHere) return "refused_here";
  if (real === null) return "missing";
  if (!real.hasTraded) return "refused";
  return lateMs >= intervalMs ? "late" : "together";
}
