import { type RuleState, evaluateAlert } from "../domain/rule-engine.ts";
import { isResetSignal, type OrderSignal } from "../domain/signal.ts";
import type { Bar } from "./bar.ts";
import { type FiringSource, firingSourceOf } from "./firing-source.ts";
import { SimulatedAccount } from "./simulated-account.ts";
import {
  type SimulatedAgent,
  type SimulationInput,
  type SimulationResult,
  MAX_KEPT_REFUSALS,
  type SimulatedFill,
  type SimulatedOrder,
  type SimulatedRefusal,
} from "./simulation.ts";
import { parseAgentId, parseOrderId } from "../domain/ids.ts";
import type { OrderIntent } from "../domain/order/order.ts";
import { deriveIntent } from "../domain/order/order-intent.ts";
import { isWorthDue, type RecordedWorth, withEntry } from "../domain/owner-history.ts";
import type { OwnerLimits } from "../domain/owner-limits.ts";
import type { AccountState } from "../domain/position.ts";
import { MAX_ORDERS_PER_HOUR, approve } from "../domain/order/risk.ts";
import {
  EMPTY_RISK_LEDGER,
  type RiskLedger,
  openRiskDay,
  recordOrderEnd,
} from "../domain/risk-ledger.ts";
import { fillOf, isWithinSlippage, priceUnits } from "./fill-model.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SIMULATED_ORDER = parseOrderId("0".repeat(32));
const SIMULATED_AGENT = parseAgentId("0".repeat(32));

/** A signal waiting for the next bar. */
interface WaitingSignal {
  readonly signal: OrderSignal;
  readonly alertKey: string;
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
class SimulatedDesk {
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

  constructor(input: SimulationInput, account: SimulatedAccount) {
    this.#input = input;
    this.#account = account;
    this.#limits = { ...input.agent.limits, assetShareBps: null };
  }

