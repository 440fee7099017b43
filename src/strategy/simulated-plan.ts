import {
  addLevel,
  demandOf,
  nextAdd,
  type PlanDemand,
  type PlanExitReason,
  type ProtectiveExit,
  targetsExit,
} from "../domain/plan/demand.ts";
import {
  afterAdd,
  afterPart,
  type Plan,
  type PlannedPosition,
  plannedEntry,
  atrLengthsOf,
} from "../domain/plan/plan.ts";
import { barSpanAt, type Bar } from "./bar-times.ts";
import { priceUnits } from "./fill-model.ts";
import { valuesOf } from "../domain/condition/indicator-table.ts";
import { AverageTrueRange, atr } from "../domain/indicators/atr.ts";
import { CLOSE, HIGH, LOW, OPEN } from "../domain/indicators/indicator.ts";

/** Carries out what a plan asks for. Prices have six decimals. */
export interface PlanHands {
  /** Closes base units of the position and returns how many were closed; 0 where the venue's step leaves none. */
  readonly close: (baseSize: bigint, price: bigint, atMs: number, reason: PlanExitReason) => bigint;
  /** Adds to the position, which tells `grown`, and returns whether it did: limits may leave nothing. */
  readonly add: (baseSize: bigint, price: bigint, bar: Bar) => boolean;
}

/** The figures of a bar as prices with six decimals. */
interface BarPrices {
  readonly open: bigint;
  readonly low: bigint;
  readonly high: bigint;
  readonly close: bigint;
}

/**
 * Runs a plan over the bars of a simulated position with the function that the lanes call.
 *
 * Within a bar the order of prices is not known and assumed against the position: the open, then adds, then the stop,
 * then targets. A stop or target that the open is beyond fills at the open. Trailing follows the extremes of earlier
 * bars and this bar's open only.
 */
export class SimulatedPlan {
  position: PlannedPosition | null = null;
  readonly #plan: Plan;
  readonly #intervalMinutes: number;
  readonly #hands: PlanHands;
  #isAddRefused = false;
  #hasAddedWithin = false;

  constructor(plan: Plan, intervalMinutes: number, hands: PlanHands) {
    this.#plan = plan;
    this.#intervalMinutes = intervalMinutes;
    this.#hands = hands;
  }

  entered(entry: Parameters<typeof plannedEntry>[0]): void {
    this.position = plannedEntry(entry);
  }

  /** Called when a signal or the venue closed part of the position. */
  parted(baseSize: bigint): void {
    this.position = this.position && afterPart(this.position, baseSize);
  }

