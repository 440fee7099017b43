import { parseAgentId, parseOrderId } from "../domain/ids.ts";
import { PRICE_DECIMALS } from "../domain/market.ts";
import type { OrderIntent } from "../domain/order/order.ts";
import { deriveIntent } from "../domain/order/order-intent.ts";
import { MAX_ORDERS_PER_HOUR, approve } from "../domain/order/risk.ts";
import { isWorthDue, type RecordedWorth, withEntry } from "../domain/owner-history.ts";
import type { OwnerLimits } from "../domain/owner-limits.ts";
import type { PlanExitReason } from "../domain/plan/demand.ts";
import type { AccountState, Side } from "../domain/position.ts";
import {
  EMPTY_RISK_LEDGER,
  type RiskLedger,
  openRiskDay,
  recordOrderEnd,
} from "../domain/risk-ledger.ts";
import type { OrderSignal } from "../domain/signal.ts";
import type { Bar } from "./bar-times.ts";
import { costsAt, fillOf, isWithinSlippage, priceUnits, triggerFeeOf } from "./fill-model.ts";
import { SimulatedPlan, barsPerInterval, planAtr, planAtrBars } from "./simulated-plan.ts";
import type { SimulatedAccount } from "./simulated-account.ts";
import {
  MAX_KEPT_REFUSALS,
  type SimulatedFill,
  type SimulatedOrder,
  type SimulatedRefusal,
  type SimulationInput,
} from "./simulation.ts";
import { cappedAdd } from "../domain/plan/size.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const WHOLE = 100;
const PRICE_SCALE = 10 ** PRICE_DECIMALS;
const SIMULATED_ORDER = parseOrderId("0".repeat(32));
const SIMULATED_AGENT = parseAgentId("0".repeat(32));

/** A signal waiting for the next bar. */
export interface WaitingSignal {
  readonly signal: OrderSignal;
  readonly alertKey: string;
  /** Percent of the position that a closing closes. */
  readonly portion: number;
  readonly denied: "both_sides" | null;
  /** Bar at whose close the signal arose. */
  readonly causedBy: Bar;
  /** Unix milliseconds. */
  readonly signalledAtMs: number;
}

/** An order before it is derived. */
interface AskedOrder {
  readonly signal: OrderSignal;
  readonly leg: number;
  /** Percent of the position that a closing closes. */
  readonly portion: number;
  /** Price it is sized at, six decimals. */
  readonly price: bigint;
  /** What the plan adds to the position; null where it adds nothing. */
  readonly add: bigint | "done" | null;
  /** Close of the bar that caused it, which fills at the next open; absent for an add at its price. */
  readonly closedAtMs?: number;
}

/** What became of an order; `reopens` where its signal opens the other side after it. */
type Ended = Pick<SimulatedOrder, "baseSize" | "refusal" | "fill"> & { readonly reopens: boolean };

const refused = (refusal: SimulatedRefusal) =>
  ({ baseSize: 0n, refusal, fill: null, reopens: false }) as const;

const openingOf = (side: Side): OrderSignal => (side === "long" ? "OPEN_LONG" : "OPEN_SHORT");

/** Executes signals one after another as the trading lane does, and books their fills. */
export class SimulatedDesk {
  readonly orders: SimulatedOrder[] = [];
  readonly refusals: Partial<Record<SimulatedRefusal, number>> = {};
  readonly refusedAdds: Partial<Record<SimulatedRefusal, number>> = {};
  spread = 0n;
  impact = 0n;
  fees = 0n;
  readonly #input: SimulationInput;
  readonly #account: SimulatedAccount;
  /** The owner's limits without the share of one asset, which depends on the owner's other agents. */
  readonly #limits: OwnerLimits;
  #ledger: RiskLedger = EMPTY_RISK_LEDGER;
  #sentAtMs: number[] = [];
  /** Account values since the last decision, recorded as live; only kept where a drawdown limit reads them. */
  #worths: RecordedWorth[] = [];
  #worthAtMs: number | null = null;
  #keptRefusals = 0;
  /** Index of the bar that is carried out. */
  at = 0;
  /** Null for an agent without a plan. */
  readonly plan: SimulatedPlan | null;

