import { type RuleState, evaluateAlert } from "../domain/rule-engine.ts";
import { isResetSignal } from "../domain/signal.ts";
import type { Bar } from "./bar-times.ts";
import { type FiringSource, firingSourceOf } from "./firing-source.ts";
import { barsPerInterval, planAtrBars } from "./simulated-plan.ts";
import { SimulatedAccount } from "./simulated-account.ts";
import { SimulatedDesk, type WaitingSignal } from "./simulated-desk.ts";
import type { SimulatedAgent, SimulationInput, SimulationResult } from "./simulation.ts";

/**
 * Simulates an agent over closed bars with the code that trades live: conditions, rules, order and risk checks.
 *
 * A signal at a bar's close is executed at the next bar's open, never at the price that caused it. Within a bar the
 * venue's liquidation and the plan's exits and adds can happen, in the order that is worst for the position.
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
        account.passTime(close, closeTimeMs, bar.openTimeMs);
      }
    }
    if (waiting.length > 0) {
      desk.at = at;
      for (const each of waiting) desk.carryOut(each, bar);
      waiting = [];
    }
    if (account.held !== null) {
      passWithin(bar, account, desk);
      account.passBar(bar);
      desk.plan?.passed(bar);
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
      for (const { signal, portion = 100, denied } of evaluation.signals) {
        if (isResetSignal(signal)) continue;
        waiting.push({ signal, alertKey, portion, denied, causedBy: bar, signalledAtMs });
      }
    }
  }
  const { exit, ...settled } = settle(account, desk, bars.at(-1));
  const { orders, refusals, refusedAdds } = desk;
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
    refusedAdds,
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
function firstCounted({ bars, fromMs, agent }: SimulationInput, source: FiringSource): number {
  let low = 0;
  let high = bars.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bars[middle] as Bar).openTimeMs < fromMs) low = middle + 1;
    else high = middle;
  }
  const [first] = bars;
  const perInterval = first === undefined ? 1 : barsPerInterval(first, agent.intervalMinutes);
  return Math.max(low, source.warmUpBars, planAtrBars(agent.plan ?? null) * perInterval);
}

const rulesOf = (agent: SimulatedAgent): readonly RuleState[] =>
  agent.rules.map(({ ruleId, action, portion, conditions }) => ({
    ruleId,
    action,
    ...(portion !== undefined && { portion }),
    conditions: conditions.map((each) => ({ ...each, count: 0 })),
  }));

/** Runs what happens to a position within a bar: the worst first, then what the plan gains. */
function passWithin(bar: Bar, account: SimulatedAccount, desk: SimulatedDesk): void {
  if (desk.plan === null) {
    liquidateWithin(bar, account, desk);
    return;
  }
  liquidateWithin({ ...bar, low: bar.open, high: bar.open }, account, desk);
  if (account.held !== null) desk.plan.untilStop(bar);
  if (account.held !== null) liquidateWithin(bar, account, desk);
  if (account.held !== null) desk.plan.targets(bar);
}

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
  const exit = last === undefined ? null : desk.exitAt(last.close, last.closeTimeMs);
  const open = exit === null ? null : account.openTrade(exit);
  if (exit === null || open === null) {
    return { trades, endMoney: money, costs: { fees, spread, impact, funding }, exit: null };
  }
  return {
    trades: [...trades, open],
    endMoney: account.moneyBeforeExit() + open.pnl,
    costs: {
      fees: fees + exit.fee,
      spread: spread + exit.spreadCost,
      impact: impact + exit.impactCost,
      funding: funding + open.funding,
    },
    exit,
  };
}
