import { mulDiv } from "../domain/amount.ts";
import { PRICE_DECIMALS } from "../domain/market.ts";
import { DENIALS } from "../domain/reasons.ts";
import type { OrderSignal } from "../domain/signal.ts";
import type { Bar } from "./bar-times.ts";
import type { SimulatedOrder, SimulationResult } from "./simulation.ts";

/** An entry of the trade log: an order that was sent, or denied. Sizes in base units, null where unknown. */
export interface RealTrade {
  readonly signal: string;
  readonly atMs: number;
  readonly hasTraded: boolean;
  /** Six decimals. */
  readonly price: bigint | null;
  readonly baseSize: bigint | null;
  readonly fee: bigint | null;
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

/** Why a trade and its simulation parted. */
export const PARTING_CAUSES = [
  "gap",
  "dropped_alert",
  "late_alert",
  "stale_price",
  "denied",
  "unfilled",
  "slippage",
  "not_simulated",
] as const;

export type PartingCause = (typeof PARTING_CAUSES)[number];

/** One signal in the simulation and live. Money in quote base units; positive was worse live. */
export interface ReplayRow {
  readonly signal: string;
  readonly atMs: number;
  readonly parting: ReplayDifference;
  /** Null where both traded in the same bar at a price within the agent's slippage. */
  readonly cause: PartingCause | null;
  readonly simulatedPrice: bigint | null;
  readonly realPrice: bigint | null;
  /** Slippage of the real price against the simulated one as a share; negative was better. */
  readonly slippage: number | null;
  /** What the difference of the prices came to for the size that was traded live; null where one is unknown. */
  readonly priceCost: bigint | null;
  /** Fee paid less the simulated fee of that size. */
  readonly feeCost: bigint | null;
  readonly lateMs: number | null;
  /** Reason it was refused, live or in the simulation. */
  readonly reason: string | null;
}

/** What simulated and real orders are compared by. Times in Unix milliseconds. */
export interface ReplaySpan {
  readonly fromMs: number;
  /** Time of the last order that could be simulated; real ones after it are not compared. */
  readonly toMs: number;
  readonly intervalMs: number;
  /** Times without bars. */
  readonly gaps: readonly { readonly fromMs: number; readonly toMs: number }[];
  /** Largest difference of prices that is expected, the agent's slippage. */
  readonly slippageBps: number;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
}

/** Largest delay, in bars, of a real order behind the bar that is taken to have caused it. */
const MOST_BARS_LATE = 3;

/** Reasons for which an alert or its order came too late. */
const TOO_LATE: readonly (string | null)[] = ["stale_signal", "signal_expired", "expired"];

const isBuy = (signal: string) => signal === "OPEN_LONG" || signal === "CLOSE_SHORT";
const isOrderSignal = (signal: string): signal is OrderSignal => /^(OPEN|CLOSE)_/.test(signal);
const isClosing = (signal: string) => signal.startsWith("CLOSE_");

/** What real trades are compared with: one signal, or what the plan or the venue did within a bar. */
export interface ComparedOrder extends Pick<SimulatedOrder, "signal" | "baseSize" | "refusal"> {
  readonly atMs: number;
  readonly price: bigint | null;
  readonly fee: bigint | null;
  /** It happened at some time of the bar that closed at `atMs`. */
  readonly isWithinBar: boolean;
}

/** Returns the times between bars that do not follow each other. */
export const gapsOf = (bars: readonly Bar[]): ReplaySpan["gaps"] =>
  bars.flatMap(({ openTimeMs }, at) => {
    const before = bars[at - 1];
    return before !== undefined && openTimeMs > before.closeTimeMs
      ? [{ fromMs: before.closeTimeMs, toMs: openTimeMs }]
      : [];
  });

/**
 * Matches a simulation's orders with the trade log of the same time, oldest first. A trade log entry belongs to the
 * latest simulated order of the same signal that can have caused it; a closing that was tried again is one.
 */
export function replay(
  all: readonly ComparedOrder[],
  trades: readonly RealTrade[],
  span: ReplaySpan,
): ReplayRow[] {
  const { fromMs, toMs, intervalMs } = span;
  const orders = all.filter(({ atMs }) => atMs >= fromMs);
  const real = trades
    .filter(({ atMs, signal }) => atMs >= fromMs && isOrderSignal(signal))
    .toSorted((a, b) => a.atMs - b.atMs);
  const matched = new Map<
    ComparedOrder,
    { readonly trade: RealTrade; readonly reason: string | null }
  >();
  const rest: RealTrade[] = [];
  for (const trade of real) {
    const fitting = orders.filter((order) => {
      const earliest = order.atMs - (order.isWithinBar ? intervalMs : intervalMs / 2);
      const known = matched.get(order)?.trade;
      const isAgain = known?.hasTraded === false && trade.hasTraded && isClosing(trade.signal);
      return (
        order.signal === trade.signal &&
        trade.atMs >= earliest &&
        trade.atMs < order.atMs + MOST_BARS_LATE * intervalMs &&
        (known === undefined || isAgain)
      );
    });
    const order = fitting.findLast(({ refusal }) => refusal === null) ?? fitting.at(-1);
    if (order === undefined) rest.push(trade);
    else matched.set(order, { trade, reason: matched.get(order)?.reason ?? trade.reason });
  }
  const rows = orders.flatMap((order) => {
    const { trade = null, reason = null } = matched.get(order) ?? {};
    // Refused in both, or only in the simulation and without a live order: there is no difference to report
    if (order.refusal !== null && trade?.hasTraded !== true) return [];
    return [rowOf(order, trade, reason, span)];
  });
  const alone = rest.flatMap(({ signal, atMs, price, hasTraded }): ReplayRow[] => {
    if (!hasTraded) return [];
    const none = { simulatedPrice: null, slippage: null, lateMs: null, reason: null };
    const unknown = { ...none, priceCost: null, feeCost: null };
    return atMs > toMs
      ? [{ signal, atMs, parting: "not_yet", cause: null, realPrice: price, ...unknown }]
      : [
          {
            signal,
            atMs,
            parting: "only_live",
            cause: isInGap(span, atMs) ? "gap" : "not_simulated",
            realPrice: price,
            ...unknown,
          },
        ];
  });
  return [...rows, ...alone].toSorted((a, b) => a.atMs - b.atMs);
}

/** Returns a run's orders, and what its plan or the venue closed, oldest first. */
export function simulatedOrders({
  orders,
  trades,
}: Pick<SimulationResult, "orders" | "trades">): ComparedOrder[] {
  const signalled = orders.map(({ signal, signalledAtMs, baseSize, refusal, fill }) => ({
    signal,
    atMs: signalledAtMs,
    baseSize,
    refusal,
    price: fill?.price ?? null,
    fee: fill?.fee ?? null,
    isWithinBar: false,
  }));
  const closed = trades.flatMap(
    ({ side, baseSize, exitedAtMs, exitPrice, endedBy }): ComparedOrder[] =>
      exitedAtMs === null || endedBy === "signal" || endedBy === "open"
        ? []
        : [
            {
              signal: side === "long" ? "CLOSE_LONG" : "CLOSE_SHORT",
              atMs: exitedAtMs,
              baseSize,
              refusal: null,
              price: exitPrice,
              fee: null,
              isWithinBar: true,
            },
          ],
  );
  return [...signalled, ...closed].toSorted((a, b) => a.atMs - b.atMs);
}

/** Returns what another agent really did, to compare an agent with it, oldest first. */
export const tradedOrders = (trades: readonly RealTrade[]): ComparedOrder[] =>
  trades
    .flatMap(({ signal, atMs, hasTraded, price, baseSize, fee }) =>
      hasTraded && isOrderSignal(signal)
        ? [
            {
              signal,
              atMs,
              baseSize: baseSize ?? 0n,
              refusal: null,
              price,
              fee,
              isWithinBar: false,
            },
          ]
        : [],
    )
    .toSorted((a, b) => a.atMs - b.atMs);

function rowOf(
  order: ComparedOrder,
  trade: RealTrade | null,
  reason: string | null,
  span: ReplaySpan,
): ReplayRow {
  const { signal, atMs, refusal, price: simulatedPrice } = order;
  const realPrice = trade?.hasTraded === true ? trade.price : null;
  const ratio =
    simulatedPrice === null || realPrice === null
      ? null
      : Number(realPrice) / Number(simulatedPrice) - 1;
  const slippage = ratio === null ? null : isBuy(signal) ? ratio : -ratio;
  const lateMs = trade === null ? null : trade.atMs - atMs;
  const parting = partingOf(refusal !== null, trade, lateMs ?? 0, span.intervalMs);
  return {
    signal,
    atMs,
    parting,
    cause: causeOf({ parting, slippage, reason, atMs }, span),
    simulatedPrice,
    realPrice,
    slippage,
    ...costsOf(order, trade, span),
    lateMs,
    reason: refusal ?? reason,
  };
}

function costsOf(
  { signal, price: simulated, baseSize: simulatedSize, fee: simulatedFee }: ComparedOrder,
  trade: RealTrade | null,
  { baseDecimals, quoteDecimals }: ReplaySpan,
): Pick<ReplayRow, "priceCost" | "feeCost"> {
  const { price = null, baseSize = null, fee = null } = trade?.hasTraded === true ? trade : {};
  if (simulated === null || baseSize === null) return { priceCost: null, feeCost: null };
  const scale = 10n ** BigInt(baseDecimals + PRICE_DECIMALS);
  const worse = price === null ? null : isBuy(signal) ? price - simulated : simulated - price;
  return {
    priceCost: worse === null ? null : (worse * baseSize * 10n ** BigInt(quoteDecimals)) / scale,
    feeCost:
      fee === null || simulatedFee === null || simulatedSize === 0n
        ? null
        : fee - mulDiv(simulatedFee, baseSize, simulatedSize, "down"),
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

function causeOf(
  { parting, slippage, reason, atMs }: Pick<ReplayRow, "parting" | "slippage" | "reason" | "atMs">,
  span: ReplaySpan,
): PartingCause | null {
  if (parting === "together") {
    return slippage !== null && slippage * 10_000 > span.slippageBps ? "slippage" : null;
  }
  if (isInGap(span, atMs)) return "gap";
  switch (parting) {
    case "missing":
      return "dropped_alert";
    case "late":
      if (reason === null) return "late_alert";
      return reason === "stale_price" ? "stale_price" : "unfilled";
    case "refused":
      if (reason === "stale_price") return "stale_price";
      if (TOO_LATE.includes(reason)) return "late_alert";
      return reason === null || Object.hasOwn(DENIALS, reason) ? "denied" : "unfilled";
    default:
      return "not_simulated";
  }
}

/** A gap also explains what the first bar after it does. */
const isInGap = ({ gaps, intervalMs }: ReplaySpan, atMs: number) =>
  gaps.some(({ fromMs, toMs }) => atMs >= fromMs && atMs <= toMs + intervalMs);

/** How far an agent parted from its simulation. Money in quote base units; positive was worse live. */
export interface Divergence {
  readonly rows: readonly ReplayRow[];
  /** Trades of either side that could be compared. */
  readonly compared: number;
  /** Trades of both sides in the same bar. */
  readonly matched: number;
  /** Middle difference of the matched trades' prices in basis points, and of their times; null without one. */
  readonly medianBps: number | null;
  readonly medianLateMs: number | null;
  readonly priceCost: bigint;
  readonly feeCost: bigint;
  /** In the order of `PARTING_CAUSES`, without those that did not occur. */
  readonly causes: readonly {
    readonly cause: PartingCause;
    readonly count: number;
    readonly priceCost: bigint;
  }[];
}

/** Returns how far compared orders parted. */
export function divergenceOf(rows: readonly ReplayRow[]): Divergence {
  const compared = rows.filter(({ parting }) => parting !== "not_yet");
  const matched = compared.filter(({ parting }) => parting === "together");
  const bps = matched.flatMap(({ slippage }) => (slippage === null ? [] : [slippage * 10_000]));
  const late = matched.flatMap(({ lateMs }) => (lateMs === null ? [] : [lateMs]));
  const costOf = (of: readonly ReplayRow[]) =>
    of.reduce((sum, { priceCost }) => sum + (priceCost ?? 0n), 0n);
  return {
    rows,
    compared: compared.length,
    matched: matched.length,
    medianBps: medianOf(bps),
    medianLateMs: medianOf(late),
    priceCost: costOf(compared),
    feeCost: compared.reduce((sum, { feeCost }) => sum + (feeCost ?? 0n), 0n),
    causes: PARTING_CAUSES.flatMap((cause) => {
      const of = compared.filter((row) => row.cause === cause);
      return of.length === 0 ? [] : [{ cause, count: of.length, priceCost: costOf(of) }];
    }),
  };
}

function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