  constructor(input: SimulationInput, account: SimulatedAccount) {
    this.#input = input;
    this.#account = account;
    this.#limits = { ...input.agent.limits, assetShareBps: null };
    const { plan, intervalMinutes } = input.agent;
    this.plan = plan
      ? new SimulatedPlan(plan, intervalMinutes, {
          close: (...exit) => this.#closePart(...exit),
          add: (baseSize, price, bar) => this.#addPart(baseSize, price, bar),
        })
      : null;
  }

  /** Executes a signal at the open of a bar. An opposite position is closed first, then the new one opened. */
  carryOut(waiting: WaitingSignal, bar: Bar, leg = 0): void {
    const { signal, denied, portion, causedBy } = waiting;
    const price = priceUnits(causedBy.close);
    const add = denied === null ? this.#addOnSignal(signal) : null;
    const ended =
      denied !== null || price === null
        ? refused(denied ?? "stale_price")
        : this.#trade({ signal, leg, portion, price, add, closedAtMs: causedBy.closeTimeMs }, bar);
    if (ended.refusal !== null) this.#count(ended.refusal, add !== null);
    this.#record(waiting, bar, leg, ended);
    if (ended.reopens) this.carryOut({ ...waiting, denied: null }, bar, 1);
  }

  /** Returns the fill of an order that closes the position at a price; null without a position. */
  exitAt(price: number, atMs: number): SimulatedFill | null {
    const { held } = this.#account;
    if (held === null) return null;
    const side = held.side === "long" ? "short" : "long";
    const units = priceUnits(price);
    const order = { side, reduceOnly: true, baseSize: held.baseSize } as const;
    return units === null ? null : this.#fillOf(order, units, atMs);
  }

  /** Closes the position at a price on behalf of the venue. */
  liquidate(price: number, bar: Bar): void {
    const fill = this.exitAt(price, bar.closeTimeMs);
    if (fill === null) return;
    this.#addCosts(fill);
    this.#account.close(fill, bar.closeTimeMs, "liquidation");
    if (this.plan !== null) this.plan.position = null;
    this.noteWorth(price, bar.closeTimeMs, true);
  }

