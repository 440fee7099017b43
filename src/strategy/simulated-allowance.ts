import {
  afterDraw,
  backingUnder,
  type DailyAllowance,
  remainingToday,
} from "../domain/daily-allowance.ts";
import type { AccountState } from "../domain/position.ts";
import type { DailyLimits } from "./simulation.ts";

const secondsOf = (ms: number): bigint => BigInt(Math.floor(ms / 1_000));

/**
 * Remaining spending limits of a simulated trading key: both full at the start of the run, then refilled after whole
 * days.
 */
export class SimulatedAllowance {
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
