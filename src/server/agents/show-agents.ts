import type { Agent, NearLimit, TradingCondition } from "../../contract/agent.ts";
import type { Clock } from "../../domain/clock.ts";
import type { AgentId } from "../../domain/ids.ts";
import { type WorthsBetween, fallUse, lossesUse, tradesUse } from "../../domain/owner-history.ts";
import type { TradingState } from "../../domain/trading-state.ts";
import type { OwnerLimits } from "../../domain/owner-limits.ts";
import { shownVenue } from "../../domain/venue-id.ts";
import { showCustody } from "../custody/show-custody.ts";
import type { Networks } from "../networks.ts";
import type { AccountSnapshot } from "../positions/account-reader.ts";
import { feedKeyOf } from "../alert-sources/conditions/condition-feed.ts";
import { listOwnConditions, readFeedTroubles } from "../store/alerts/conditions.ts";
import type { AgentRecord } from "../store/agents/agents.ts";
import type { Db } from "../store/postgres/db.ts";
import { listExits, type ExitRecord } from "../store/orders/exits.ts";
import { listForeignTrades, type ForeignTrade } from "../store/reconcile/foreign-powers.ts";
import { readPriorOrders, type SentByAgent } from "../store/lanes/count-sent-orders.ts";
import { readEquityRange } from "../store/ledger/peak-equity.ts";
import { formatDecimal, mulDiv } from "../../domain/amount.ts";
import { isNear, isReached, type LimitUse } from "../../domain/limit-use.ts";
import { orderUses } from "../../domain/order/risk.ts";
import {
  failureUse,
  isOfToday,
  lossLimitBps,
  lossUse,
  openRiskDay,
  type RiskLedger,
  type ReducingReason,
  reducingByHistory,
} from "../../domain/risk-ledger.ts";
import { REASONS, reasonWhat } from "../../domain/reasons.ts";
import { formatSlippagePercent } from "../../domain/slippage.ts";

export interface ShowDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly networks: Networks;
  /** Returns what trading the operator allows. */
  readonly tradingState: () => TradingState;
  /** Returns an agent's account as last read for display; null or absent when it was not read. */
  readonly lastAccount?: (agentId: AgentId) => AccountSnapshot | null;
}

/** Returns agents as their owner sees them, with the restrictions on each one's trading. */
export async function showAgents(
  { db, clock, networks, tradingState, lastAccount }: ShowDeps,
  agents: readonly AgentRecord[],
): Promise<Agent[]> {
  const ids = agents.map((agent) => agent.id);
  // Sequential, because a transaction has one connection
  const exits = await listExits(db, ids);
  const [nowMs, operator] = [clock.now(), tradingState()];
  const standings = await readPriorOrders(db, ids, nowMs);
  const own = await listOwnConditions(db, ids);
  const foreignTrades = await listForeignTrades(db, ids);
  const troubles = own.size === 0 ? new Map() : await readFeedTroubles(db);
  const betweenOf = new Map<AgentId, WorthsBetween>();
  for (const { id, limits } of agents) {
    const seenMs = standings.get(id)?.ledger.own.peakSeenMs ?? null;
    if (limits.fallBps === null || seenMs === null || lastAccount?.(id) == null) continue;
    betweenOf.set(id, await readEquityRange(db, id, seenMs, nowMs));
  }
  return agents.map((agent) => {
    const standing = standings.get(agent.id);
    if (standing === undefined) throw new Error(`Agent ${agent.id} has no lane`);
    const condition = tradingConditionOf({
      nowMs,
      operator,
      autoTrade: agent.autoTrade,
      ledger: standing.ledger,
      limits: agent.limits,
      exits: exits.filter((exit) => exit.agentId === agent.id),
      foreignTrade: foreignTrades.get(agent.id) ?? null,
      noCandles: own.has(agent.id) ? (troubles.get(feedKeyOf(agent) ?? "") ?? null) : null,
    });
    const account = lastAccount?.(agent.id) ?? null;
    const isFree = condition === null && agent.autoTrade === "on";
    const between = betweenOf.get(agent.id) ?? null;
    const facts = { nowMs, ...standing, limits: agent.limits, account, between };
    const near = isFree ? nearLimitsOf(facts) : [];
    return {
      ...fromRecord(networks, agent),
      ...(condition === null ? {} : { trading: condition }),
      ...(near.length === 0 ? {} : { nearLimits: near }),
    };
  });
}

/** Returns one agent as its owner sees it. */
export async function showAgent(deps: ShowDeps, agent: AgentRecord): Promise<Agent> {
  const [shown] = await showAgents(deps, [agent]);
  if (shown === undefined) throw new Error(`Agent ${agent.id} was not shown`);
  return shown;
}