  /** Records the account's value at a price where one is due, as live: after a fill, and once an hour. */
  noteWorth(at: number, nowMs: number, isFill = false): void {
    const price = this.#limits.fallBps === null ? null : priceUnits(at);
    if (price === null || (!isFill && !isWorthDue(this.#worthAtMs, nowMs))) return;
    const { portfolioValue, netDeposits } = this.#account.stateAt(price, nowMs);
    this.#worths.push({ value: portfolioValue, netFlow: netDeposits });
    this.#worthAtMs = nowMs;
  }

  /** Returns what the plan adds to the position on a signal of its side; null where it adds nothing. */
  #addOnSignal(signal: OrderSignal): bigint | "done" | null {
    const { held } = this.#account;
    return held !== null && signal === openingOf(held.side)
      ? (this.plan?.addOnSignal() ?? null)
      : null;
  }

  /** Derives an order as a lane does, checks it against the limits and books its fill. */
  #trade(asked: AskedOrder, bar: Bar): Ended {
    const { signal, leg, portion, price, add, closedAtMs } = asked;
    const { agent, quoteDecimals } = this.#input;
    const { market, positionSizePercent, plan = null, leverage = 1 } = agent;
    const nowMs = bar.openTimeMs;
    const account = this.#account.stateAt(price, nowMs);
    const at = { price, market, quoteDecimals, collateral: account.portfolioValue };
    const settings = { plan, leverage, positionSizePercent };
    const held = this.#account.held?.baseSize ?? 0n;
    const derived = deriveIntent({
      orderId: SIMULATED_ORDER,
      agentId: SIMULATED_AGENT,
      signal,
      leg,
      market,
      account,
      price,
      quoteDecimals,
      add: typeof add === "bigint" ? cappedAdd(add, held, settings, at) : add,
      slippageBps: agent.slippageBps,
      positionSizePercent,
      leverage,
      part: portion < WHOLE ? { portion, goal: null } : null,
    });
    if (derived.kind === "denied") return refused(derived.reason);
    // A closing uses the next available price; an entry after a gap is stale
    const publishedAtMs = derived.intent.reduceOnly ? nowMs : (closedAtMs ?? nowMs);
    const approval = this.#approval(derived.intent, account, price, nowMs, publishedAtMs);
    if (approval.kind === "denied") return refused(approval.reason);
    const intent = { ...approval.intent, baseSize: this.#orderable(approval.intent.baseSize) };
    const tooSmall = this.#refuseSize(intent);
    if (tooSmall !== null) return { ...refused(tooSmall), baseSize: intent.baseSize };
    const filledAt = closedAtMs === undefined ? price : priceUnits(bar.open);
    const fill = this.#send(intent, account, filledAt, bar);
    return fill === null
      ? { ...refused("not_filled"), baseSize: intent.baseSize }
      : { baseSize: intent.baseSize, refusal: null, fill, reopens: derived.reopens };
  }

  /** Returns the fill of an order, booked; null where its price is further than an opening's slippage allows. */
  #send(
    intent: OrderIntent,
    account: AccountState,
    at: bigint | null,
    bar: Bar,
  ): SimulatedFill | null {
    const nowMs = bar.openTimeMs;
    const isEntry = !intent.reduceOnly;
    this.#sentAtMs.push(nowMs);
    if (isEntry && intent.isAdd !== true) {
      this.#ledger = { ...this.#ledger, own: withEntry(this.#ledger.own, account) };
    }
    const fill = at === null ? null : this.#fillOf(intent, at, nowMs);
    const hasTraded =
      fill !== null && (!isEntry || this.#isAcceptable(fill, intent.referencePrice));
    this.#ledger = recordOrderEnd(this.#ledger, { hasTraded, isEntry }, nowMs);
    if (!hasTraded || at === null) return null;
    this.#book(fill, intent, bar);
    this.noteWorth(Number(at) / PRICE_SCALE, nowMs, true);
    return fill;
  }

  #approval(
    intent: OrderIntent,
    account: AccountState,
    price: bigint,
    nowMs: number,
    publishedAtMs: number,
  ): ReturnType<typeof approve> {
    const { quoteDecimals, agent } = this.#input;
    const between = this.#limits.fallBps === null ? null : { before: null, worths: this.#worths };
    this.#ledger = openRiskDay(this.#ledger, nowMs, account, this.#limits, between);
    this.#worths = [];
    return approve(intent, {
      nowMs,
      price: { price, confidence: 0n, publishedAtMs },
      account,
      quoteDecimals,
      isVenueAvailable: true,
      tradingState: "active",
      ledger: this.#ledger,
      limits: this.#limits,
      walletMoney: null,
      leverage: agent.leverage ?? 1,
      ...this.#sentBefore(nowMs),
    });
  }

  #sentBefore(nowMs: number) {
    this.#sentAtMs = this.#sentAtMs.slice(-MAX_ORDERS_PER_HOUR);
    const ordersLastHour = this.#sentAtMs.filter((atMs) => atMs > nowMs - HOUR_MS).length;
    const ordersLastMinute = this.#sentAtMs.filter((atMs) => atMs > nowMs - MINUTE_MS).length;
    // Other agents of the owner and the network are not simulated
    return {
      ordersLastHour,
      ordersLastMinute,
      entriesLastMinuteOfOwner: 0,
      feesTodayOfOwner: 0n,
      feesTodayOfAll: 0n,
      ownersToday: 0,
    };
  }

