import type { AlertCondition } from "../domain/condition/condition.ts";
import type { DenialReason } from "../domain/reasons.ts";
import type { Market } from "../domain/market.ts";
import type { OwnerLimits } from "../domain/owner-limits.ts";
import type { PlanExitReason } from "../domain/plan/demand.ts";
import type { Plan } from "../domain/plan/plan.ts";
import type { Side } from "../domain/position.ts";
import type { OrderSignal, Signal } from "../domain/signal.ts";
import type { TradingCosts } from "../domain/trading-costs.ts";
import type { Bar } from "./bar-times.ts";

/** An alert of the agent; one without a condition fires only from outside. */
export interface SimulatedAlert {
  readonly alertKey: string;
  readonly name: string;
  readonly condition?: AlertCondition | undefined;
}

export interface SimulatedRule {
  readonly ruleId: string;
  readonly action: Signal;
  readonly conditions: readonly { readonly alertKey: string; readonly requiredCount: number }[];
  /** Percent of the position that a closing rule closes; absent: all of it. */
  readonly portion?: number;
}

/** Daily spending limits of the trading key: the quote token for buying, the asset for selling. Base units. */
export interface DailyLimits {
  readonly quote: bigint;
  readonly base: bigint;
}

/** All settings of an agent that decide what it trades. Rules are in the order of their creation. */
export interface SimulatedAgent {
  readonly market: Market;
  readonly intervalMinutes: number;
  /** 1 to 100. */
  readonly positionSizePercent: number;
  readonly slippageBps: number;
  /** What is done with a position once it is open; absent or null: nothing. */
  readonly plan?: Plan | null | undefined;
  /** 1 to 5; absent: 1. */
  readonly leverage?: number | undefined;
  /** Limits the owner set. */
  readonly limits: OwnerLimits;
  /** Null where the venue has no spending limits, or none is known. */
  readonly dailyLimits: DailyLimits | null;
  readonly alerts: readonly SimulatedAlert[];
  readonly rules: readonly SimulatedRule[];
}

/** Assumed trading costs. */
export interface SimulationCosts extends TradingCosts {
  /** Half spreads measured by hour of the day, UTC, 24 of them; null for an hour without enough of them. */
  readonly halfSpreadPpmByHour?: readonly (number | null)[] | undefined;
  /** Funding rates published for the past; they replace `fundingPpmPerDay` for the time they cover. */
  readonly publishedFunding?: PublishedFunding | undefined;
}

/** Funding rates as settled, oldest first: what a long paid a short at each time, in millionths of the position's value. */
export interface PublishedFunding {
  /** Unix milliseconds. */
  readonly atMs: readonly number[];
  readonly ppm: readonly number[];
}

/** An alert received from outside. */
export interface RecordedFiring {
  readonly alertKey: string;
  /** Unix milliseconds. */
  readonly atMs: number;
  /** Price of a file's order, which is dated by the open of the bar it filled in. */
  readonly price?: number;
}

/** Source of firings: the alerts' own conditions, or recorded firings, oldest first. */
export type FiringRecord =
  | { readonly kind: "conditions" }
  | { readonly kind: "recorded"; readonly firings: readonly RecordedFiring[] };

export interface SimulationInput {
  readonly agent: SimulatedAgent;
  readonly costs: SimulationCosts;
  /** Starting money, quote base units. */
  readonly startMoney: bigint;
  readonly quoteDecimals: number;
  /** Oldest first, warm-up included; of the agent's interval, or shorter ones for recorded firings. */
  readonly bars: readonly Bar[];
  /** Bars that open earlier are warm-up only. Unix milliseconds. */
  readonly fromMs: number;
  readonly firings: FiringRecord;
}

/** Reason a simulated order did not fill; `not_filled` is the venue's. */
export type SimulatedRefusal = DenialReason | "not_filled";

/** How many orders were refused for each reason. */
export type Refusals = Readonly<Partial<Record<SimulatedRefusal, number>>>;