function fromRecord(networks: Networks, agent: AgentRecord): Agent {
  const { multisig } = agent;
  return {
    id: agent.id,
    chatId: agent.chatId,
    owner: agent.owner,
    name: agent.name,
    marketId: agent.marketId,
    interval: agent.interval,
    venue: shownVenue(agent.venue),
    network: agent.network,
    autoTrade: agent.autoTrade,
    ...(agent.autoTrade === "off" && agent.closedByStop ? { closedByStop: true } : {}),
    slippagePercent: agent.slippageBps / 100,
    positionSizePercent: agent.positionSizePercent,
    maxSignalAgeSeconds: agent.maxSignalAgeSeconds,
    ...(agent.plan !== null && { plan: agent.plan }),
    ...(agent.leverage > 1 && { leverage: agent.leverage }),
    ...shownLimits(agent.limits),
    ...(agent.subAccountId === null ? {} : { subAccountId: agent.subAccountId }),
    // A planned custody was not verified on chain and does not count as the agent's
    ...(multisig === null || multisig.status === "planned"
      ? {}
      : { custody: showCustody(networks, agent, multisig) }),
    writesHypotheses: agent.hypothesisStatus === "on",
    buyReportPrompt: agent.buyReportPrompt,
    sellReportPrompt: agent.sellReportPrompt,
    updatedAt: agent.updatedAt.toISOString(),
  };
}

/** Returns the owner's limits; empty when none are set. */
function shownLimits(limits: OwnerLimits): Pick<Agent, "limits"> {
  const set = Object.entries(limits).filter(([, limit]) => limit !== null);
  return set.length === 0 ? {} : { limits: Object.fromEntries(set) };
}

/** Maximum age of an account reading used for the loss, in milliseconds. */
const MAX_READING_AGE_MS = 60_000;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Inputs for an agent's limits. */
export interface LimitFacts {
  readonly nowMs: number;
  readonly ledger: RiskLedger;
  readonly limits: OwnerLimits;
  readonly sent: SentByAgent;
  /** Account as last read for display; null while nobody views it. */
  readonly account: AccountSnapshot | null;
  /** Account values recorded since the last decision; null without a drawdown limit. */
  readonly between: WorthsBetween | null;
}

/** Returns the limits an agent is near or at, computed from the same counts as the order checks. */
export function nearLimitsOf(facts: LimitFacts): NearLimit[] {
  const uses = [
    ...orderUses({
      ordersLastMinute: facts.sent.lastMinute,
      ordersLastHour: facts.sent.lastHour,
    }),
    failureUse(facts.ledger),
    ...ownerUses(facts),
    ...lossUses(facts),
  ];
  return uses.filter(isNear).map((use) => presentUse(use, facts));
}

function ownerUses({ nowMs, ledger, limits }: LimitFacts): LimitUse[] {
  const own = isOfToday(ledger, nowMs) ? ledger.own : { ...ledger.own, entriesToday: 0 };
  return [tradesUse(own, limits), lossesUse(own, limits)].flatMap((use) => use ?? []);
}

function lossUses({ nowMs, ledger, account, limits, between }: LimitFacts): LimitUse[] {
  if (account === null || nowMs - account.readAtMs > MAX_READING_AGE_MS) return [];
  const { state } = account;
  if (!state.subAccountExists) return [];
  const today = openRiskDay(ledger, nowMs, state, limits, between);
  const fall = fallUse(today.own, state, limits);
  return [lossUse(today, state, limits), ...(fall === null ? [] : [fall])];
}

function presentUse(use: LimitUse, { nowMs, sent, limits }: LimitFacts): NearLimit {
  const { limit, used, most } = use;
  const shown = { limit, isReached: isReached(use), used: `${used}`, most: `${most}` };
  switch (limit) {
    case "orders_a_minute":
      return { ...shown, ...easing(sent.oldestOfMinuteMs, MINUTE_MS) };
    case "orders_an_hour":
      return { ...shown, ...easing(sent.oldestOfHourMs, HOUR_MS) };
    case "failures":
    case "losses_in_a_row":
      return shown;
    case "trades_a_day":
      return { ...shown, ...untilMidnight(nowMs) };
    case "daily_loss":
      return { ...shown, ...percentOf(use, lossLimitBps(limits)), ...untilMidnight(nowMs) };
    case "fall":
      return { ...shown, ...percentOf(use, BigInt(limits.fallBps ?? 0)) };
  }
}