  #orderable(baseSize: bigint): bigint {
    const { baseStep } = this.#input.costs;
    return baseStep > 0n ? baseSize - (baseSize % baseStep) : baseSize;
  }

  /** A closing has no minimum size. */
  #refuseSize({ baseSize, reduceOnly, isLimited }: OrderIntent): SimulatedRefusal | null {
    if (baseSize > 0n && (reduceOnly || baseSize >= this.#input.costs.minBaseSize)) return null;
    return isLimited === true ? "limit_used" : "below_minimum";
  }

  #fillOf(order: Parameters<typeof fillOf>[0], price: bigint, atMs: number): SimulatedFill {
    const { agent, quoteDecimals, costs } = this.#input;
    return fillOf(order, {
      market: agent.market,
      quoteDecimals,
      price,
      costs: costsAt(costs, atMs),
    });
  }

  /** Executes an exit of the plan. The venue takes a fee for what rested there. */
  #closePart(wanted: bigint, price: bigint, atMs: number, reason: PlanExitReason): bigint {
    const { held } = this.#account;
    if (held === null) return 0n;
    const baseSize = wanted >= held.baseSize ? held.baseSize : this.#orderable(wanted);
    if (baseSize === 0n) return 0n;
    const { agent, quoteDecimals } = this.#input;
    const side = held.side === "long" ? "short" : "long";
    const order = { side, reduceOnly: true, baseSize } as const;
    const found = this.#fillOf(order, price, atMs);
    const isWatched = reason === "hold" || reason === "target";
    const fee = isWatched ? 0n : triggerFeeOf(agent.market, quoteDecimals);
    const fill = { ...found, fee: found.fee + fee };
    this.#addCosts(fill);
    this.#account.close(fill, atMs, reason, baseSize);
    this.noteWorth(Number(price) / PRICE_SCALE, atMs, true);
    return baseSize;
  }

  /** Executes an add of the plan under the limits of an entry, at the level it was due at; returns whether it did. */
  #addPart(add: bigint, price: bigint, bar: Bar): boolean {
    const { held } = this.#account;
    if (held === null) return false;
    const asked = { signal: openingOf(held.side), leg: 0, portion: WHOLE, price, add };
    const { refusal } = this.#trade(asked, bar);
    if (refusal !== null) this.#count(refusal, true);
    return refusal === null;
  }

  #count(reason: SimulatedRefusal, isAdd: boolean): void {
    const counts = isAdd ? this.refusedAdds : this.refusals;
    counts[reason] = (counts[reason] ?? 0) + 1;
  }

  #isAcceptable({ side, price }: SimulatedFill, referencePrice: bigint): boolean {
    return isWithinSlippage(side, price, referencePrice, this.#input.agent.slippageBps);
  }

  #book(fill: SimulatedFill, { baseSize, referencePrice, isAdd }: OrderIntent, bar: Bar): void {
    this.#addCosts(fill);
    if (fill.reduceOnly) {
      this.#account.close(fill, bar.openTimeMs, "signal", baseSize);
      this.plan?.parted(baseSize);
    } else if (isAdd === true) {
      this.#account.add(baseSize, fill, bar, referencePrice);
      this.plan?.grown(baseSize, fill.price);
    } else {
      this.#account.open(baseSize, fill, bar, referencePrice);
      this.#enterPlan(baseSize, fill, bar);
    }
  }

  #enterPlan(baseSize: bigint, { side, price }: SimulatedFill, bar: Bar): void {
    const { plan, market, intervalMinutes } = this.#input.agent;
    if (this.plan === null || !plan) return;
    const { marketId } = market;
    const { bars } = this.#input;
    const count = (planAtrBars(plan) + 1) * barsPerInterval(bar, intervalMinutes);
    const closed = bars.slice(Math.max(0, this.at - count), this.at);
    const atr = planAtr(closed, plan, intervalMinutes);
    this.plan.entered({ marketId, side, baseSize, price, atr, openedAtMs: bar.openTimeMs });
  }

  #addCosts({ fee, spreadCost, impactCost }: SimulatedFill): void {
    this.fees += fee;
    this.spread += spreadCost;
    this.impact += impactCost;
  }

  #record(
    { signal, alertKey, causedBy, signalledAtMs }: WaitingSignal,
    bar: Bar,
    leg: number,
    { baseSize, refusal, fill }: Ended,
  ): void {
    if (refusal !== null) {
      this.#keptRefusals += 1;
      if (this.#keptRefusals > MAX_KEPT_REFUSALS) return;
    }
    this.orders.push({
      signal,
      leg,
      alertKey,
      signalledAtMs,
      decidedAtMs: bar.openTimeMs,
      referencePrice: priceUnits(causedBy.close) ?? 0n,
      baseSize,
      fill,
      refusal,
    });
  }
}
