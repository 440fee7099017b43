import { mulDiv } from "../domain/amount.ts";
import type { Held as HeldInBook } from "../domain/ledger/entry.ts";
import { FLAT, type Realised, realiseTrade } from "../domain/ledger/realise.ts";
import { type Market, PRICE_DECIMALS } from "../domain/market.ts";
import type { AccountState, Position, Side } from "../domain/position.ts";
import type { Bar } from "./bar-times.ts";
import { fundingOver } from "./fill-model.ts";
import type {
  SimulatedFill,
  SimulatedTrade,
  SimulationCosts,
  SimulationInput,
  DailyLimits,
  TradeEnd,
} from "./simulation.ts";
import {
  afterDraw,
  backingUnder,
  type DailyAllowance,
  remainingToday,
} from "../domain/daily-allowance.ts";
import type { PositionFacts } from "./firing.ts";

const secondsOf = (ms: number): bigint => BigInt(Math.floor(ms / 1_000));

/**
 * Remaining spending limits of a simulated trading key: both full at the start of the run, then refilled after whole
 * days.
 */
class SimulatedAllowance {
  #quote: DailyAllowance;
  #base: DailyAllowance;

  constructor({ quote, base }: DailyLimits, startMs: number) {
    const lastReset = secondsOf(startMs);
    this.#quote = { amount: quote, remainingAmount: quote, lastReset };
    this.#base = { amount: base, remainingAmount: base, lastReset };
  }