  /** Executes a signal at the open of a bar. An opposite position is closed first, then the new one opened. */
  carryOut(waiting: WaitingSignal, bar: Bar, leg = 0): void {
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
    const fill = this.#fillAt(bar.open, { ...intent, baseSize: size });
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
  exitAt(price: number): SimulatedFill | null {
    const { held } = this.#account;
    if (held === null) return null;
    const side = held.side === "long" ? "short" : "long";
    return this.#fillAt(price, { side, reduceOnly: true, baseSize: held.baseSize });
  }

  /** Closes the position at a price on behalf of the venue. */
  liquidate(price: number, bar: Bar): void {
    const fill = this.exitAt(price);
    if (fill === null) return;
    this.#addCosts(fill);
    this.#account.close(fill, bar.closeTimeMs, "liquidation");
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
    { signal, denied, causedBy }: WaitingSignal,
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
    });
    if (derived.kind === "denied") return refused(derived.reason);
    const nowMs = bar.openTimeMs;
    const between = this.#limits.fallBps === null ? null : { before: null, worths: this.#worths };
    this.#ledger = openRiskDay(this.#ledger, nowMs, account, this.#limits, between);
    this.#worths = [];
    // A closing uses the next available price; an entry after a gap is stale
    const publishedAtMs = derived.intent.reduceOnly ? nowMs : causedBy.closeTimeMs;
    const approval = approve(derived.intent, {
      nowMs,
      price: { price, confidence: 0n, publishedAtMs },
      account,
      quoteDecimals,
      isVenueAvailable: true,
      tradingState: "active",
      ledger: this.#ledger,
      limits: this.#limits,
      walletMoney: null,
      ...this.#sentBefore(nowMs),
    });
    return approval.kind === "denied"
      ? refused(approval.reason)
      : { kind: "decided", intent: approval.intent, account, reopens: derived.reopens };
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
    order: Pick<OrderIntent, "side" | "reduceOnly" | "baseSize">,
  ): SimulatedFill | null {
    const units = priceUnits(price);
    const { agent, quoteDecimals, costs } = this.#input;
    if (units === null) return null;
    return fillOf(order, { market: agent.market, quoteDecimals, price: units, costs });
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
    if (fill.reduceOnly) this.#account.close(fill, bar.openTimeMs, "signal");
    else this.#account.open(baseSize, fill, bar, referencePrice);
    this.noteWorth(bar.open, bar.openTimeMs, true);
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

/**
 * Simulates an agent over closed bars with the code that trades live: conditions, rules, order and risk checks.
 *
 * A signal at a bar's close is executed at the next bar's open, never at the price that caused it. Within a bar only
 * the venue's liquidation can happen: the product has no resting orders.
 */
export function simulate(
  input: SimulationInput,
  source: FiringSource = firingSourceOf(input),
): SimulationResult {
  const { bars } = input;
  const account = new SimulatedAccount(input);
  const desk = new SimulatedDesk(input, account);
  const start = firstCounted(input, source);
  const count = Math.max(0, bars.length - start);
  const times = new Float64Array(count);
  const equity = new Float64Array(count);
  const closes = new Float64Array(count);
  const fired: Record<string, number> = {};
  let rules = rulesOf(input.agent);
  let waiting: WaitingSignal[] = [];
  let barsInPosition = 0;
  let gaps = 0;

  for (let at = 0; at < bars.length; at += 1) {
    const bar = bars[at] as Bar;
    const place = at - start;
    if (place < 0) {
      source.next(bar, null);
      continue;
    }
    if (place > 0) {
      const { close, closeTimeMs } = bars[at - 1] as Bar;
      if (bar.openTimeMs > closeTimeMs) {
        gaps += 1;
        account.passTime(close, bar.openTimeMs - closeTimeMs);
      }
    }
    if (waiting.length > 0) {
      for (const each of waiting) desk.carryOut(each, bar);
      waiting = [];
    }
    if (account.held !== null) {
      liquidateWithin(bar, account, desk);
      account.passBar(bar);
      barsInPosition += 1;
    }
    times[place] = bar.closeTimeMs;
    closes[place] = bar.close;
    equity[place] = account.worthAt(bar.close);
    desk.noteWorth(bar.close, bar.closeTimeMs);
    for (const { alertKey, atMs: signalledAtMs = bar.closeTimeMs } of source.next(
      bar,
      account.held?.facts ?? null,
    )) {
      fired[alertKey] = (fired[alertKey] ?? 0) + 1;
      const evaluation = evaluateAlert(rules, alertKey);
      rules = evaluation.rules;
      for (const { signal, denied } of evaluation.signals) {
        if (!isResetSignal(signal))
          waiting.push({ signal, alertKey, denied, causedBy: bar, signalledAtMs });
      }
    }
  }
  const { exit, ...settled } = settle(account, desk, bars.at(-1));
  const { orders, refusals } = desk;
  if (exit !== null) equity[count - 1] = Number(settled.endMoney) / 10 ** input.quoteDecimals;
  return {
    times,
    equity,
    closes,
    startMs: bars[start]?.openTimeMs ?? 0,
    firstOpen: bars[start]?.open ?? 0,
    startMoney: input.startMoney,
    ...settled,
    exit,
    orders,
    refusals,
    fired,
    barsInPosition,
    gaps,
    warmUpBars: Math.min(start, bars.length),
    ordersWaiting: waiting.length,
    firingsAfterEnd: source.left(),
  };
}

/**
 * Returns the index of the first bar that counts: at or after the requested time, and after the conditions' warm-up.
 */
function firstCounted({ bars, fromMs }: SimulationInput, source: FiringSource): number {
  let low = 0;
  let high = bars.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bars[middle] as Bar).openTimeMs < fromMs) low = middle + 1;
    else high = middle;
  }
  return Math.max(low, source.warmUpBars);
}

const rulesOf = (agent: SimulatedAgent): readonly RuleState[] =>
  agent.rules.map(({ ruleId, action, conditions }) => ({
    ruleId,
    action,
    conditions: conditions.map((each) => ({ ...each, count: 0 })),
  }));

/**
 * Within a bar the worst case is assumed: the venue liquidates at its own price, or at the open where that is worse.
 */
function liquidateWithin(bar: Bar, account: SimulatedAccount, desk: SimulatedDesk): void {
  const price = account.liquidationPrice();
  if (price === null || account.held === null) return;
  if (account.held.side === "long" && bar.low <= price)
    desk.liquidate(Math.min(bar.open, price), bar);
  if (account.held?.side === "short" && bar.high >= price) {
    desk.liquidate(Math.max(bar.open, price), bar);
  }
}

/** Returns what a run came to, with the cost of closing the position that is open at its end. */
function settle(account: SimulatedAccount, desk: SimulatedDesk, last: Bar | undefined) {
  const { trades, money, funding } = account;
  const { fees, spread, impact } = desk;
  const exit = last === undefined ? null : desk.exitAt(last.close);
  const open = exit === null ? null : account.openTrade(exit);
  if (exit === null || open === null) {
    return { trades, endMoney: money, costs: { fees, spread, impact, funding }, exit: null };
  }
  return {
    trades: [...trades, open],
    endMoney: open.moneyBefore + open.pnl,
    costs: {
      fees: fees + exit.fee,
      spread: spread + exit.spreadCost,
      impact: impact + exit.impactCost,
      funding: funding + open.funding,
    },
    exit,
  };
}