/** Returns the used amount in percent of the amount that the limit is a share of. */
function percentOf({ used, most }: LimitUse, limitBps: bigint) {
  const usedBps = most === 0n ? limitBps : mulDiv(used, limitBps, most, "down");
  return { used: formatDecimal(usedBps, 2), most: formatDecimal(limitBps, 2) };
}

const untilMidnight = (nowMs: number) => easing(nowMs - (nowMs % DAY_MS), DAY_MS);

const easing = (sinceMs: number | null, windowMs: number) =>
  sinceMs === null ? {} : { easesAt: new Date(sinceMs + windowMs).toISOString() };

/** Inputs for the trading condition. */
export interface ConditionFacts {
  readonly nowMs: number;
  /** Trading allowed by the operator. */
  readonly operator: TradingState;
  readonly autoTrade: "on" | "stopping" | "off";
  readonly ledger: RiskLedger;
  readonly limits: OwnerLimits;
  readonly exits: readonly ExitRecord[];
  /** Trade that was not made here and that the owner has not decided on; null without one. */
  readonly foreignTrade: ForeignTrade | null;
  /** Why the agent's own conditions cannot be evaluated; null when they can or it has none. */
  readonly noCandles: { readonly text: string; readonly sinceMs: number } | null;
}

/** Returns the restriction on an agent's trading; null when there is none or the agent is off. */
export function tradingConditionOf(facts: ConditionFacts): TradingCondition | null {
  const { operator, exits } = facts;
  const shown = { exits: exits.map(presentExit) };
  if (facts.foreignTrade !== null) {
    return {
      state: "reducing",
      reason:
        "This agent's money was traded with in a transaction that was not made here. If it was not you, its trading key is stolen: revoke it now.",
      since: new Date(facts.foreignTrade.sinceMs).toISOString(),
      endsWhen:
        "It ends when you revoke the key, or turn Auto-Trade off and on, which says that it was you.",
      mayBeStolen: true,
      ...shown,
    };
  }
  const isTrading = facts.autoTrade !== "off";
  if (operator === "halted" && (isTrading || exits.length > 0)) {
    return {
      state: "halted",
      reason: REASONS.trading_halted.what,
      endsWhen: REASONS.trading_halted.todo,
      ...shown,
    };
  }
  const [first] = exits;
  if (first !== undefined) return { ...exiting(first), ...shown };
  if (!isTrading) return null;
  if (operator === "reducing") {
    const { what, todo } = REASONS.reducing_only;
    return { state: "reducing", reason: what, endsWhen: todo, ...shown };
  }
  const reducing = reducingByHistory(facts.ledger, facts.nowMs, facts.limits);
  if (reducing !== null) {
    return {
      state: "reducing",
      reason: REASONS[reducing.reason].what,
      since: new Date(reducing.sinceMs).toISOString(),
      endsWhen: REASONS[reducing.reason].todo,
      ...(RESUMABLE.has(reducing.reason) ? { canResume: true as const } : {}),
      ...shown,
    };
  }
  if (facts.noCandles === null) return null;
  return {
    state: "no_candles",
    reason: `The agent's own conditions are not evaluated. ${facts.noCandles.text}`,
    since: new Date(facts.noCandles.sinceMs).toISOString(),
    endsWhen:
      "It ends by itself when the candles are right again. Alerts from outside still count.",
    ...shown,
  };
}

function exiting({ side, marketId, part, askedAtMs }: ExitRecord) {
  const what = `The ${side} position in ${marketId}`;
  const words =
    part === null
      ? {
          reason: `${what} is being closed.`,
          endsWhen: "It ends when nothing is left of it, or when you stop closing.",
        }
      : {
          reason: `${what} is being reduced: ${part.portion}% of it is being closed.`,
          endsWhen: "It ends when that part is closed, or when you stop closing.",
        };
  return { state: "exiting" as const, since: new Date(askedAtMs).toISOString(), ...words };
}

/** Restrictions that only the owner can lift. */
const RESUMABLE: ReadonlySet<ReducingReason> = new Set(["own_fall_limit", "own_losses_limit"]);

const presentExit = (exit: ExitRecord): TradingCondition["exits"][number] => ({
  market: exit.marketId,
  side: exit.side,
  ...(exit.part !== null && { portion: exit.part.portion }),
  askedAt: new Date(exit.askedAtMs).toISOString(),
  askedBy: exit.askedBy,
  ...(exit.planEnd !== null && { planEnd: exit.planEnd }),
  attempts: exit.attempts,
  nextAttemptAt: new Date(exit.nextAttemptAtMs).toISOString(),
  ...(exit.lastReason === null ? {} : { lastReason: reasonWhat(exit.lastReason) }),
  limitPercent: formatSlippagePercent(exit.limitBps),
});