/** An order that a signal asked for, filled or not. Prices have six decimals, amounts are base units. */
export interface SimulatedOrder {
  readonly signal: OrderSignal;
  /** 1 for the opening half of a reversal. */
  readonly leg: number;
  readonly alertKey: string;
  /** Close time of the bar that caused it, or the time of the alert from outside, Unix milliseconds. */
  readonly signalledAtMs: number;
  /** Open time of the bar it was executed on, Unix milliseconds. */
  readonly decidedAtMs: number;
  /** Price it was sized at: the close of the bar before. */
  readonly referencePrice: bigint;
  readonly baseSize: bigint;
  readonly fill: SimulatedFill | null;
  readonly refusal: SimulatedRefusal | null;
}

/** The executed part of an order. `spreadCost` and `impactCost` are already included in the price. */
export interface SimulatedFill {
  readonly side: Side;
  readonly reduceOnly: boolean;
  readonly price: bigint;
  readonly quoteSize: bigint;
  readonly fee: bigint;
  readonly spreadCost: bigint;
  readonly impactCost: bigint;
}

/** What ended a position or a part of it. */
export type TradeEnd = "signal" | "liquidation" | "open" | PlanExitReason;

/** A position, or a part of it that was closed by itself, from entry to exit. Amounts in quote base units, `pnl` after all costs. */
export interface SimulatedTrade {
  readonly side: Side;
  readonly baseSize: bigint;
  readonly enteredAtMs: number;
  readonly entryPrice: bigint;
  readonly entryQuote: bigint;
  /** Money of the account before the entry. */
  readonly moneyBefore: bigint;
  /** Null while it is open at the end of the run; it then carries what closing it at the last close would cost. */
  readonly exitedAtMs: number | null;
  readonly exitPrice: bigint;
  readonly pnl: bigint;
  readonly fees: bigint;
  /** Positive means paid. */
  readonly funding: bigint;
  readonly bars: number;
  readonly endedBy: TradeEnd;
}

/** Total costs of a run, quote base units. */
export interface SimulatedCostSum {
  readonly fees: bigint;
  readonly spread: bigint;
  readonly impact: bigint;
  readonly funding: bigint;
}

export interface SimulationResult {
  /** Close times of the counted bars, Unix milliseconds. */
  readonly times: Float64Array<ArrayBuffer>;
  /** Account value at each close, whole quote units; at the last one less the cost of closing an open position. */
  readonly equity: Float64Array<ArrayBuffer>;
  /** Price at each close. */
  readonly closes: Float64Array<ArrayBuffer>;
  /** Open time of the first counted bar, Unix milliseconds. */
  readonly startMs: number;
  /** Open price of the first counted bar. */
  readonly firstOpen: number;
  readonly startMoney: bigint;
  /** Account value at the last close including an open position, quote base units. */
  readonly endMoney: bigint;
  readonly trades: readonly SimulatedTrade[];
  /** Oldest first; of refused orders at most the first `MAX_KEPT_REFUSALS`. */
  readonly orders: readonly SimulatedOrder[];
  readonly refusals: Refusals;
  /** Adds that were not made, on signals and at prices; not among the refusals. */
  readonly refusedAdds: Refusals;
  /** Number of firings of each alert, by its key. */
  readonly fired: Readonly<Record<string, number>>;
  readonly costs: SimulatedCostSum;
  /** Fill of an order that would close the position open at the end; null without one. */
  readonly exit: SimulatedFill | null;
  /** Number of bars with an open position. */
  readonly barsInPosition: number;
  /** Number of places where bars are missing. */
  readonly gaps: number;
  /** Number of bars used for the conditions' warm-up. */
  readonly warmUpBars: number;
  /** Orders caused by the last bar's close, whose next open does not exist yet. */
  readonly ordersWaiting: number;
  /** Number of recorded alerts later than the last closed bar. */
  readonly firingsAfterEnd: number;
}

/** Largest number of refused orders kept individually; later ones are only counted. */
export const MAX_KEPT_REFUSALS = 10_000;
