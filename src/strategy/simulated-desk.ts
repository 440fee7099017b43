import { parseAgentId, parseOrderId } from "../domain/ids.ts";
import { PRICE_DECIMALS } from "../domain/market.ts";
import type { OrderIntent } from "../domain/order/order.ts";
import { deriveIntent, entryBaseSize } from "../domain/order/order-intent.ts";
import { MAX_ORDERS_PER_HOUR, approve } from "../domain/order/risk.ts";
import { isWorthDue, type RecordedWorth, withEntry } from "../domain/owner-history.ts";
import type { OwnerLimits } from "../domain/owner-limits.ts";
import type { PlanExitReason } from "../domain/plan/demand.ts";
import type { AccountState } from "../domain/position.ts";
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

interface DecidedOrder {
  readonly kind: "decided";
  readonly intent: OrderIntent;
  /** Account state the order was decided on. */
  readonly account: AccountState;
  readonly reopens: boolean;
}

interface RefusedOrder {
  readonly kind: "refused";
  readonly reason: SimulatedRefusal;
}

/** Executes signals one after another as the trading lane does, and books their fills. */
export class SimulatedDesk {
  readonly orders: SimulatedOrder[] = [];
  readonly refusals: Partial<Record<SimulatedRefusal, number>> = {};
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
    if (this.#addsOn(waiting, bar)) return;
    const decided = this.#decide(waiting, bar, leg);
    if (decided.kind === "refused") {
      this.#record(waiting, bar, leg, { baseSize: 0n, refusal: decided.reason, fill: null });
      return;
    }
    const { intent, account } = decided;
    const isEntry = !intent.reduceOnly;
    const size = this.#orderable(intent.baseSize);
    const refusal = this.#refuseSize(size, intent);
    if (refusal !== null) {
      this.#record(waiting, bar, leg, { baseSize: size, refusal, fill: null });
      return;
    }
    this.#sentAtMs.push(bar.openTimeMs);
    if (isEntry) {
      this.#ledger = { ...this.#ledger, own: withEntry(this.#ledger.own, account) };
    }
    const fill = this.#fillAt(bar.open, bar.openTimeMs, { ...intent, baseSize: size });
    if (fill === null || (isEntry && !this.#isAcceptable(fill, intent.referencePrice))) {
      this.#ledger = recordOrderEnd(this.#ledger, { hasTraded: false, isEntry }, bar.openTimeMs);
      this.#record(waiting, bar, leg, { baseSize: size, refusal: "not_filled", fill: null });
      return;
    }
    this.#ledger = recordOrderEnd(this.#ledger, { hasTraded: true, isEntry }, bar.openTimeMs);
    this.#book(fill, { ...intent, baseSize: size }, bar);
    this.#record(waiting, bar, leg, { baseSize: size, refusal: null, fill });
    if (decided.reopens) this.carryOut({ ...waiting, denied: null }, bar, 1);
  }

  /** Returns the fill of an order that closes the position at a price; null without a position. */
  exitAt(price: number, atMs: number): SimulatedFill | null {
    const { held } = this.#account;
    if (held === null) return null;
    const side = held.side === "long" ? "short" : "long";
    return this.#fillAt(price, atMs, { side, reduceOnly: true, baseSize: held.baseSize });
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

  #decide(
    { signal, denied, causedBy, portion }: WaitingSignal,
    bar: Bar,
    leg: number,
  ): DecidedOrder | RefusedOrder {
    const refused = (reason: SimulatedRefusal) => ({ kind: "refused" as const, reason });
    if (denied !== null) return refused(denied);
    const price = priceUnits(causedBy.close);
    if (price === null) return refused("stale_price");
    const { agent, quoteDecimals } = this.#input;
    const account = this.#account.stateAt(price, bar.openTimeMs);
    const derived = deriveIntent({
      orderId: SIMULATED_ORDER,
      agentId: SIMULATED_AGENT,
      signal,
      leg,
      market: agent.market,
      account,
      price,
      quoteDecimals,
      slippageBps: agent.slippageBps,
      positionSizePercent: agent.positionSizePercent,
      leverage: agent.leverage ?? 1,
      part: portion < 100 ? { portion, goal: null } : null,
    });
    if (derived.kind === "denied") return refused(derived.reason);
    const nowMs = bar.openTimeMs;
    const { intent } = derived;
    // A closing uses the next available price; an entry after a gap is stale
    const publishedAtMs = intent.reduceOnly ? nowMs : causedBy.closeTimeMs;
    const approval = this.#approval(intent, account, price, nowMs, publishedAtMs);
    if (approval.kind === "denied") return refused(approval.reason);
    return { kind: "decided", intent: approval.intent, account, reopens: derived.reopens };
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
  #refuseSize(size: bigint, { reduceOnly, isLimited }: OrderIntent): SimulatedRefusal | null {
    if (size > 0n && (reduceOnly || size >= this.#input.costs.minBaseSize)) return null;
    return isLimited === true ? "limit_used" : "below_minimum";
  }

  #fillAt(
    price: number,
    atMs: number,
    order: Pick<OrderIntent, "side" | "reduceOnly" | "baseSize">,
  ): SimulatedFill | null {
    const units = priceUnits(price);
    return units === null ? null : this.#fillOf(order, units, atMs);
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

  /** Adds to the position where the plan does so on a further opening signal; returns whether it did. */
  #addsOn(waiting: WaitingSignal, bar: Bar): boolean {
    const { held } = this.#account;
    const size = this.plan?.addOnSignal() ?? null;
    const price = priceUnits(waiting.causedBy.close);
    if (held === null || size === null || price === null || waiting.denied !== null) return false;
    if (waiting.signal !== (held.side === "long" ? "OPEN_LONG" : "OPEN_SHORT")) return false;
    const added = this.#addPart(size, price, bar, waiting.causedBy);
    if (added === null) return false;
    this.plan?.grown(added.baseSize, added.price);
    const { baseSize, fill } = added;
    this.#record(waiting, bar, 0, { baseSize, refusal: null, fill });
    return true;
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

  /**
   * Executes an add of the plan under the limits of an entry: at the level it was due at, or, as an entry is, sized at the
   * close of the bar that caused it and filled at this bar's open.
   */
  #addPart(wanted: bigint, price: bigint, bar: Bar, causedBy?: Bar) {
    const { held } = this.#account;
    const filledAt = causedBy === undefined ? price : priceUnits(bar.open);
    if (held === null || filledAt === null) return null;
    const { agent, quoteDecimals, costs } = this.#input;
    const { market, positionSizePercent, plan = null, leverage = 1 } = agent;
    const account = this.#account.stateAt(price, bar.openTimeMs);
    const at = { account, market, price, quoteDecimals };
    const collateral = account.portfolioValue;
    const settings = { plan, leverage, positionSizePercent };
    const capped = cappedAdd(wanted, held.baseSize, settings, { ...at, collateral });
    const affordable = entryBaseSize({ ...at, leverage, positionSizePercent: 100 });
    const baseSize = this.#orderable(capped < affordable ? capped : affordable);
    if (baseSize === 0n || baseSize < costs.minBaseSize) return null;
    const intent: OrderIntent = {
      orderId: SIMULATED_ORDER,
      agentId: SIMULATED_AGENT,
      signal: held.side === "long" ? "OPEN_LONG" : "OPEN_SHORT",
      market,
      side: held.side,
      reduceOnly: false,
      baseSize,
      referencePrice: price,
      slippageBps: agent.slippageBps,
      percentage: positionSizePercent,
    };
    const publishedAtMs = causedBy?.closeTimeMs ?? bar.openTimeMs;
    if (this.#approval(intent, account, price, bar.openTimeMs, publishedAtMs).kind === "denied") {
      return null;
    }
    const fill = this.#fillOf(intent, filledAt, bar.openTimeMs);
    if (!this.#isAcceptable(fill, price)) return null;
    this.#sentAtMs.push(bar.openTimeMs);
    this.#addCosts(fill);
    this.#account.add(baseSize, fill, bar, price);
    this.noteWorth(Number(filledAt) / PRICE_SCALE, bar.openTimeMs, true);
    return { baseSize, price: fill.price, fill };
  }

  #isAcceptable({ side, price }: SimulatedFill, referencePrice: bigint): boolean {
    return isWithinSlippage(side, price, referencePrice, this.#input.agent.slippageBps);
  }

  #book(
    fill: SimulatedFill,
    { baseSize, referencePrice }: Pick<OrderIntent, "baseSize" | "referencePrice">,
    bar: Bar,
  ): void {
    this.#addCosts(fill);
    if (fill.reduceOnly) {
      this.#account.close(fill, bar.openTimeMs, "signal", baseSize);
      this.plan?.parted(baseSize);
    } else {
      this.#account.open(baseSize, fill, bar, referencePrice);
      this.#enterPlan(baseSize, fill, bar);
    }
    this.noteWorth(bar.open, bar.openTimeMs, true);
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
    ended: Pick<SimulatedOrder, "baseSize" | "refusal" | "fill">,
  ): void {
    const { refusal } = ended;
    if (refusal !== null) {
      this.refusals[refusal] = (this.refusals[refusal] ?? 0) + 1;
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
      ...ended,
    });
  }
}
