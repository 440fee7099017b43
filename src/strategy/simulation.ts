import type { AlertCondition } from "../domain/condition/condition.ts";
import type { DenialReason } from "../domain/denial.ts";
import type { Market } from "../domain/market.ts";
import type { OwnerLimits } from "../domain/owner-limits.ts";
import type { Side } from "../domain/position.ts";
import type { OrderSignal, Signal } from "../domain/signal.ts";
import type { TradingCosts } from "../domain/trading-costs.ts";
import type { Bar } from "./bar.ts";

/** An alert of the agent; one without a condition is fired from outside only. */
export interface SimulatedAlert {
  readonly alertKey: string;
  readonly name: string;
  readonly condition?: AlertCondition | undefined;
}

export interface SimulatedRule {
  readonly ruleId: string;
  readonly action: Signal;
  readonly conditions: readonly { readonly alertKey: string; readonly requiredCount: number }[];
}

/** What the trading key may move within a day: it spends the quote token to buy, and sells what it bought. Base units. */
export interface DailyLimits {
  readonly quote: bigint;
  readonly base: bigint;
}

/** Everything of an agent that decides what it trades. Rules stand in the order of their creation. */
export interface SimulatedAgent {
  readonly market: Market;
  readonly intervalMinutes: number;
  /** 1 to 100. */
  readonly positionSizePercent: number;
  readonly slippageBps: number;
  /** What its owner limits. */
  readonly limits: OwnerLimits;
  /** Null where the venue limits the key in another way, or no limit is known. */
  readonly dailyLimits: DailyLimits | null;
  readonly alerts: readonly SimulatedAlert[];
  readonly rules: readonly SimulatedRule[];
}

/** What trading is assumed to cost. */
export type SimulationCosts = TradingCosts;

/** An alert that came from outside. */
export interface RecordedFiring {
  readonly alertKey: string;
  /** Unix milliseconds. */
  readonly atMs: number;
}

/** Where firings come from: the alerts' own conditions, or a record, oldest first. */
export type FiringRecord =
  | { readonly kind: "conditions" }
  | { readonly kind: "recorded"; readonly firings: readonly RecordedFiring[] };

export interface SimulationInput {
  readonly agent: SimulatedAgent;
  readonly costs: SimulationCosts;
  /** Money at the start, quote base units. */
  readonly startMoney: bigint;
  readonly quoteDecimals: number;
  /** Oldest first, warm-up included. */
  readonly bars: readonly Bar[];
  /** Bars that open earlier only warm the conditions up. Unix milliseconds. */
  readonly fromMs: number;
  readonly firings: FiringRecord;
}

/** Why an order of the simulation did not fill; the first two are what a venue says. */
export type SimulatedRefusal = DenialReason | "not_filled";

/** One order a signal asked for, filled or not. Prices have six decimals, amounts are base units. */
export interface SimulatedOrder {
  readonly signal: OrderSignal;
  /** 1 for the opening half of a turn to the other side. */
  readonly leg: number;
  readonly alertKey: string;
  /** Close of the bar that asked for it, Unix milliseconds. */
  readonly signalledAtMs: number;
  /** Open of the bar it met. */
  readonly decidedAtMs: number;
  /** Price it was sized at: the close of the bar before. */
  readonly referencePrice: bigint;
  readonly baseSize: bigint;
  readonly fill: SimulatedFill | null;
  readonly refusal: SimulatedRefusal | null;
}

/** What an order traded. `spreadCost` and `impactCost` are in the price already. */
export interface SimulatedFill {
  readonly side: Side;
  readonly reduceOnly: boolean;
  readonly price: bigint;
  readonly quoteSize: bigint;
  readonly fee: bigint;
  readonly spreadCost: bigint;
  readonly impactCost: bigint;
}

/** A position from its entry to its end. Amounts in quote base units, `pnl` after every cost. */
export interface SimulatedTrade {
  readonly side: Side;
  readonly baseSize: bigint;
  readonly enteredAtMs: number;
  readonly entryPrice: bigint;
  readonly entryQuote: bigint;
  /** Money of the account before the entry. */
  readonly moneyBefore: bigint;
  /** Null while it is open at the end; then the last close stands in for the exit's price. */
  readonly exitedAtMs: number | null;
  readonly exitPrice: bigint;
  readonly pnl: bigint;
  readonly fees: bigint;
  /** Positive was paid. */
  readonly funding: bigint;
  readonly bars: number;
  readonly endedBy: "signal" | "liquidation" | "open";
}

/** Every cost of a run added up, quote base units. */
export interface SimulatedCostSum {
  readonly fees: bigint;
  readonly spread: bigint;
  readonly impact: bigint;
  readonly funding: bigint;
}

export interface SimulationResult {
  /** Closes of the bars that counted, Unix milliseconds. */
  readonly times: Float64Array<ArrayBuffer>;
  /** Worth of the account at each close, whole quote units. */
  readonly equity: Float64Array<ArrayBuffer>;
  /** Price at each close. */
  readonly closes: Float64Array<ArrayBuffer>;
  /** Open of the first bar that counted. */
  readonly firstOpen: number;
  readonly startMoney: bigint;
  /** Worth of the account at the last close, an open position included, quote base units. */
  readonly endMoney: bigint;
  readonly trades: readonly SimulatedTrade[];
  /** Oldest first; of refused ones at most the first `MAX_KEPT_REFUSALS`. */
  readonly orders: readonly SimulatedOrder[];
  readonly refusals: Readonly<Partial<Record<SimulatedRefusal, number>>>;
  /** How often each alert fired, by its key. */
  readonly fired: Readonly<Record<string, number>>;
  readonly costs: SimulatedCostSum;
  /** Bars spent with a position. */
  readonly barsInPosition: number;
  /** Places where bars are missing. */
  readonly gaps: number;
  /** Bars that only warmed the conditions up. */
  readonly warmUpBars: number;
  /** Orders that the last bar's close asked for; the open they would meet is not there yet. */
  readonly ordersWaiting: number;
  /** Recorded alerts later than the last closed bar. */
  readonly firingsAfterEnd: number;
}

/** Refused orders kept one by one; further ones are only counted. */
export const MAX_KEPT_REFUSALS = 10_000;