  /** Returns how much of the money may back a new position; `worthOf` converts base units to their present value. */
  backing(
    held: bigint,
    nowMs: number,
    worthOf: (baseSize: bigint) => bigint,
  ): Pick<AccountState, "freeCollateral" | "bound"> {
    const now = secondsOf(nowMs);
    return backingUnder({
      held,
      drawable: remainingToday(this.#quote, now),
      sellable: worthOf(remainingToday(this.#base, now)),
      isMissing: false,
      isDrawn: this.#quote.remainingAmount < this.#quote.amount,
    });
  }

  drawQuote(amount: bigint, nowMs: number): void {
    this.#quote = afterDraw(this.#quote, amount, secondsOf(nowMs));
  }

  drawBase(amount: bigint, nowMs: number): void {
    this.#base = afterDraw(this.#base, amount, secondsOf(nowMs));
  }
}

const DAY_MS = 86_400_000;
const MILLION = 1_000_000;

interface Held {
  readonly side: Side;
  readonly sign: 1 | -1;
  readonly baseSize: bigint;
  readonly entryPrice: bigint;
  readonly entryQuote: bigint;
  readonly entryFee: bigint;
  /** The holding as the book of a live agent has it. */
  readonly booked: HeldInBook;
  readonly enteredAtMs: number;
  readonly moneyBefore: bigint;
  readonly facts: PositionFacts;
  /** Size in whole assets and entry value in whole quote units, for the account value between bookings. */
  readonly whole: number;
  readonly entryWorth: number;
  /** Sum over bars of price times milliseconds held. */
  priceTime: number;
  /** Prices times the shares of published funding rates; a position of one whole asset long paid that. */
  published: number;
  bars: number;
}

/** Returns what closing base units of the position for an amount realises. */
const closed = (
  { booked, sign }: Held,
  baseSize: bigint,
  quoteSize: bigint,
  fee: bigint,
): Realised => realiseTrade(booked, -BigInt(sign) * baseSize, BigInt(sign) * quoteSize, -fee);

/**
 * The simulated agent's account: bookings in base units, the account value between them in floating point.
 *
 * A plan may add to a position and close parts of it; without one it is opened and closed as a whole.
 */
export class SimulatedAccount {
  /** Quote base units, without the open position's unrealised PnL. */
  money: bigint;
  held: Held | null = null;
  readonly trades: SimulatedTrade[] = [];
  funding = 0n;
  readonly #market: Market;
  readonly #costs: SimulationCosts;
  readonly #quoteDecimals: number;
  readonly #startMoney: bigint;
  readonly #quoteScale: number;
  readonly #fundingPerDay: number;
  readonly #fundingOver: ReturnType<typeof fundingOver>;
  /** Null where no spending limit applies. */
  readonly #allowance: SimulatedAllowance | null;
  /** Leverage that open positions leave money for, where a plan adds to them; null otherwise. */
  readonly #addsAt: number | null;
  #moneyWhole: number;
  /** The account state without a position, cached because it does not change with the price. */
  #flat: AccountState | null = null;

  constructor({ agent, costs, startMoney, quoteDecimals, fromMs }: SimulationInput) {
    this.money = startMoney;
    this.#startMoney = startMoney;
    this.#market = agent.market;
    this.#costs = costs;
    this.#quoteDecimals = quoteDecimals;
    this.#quoteScale = 10 ** quoteDecimals;
    this.#moneyWhole = Number(startMoney) / this.#quoteScale;
    this.#fundingPerDay = agent.market.kind === "perpetual" ? costs.fundingPpmPerDay / MILLION : 0;
    this.#fundingOver = fundingOver(costs.publishedFunding);
    const { dailyLimits, plan, leverage = 1 } = agent;
    this.#addsAt = plan?.adds === undefined ? null : leverage;
    this.#allowance = dailyLimits === null ? null : new SimulatedAllowance(dailyLimits, fromMs);
  }

  /** Adds a bar to the position's holding time and accrues its funding. */
  passBar(bar: Bar): void {
    if (this.held === null) return;
    this.held.bars += 1;
    this.passTime(bar.close, bar.openTimeMs, bar.closeTimeMs);
  }

  /** Accrues the position's funding at a price, also where bars are missing. */
  passTime(price: number, fromMs: number, toMs: number): void {
    if (this.held === null || this.#market.kind === "spot") return;
    const { share, uncoveredMs } = this.#fundingOver(fromMs, toMs);
    this.held.priceTime += price * uncoveredMs;
    this.held.published += price * share;
  }

  /** Returns the account value at a price, in whole quote units. */
  worthAt(price: number): number {
    const { held } = this;
    if (held === null) return this.#moneyWhole;
    const gain = held.sign * (held.whole * price - held.entryWorth);
    return this.#moneyWhole + gain - this.#fundingPaid(held);
  }

  /** Returns the liquidation price of the position; null where it cannot be liquidated. */
  liquidationPrice(): number | null {
    const { held } = this;
    if (held === null || this.#market.kind === "spot") return null;
    const kept = (held.sign * this.#costs.maintenancePpm) / MILLION;
    const owed = held.entryWorth - held.sign * this.worthAt(held.entryWorth / held.whole);
    const price = owed / (held.whole * (1 - kept));
    return price > 0 ? price : null;
  }

  /** Returns the account as the venue would report it; `price` has six decimals. */
  stateAt(price: bigint, nowMs: number): AccountState {
    if (this.held === null) return this.#flatAt(price, nowMs);
    const position = this.#positionAt(this.held, price);
    // The entry fee has already left the money, and counts as part of the position until it is closed
    const state = this.#stateOf(this.money + position.unrealizedPnl + this.held.entryFee, position);
    if (this.#addsAt === null) return state;
    const bound = position.positionValue / BigInt(this.#addsAt);
    const left = state.portfolioValue - bound;
    return this.#backed({ ...state, freeCollateral: left > 0n ? left : 0n }, price, nowMs);
  }

  #flatAt(price: bigint, nowMs: number): AccountState {
    this.#flat ??= this.#stateOf(this.money, null);
    return this.#backed(this.#flat, price, nowMs);
  }

  #backed(state: AccountState, price: bigint, nowMs: number): AccountState {
    const { freeCollateral } = state;
    const backing = this.#allowance?.backing(freeCollateral, nowMs, (baseSize) =>
      this.#quoteOf(baseSize, price),
    );
    return backing === undefined ? state : { ...state, ...backing };
  }

  #stateOf(portfolioValue: bigint, position: Position | null): AccountState {
    return {
      slot: 0n,
      subAccountExists: true,
      positions: position === null ? [] : [position],
      openOrderCount: 0,
      freeCollateral: position === null && this.money > 0n ? this.money : 0n,
      portfolioValue,
      withdrawable: 0n,
      netDeposits: this.#startMoney,
      health: 100,
    };
  }

  /** `referencePrice` is the price the order was sized at; it decides how much of the spending limit is used. */
  open(baseSize: bigint, fill: SimulatedFill, bar: Bar, referencePrice: bigint): void {
    this.#allowance?.drawQuote(this.#quoteOf(baseSize, referencePrice), bar.openTimeMs);
    const whole = Number(baseSize) / 10 ** this.#market.baseDecimals;
    const size = fill.side === "long" ? baseSize : -baseSize;
    const paid = fill.side === "long" ? -fill.quoteSize : fill.quoteSize;
    this.held = {
      side: fill.side,
      sign: fill.side === "long" ? 1 : -1,
      baseSize,
      entryPrice: fill.price,
      entryQuote: fill.quoteSize,
      entryFee: fill.fee,
      booked: realiseTrade(FLAT, size, paid, -fill.fee).held,
      enteredAtMs: bar.openTimeMs,
      moneyBefore: this.money,
      facts: {
        side: fill.side,
        entryPrice: Number(fill.price) / 10 ** PRICE_DECIMALS,
        enteredAtMs: bar.closeTimeMs,
      },
      whole,
      entryWorth: Number(fill.quoteSize) / this.#quoteScale,
      priceTime: 0,
      published: 0,
      bars: 0,
    };
    this.#book(-fill.fee);
  }

  /** Adds to the open position at the average of both prices. */
  add(baseSize: bigint, fill: SimulatedFill, bar: Bar, referencePrice: bigint): void {
    const { held } = this;
    if (held === null) return;
    this.#allowance?.drawQuote(this.#quoteOf(baseSize, referencePrice), bar.openTimeMs);
    const sign = BigInt(held.sign);
    const { held: booked } = realiseTrade(
      held.booked,
      sign * baseSize,
      -sign * fill.quoteSize,
      -fill.fee,
    );
    const size = held.baseSize + baseSize;
    const entryPrice = (held.entryPrice * held.baseSize + fill.price * baseSize) / size;
    const entryQuote = held.entryQuote + fill.quoteSize;
    const whole = Number(size) / 10 ** this.#market.baseDecimals;
    this.held = {
      ...held,
      baseSize: size,
      entryPrice,
      entryQuote,
      entryFee: held.entryFee + fill.fee,
      booked,
      facts: { ...held.facts, entryPrice: Number(entryPrice) / 10 ** PRICE_DECIMALS },
      whole,
      entryWorth: Number(entryQuote) / this.#quoteScale,
      // Funding so far was for the smaller position
      priceTime: (held.priceTime * held.whole) / whole,
      published: (held.published * held.whole) / whole,
    };
    this.#book(-fill.fee);
  }

  /** Closes the position, or the given base units of it. */
  close(fill: SimulatedFill, atMs: number, endedBy: TradeEnd, part?: bigint): void {
    const { held } = this;
    if (held === null) return;
    const baseSize = part ?? held.baseSize;
    this.#allowance?.drawBase(baseSize, atMs);
    const trade = this.#tradeOf(held, fill, atMs, endedBy, baseSize);
    const entryFee = trade.fees - fill.fee;
    this.funding += trade.funding;
    this.trades.push(trade);
    this.held = baseSize >= held.baseSize ? null : this.#without(held, fill, trade, entryFee);
    this.#book(trade.pnl + entryFee);
  }

  #without(
    held: Held,
    fill: SimulatedFill,
    { baseSize: part, entryQuote: paid }: SimulatedTrade,
    entryFee: bigint,
  ): Held {
    const baseSize = held.baseSize - part;
    const entryQuote = held.entryQuote - paid;
    return {
      ...held,
      baseSize,
      entryQuote,
      entryFee: held.entryFee - entryFee,
      booked: closed(held, part, fill.quoteSize, fill.fee).held,
      whole: Number(baseSize) / 10 ** this.#market.baseDecimals,
      entryWorth: Number(entryQuote) / this.#quoteScale,
    };
  }

  /** Returns the money before an exit: the entry's fees have left it and are part of the trade. */
  moneyBeforeExit(): bigint {
    return this.money + (this.held?.entryFee ?? 0n);
  }

  /** Returns the open position as a trade that a closing order would end; null without one. */
  openTrade(exit: SimulatedFill): SimulatedTrade | null {
    const { held } = this;
    return held === null ? null : this.#tradeOf(held, exit, null, "open", held.baseSize);
  }

  #book(change: bigint): void {
    this.#flat = null;
    this.money += change;
    this.#moneyWhole = Number(this.money) / this.#quoteScale;
  }

  #tradeOf(
    held: Held,
    exit: SimulatedFill,
    exitedAtMs: number | null,
    endedBy: TradeEnd,
    baseSize: bigint,
  ): SimulatedTrade {
    const isWhole = baseSize >= held.baseSize;
    const funding = this.#fundingOf(held, isWhole ? 1 : Number(baseSize) / Number(held.baseSize));
    const { realised, realisedFees } = closed(held, baseSize, exit.quoteSize, exit.fee);
    const fees = -(realisedFees ?? 0n);
    return {
      side: held.side,
      baseSize,
      enteredAtMs: held.enteredAtMs,
      entryPrice: held.entryPrice,
      entryQuote: isWhole
        ? held.entryQuote
        : mulDiv(held.entryQuote, baseSize, held.baseSize, "down"),
      moneyBefore: held.moneyBefore,
      exitedAtMs,
      exitPrice: exit.price,
      pnl: (realised ?? 0n) - fees - funding,
      fees,
      funding,
      bars: held.bars,
      endedBy,
    };
  }

  /** Funding is paid in whole quote base units, rounded against the account. */
  #fundingOf(held: Held, share = 1): bigint {
    return BigInt(Math.ceil(this.#fundingPaid(held) * share * this.#quoteScale));
  }

  #fundingPaid({ sign, whole, priceTime, published }: Held): number {
    return (sign * this.#fundingPerDay * whole * priceTime) / DAY_MS + sign * whole * published;
  }

  #quoteOf(baseSize: bigint, price: bigint): bigint {
    const perWhole = 10n ** BigInt(this.#market.baseDecimals + PRICE_DECIMALS);
    return mulDiv(baseSize * 10n ** BigInt(this.#quoteDecimals), price, perWhole, "down");
  }

  #positionAt(held: Held, price: bigint): Position {
    const positionValue = this.#quoteOf(held.baseSize, price);
    const { realised, realisedFees } = closed(held, held.baseSize, positionValue, 0n);
    return {
      marketId: this.#market.marketId,
      side: held.side,
      baseSize: held.baseSize,
      entryPrice: held.entryPrice,
      unrealizedPnl: (realised ?? 0n) + (realisedFees ?? 0n) - this.#fundingOf(held),
      positionValue,
    };
  }
}