  /** Returns the size that a further opening signal adds, `done` after the last; null where the plan adds nothing on signals. */
  addOnSignal(): bigint | "done" | null {
    if (this.position === null || this.#plan.adds?.on.kind !== "signal") return null;
    return nextAdd(this.#plan, this.position) ?? "done";
  }

  grown(baseSize: bigint, price: bigint): void {
    this.position = this.position && afterAdd(this.position, baseSize, price);
  }

  /** Carries out what the open, adds within the bar and the stop ask for. */
  untilStop(bar: Bar): void {
    const prices = pricesOf(bar);
    if (prices === null) return;
    this.#isAddRefused = false;
    this.#hasAddedWithin = false;
    this.#atOpen(prices.open, bar);
    this.#addsWithin(prices, bar);
    const stop = this.#stopWithin(prices.open);
    if (stop !== undefined && isReached(stop, prices)) {
      this.#close(stop.baseSize, stop.triggerPrice, bar.closeTimeMs, stop.reason, []);
    }
  }

  /** Carries out the targets within the bar, the nearest first; after an add within it only those its close is beyond. */
  targets(bar: Bar): void {
    const all = pricesOf(bar);
    const prices =
      all !== null && this.#hasAddedWithin ? { ...all, low: all.close, high: all.close } : all;
    while (prices !== null && this.position !== null) {
      const isLong = this.position.side === "long";
      const reached = (this.#demand(prices.open)?.protective ?? [])
        .filter((exit) => exit.key !== "stop" && isReached(exit, prices))
        .toSorted((a, b) => (a.triggerPrice < b.triggerPrice === isLong ? -1 : 1));
      const price = reached[0]?.triggerPrice;
      if (price === undefined) return;
      const { baseSize, reason, targets } = targetsExit(
        reached.filter(({ triggerPrice }) => triggerPrice === price),
      );
      this.#close(baseSize, price, bar.closeTimeMs, reason, targets);
    }
  }

  /** Books the best price and the stop at the bar's close. */
  passed(bar: Bar): void {
    const prices = pricesOf(bar);
    if (this.position === null || prices === null) return;
    const isLong = this.position.side === "long";
    const { stopPrice, bestPrice } = demandOf(this.#plan, this.position, {
      price: prices.close,
      // An extreme may have come before the bar's add
      extreme: this.#hasAddedWithin ? prices.close : isLong ? prices.high : prices.low,
    });
    const isWhole = bar.closeTimeMs >= barSpanAt(this.#intervalMinutes, bar.openTimeMs).closeTimeMs;
    const barsHeld = this.position.barsHeld + (isWhole ? 1 : 0);
    this.position = { ...this.position, stopPrice, bestPrice, barsHeld };
  }

  #demand(price: bigint): PlanDemand | null {
    return this.position && demandOf(this.#plan, this.position, { price });
  }

  /** Returns the stop as it stands within a bar: an open from before an add is no profit on the average after it. */
  #stopWithin(open: bigint): ProtectiveExit | undefined {
    const price = this.#hasAddedWithin ? (this.position?.bestPrice ?? open) : open;
    return this.#demand(price)?.protective.find(({ key }) => key === "stop");
  }

  #atOpen(open: bigint, bar: Bar): void {
    for (let demand = this.#demand(open); demand !== null; demand = this.#demand(open)) {
      const { closeNow, addNow } = demand;
      if (closeNow !== null) {
        const { baseSize, reason, targets } = closeNow;
        const isDone = this.#close(baseSize, open, bar.openTimeMs, reason, targets);
        if (!isDone) return;
      } else if (addNow === null || !this.#add(addNow.baseSize, open, bar)) return;
    }
  }

  #addsWithin({ open, low, high }: BarPrices, bar: Bar): void {
    const { adds } = this.#plan;
    while (this.position !== null && adds !== undefined && adds.on.kind !== "signal") {
      const level = addLevel(this.#plan, this.position);
      if (level === null) return;
      const isFall = (adds.on.kind === "against") === (this.position.side === "long");
      if (isFall ? low >= level : high <= level) return;
      const stop = this.#stopWithin(open);
      if (adds.on.kind === "against" && stop !== undefined) {
        const isBehind = isFall ? level <= stop.triggerPrice : level >= stop.triggerPrice;
        if (isBehind) return;
      }
      if (!this.#add(nextAdd(this.#plan, this.position) ?? 0n, level, bar)) return;
      this.#hasAddedWithin = true;
    }
  }

  #add(baseSize: bigint, price: bigint, bar: Bar): boolean {
    if (this.#isAddRefused) return false;
    this.#isAddRefused = !this.#hands.add(baseSize, price, bar);
    return !this.#isAddRefused;
  }

  /** A part below the venue's step counts as closed, so that its target is not tried for ever. */
  #close(
    baseSize: bigint,
    price: bigint,
    atMs: number,
    reason: PlanExitReason,
    targets: readonly number[],
  ): boolean {
    if (this.position === null) return false;
    const closed = this.#hands.close(baseSize, price, atMs, reason);
    this.position = afterPart(this.position, closed, targets);
    return closed > 0n || targets.length > 0;
  }
}

function pricesOf(bar: Bar): BarPrices | null {
  const open = priceUnits(bar.open);
  const low = priceUnits(bar.low);
  const high = priceUnits(bar.high);
  const close = priceUnits(bar.close);
  return open === null || low === null || high === null || close === null
    ? null
    : { open, low, high, close };
}

const isReached = ({ triggersWhen, triggerPrice }: ProtectiveExit, { low, high }: BarPrices) =>
  triggersWhen === "below" ? low < triggerPrice : high > triggerPrice;

const MINUTE_MS = 60_000;
const LEAST_BARS = 200;
const PERIODS = 8;

const barsFor = (length: number) =>
  Math.max(LEAST_BARS, PERIODS * atr.lookBack(valuesOf("ATR", [length])));

/** Returns how many bars of a bar's length one of the agent's interval takes. */
export const barsPerInterval = ({ openTimeMs, closeTimeMs }: Bar, intervalMinutes: number) =>
  Math.max(1, Math.ceil((intervalMinutes * MINUTE_MS) / (closeTimeMs - openTimeMs)));

/** Returns the number of closed bars of the agent's interval that a plan's ATR is computed from; 0 without one. */
export const planAtrBars = (plan: Plan | null): number =>
  plan === null ? 0 : Math.max(0, ...atrLengthsOf(plan).map(barsFor));

/**
 * Returns the ATR of each length that a plan names, with six decimals, from closed bars that end before the entry.
 *
 * Each is computed from a fixed number of bars, so that the same bars give the same figure on any machine. Bars may be
 * shorter than the agent's interval. A length without enough bars is absent: its stop has no level.
 */
export function planAtr(
  bars: readonly Bar[],
  plan: Plan,
  intervalMinutes: number,
): ReadonlyMap<number, bigint> {
  const whole = wholeBars(bars, intervalMinutes);
  const found = new Map<number, bigint>();
  for (const length of atrLengthsOf(plan)) {
    const used = whole.slice(-barsFor(length));
    if (used.length <= length) continue;
    const average = new AverageTrueRange(length);
    let value = Number.NaN;
    for (const bar of used) value = average.push(figuresOf(bar));
    const units = priceUnits(value);
    if (units !== null) found.set(length, units);
  }
  return found;
}

function figuresOf(bar: Bar): Float64Array {
  const figures = new Float64Array(5);
  figures[OPEN] = bar.open;
  figures[HIGH] = bar.high;
  figures[LOW] = bar.low;
  figures[CLOSE] = bar.close;
  return figures;
}

/** Returns the closed bars of an interval that shorter bars add up to. */
function wholeBars(bars: readonly Bar[], intervalMinutes: number): readonly Bar[] {
  const [first] = bars;
  const isShorter =
    first !== undefined &&
    first.closeTimeMs - first.openTimeMs < intervalMinutes * MINUTE_MS &&
    barSpanAt(intervalMinutes, first.openTimeMs).closeTimeMs > first.closeTimeMs;
  if (!isShorter) return bars;
  const whole: Bar[] = [];
  let open: Bar | null = null;
  for (const bar of bars) {
    const span = barSpanAt(intervalMinutes, bar.openTimeMs);
    const isNext: boolean = open === null || open.openTimeMs !== span.openTimeMs;
    const before: Bar = open === null || isNext ? { ...bar, ...span } : open;
    open = {
      ...before,
      high: Math.max(before.high, bar.high),
      low: Math.min(before.low, bar.low),
      close: bar.close,
    };
    if (bar.closeTimeMs < span.closeTimeMs) continue;
    whole.push(open);
    open = null;
  }
  return whole;
}
