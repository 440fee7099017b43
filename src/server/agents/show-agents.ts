import type { Agent } from "../../contract/agent.ts";
import type { Clock } from "../../domain/clock.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { WorthsBetween } from "../../domain/owner-history.ts";
import type { TradingState } from "../../domain/trading-state.ts";
import type { OwnerLimits } from "../../domain/owner-limits.ts";
import { shownVenue } from "../../domain/venue-id.ts";
import { showCustody } from "../custody/show-custody.ts";
import type { Networks } from "../networks.ts";
import type { AccountSnapshot } from "../positions/account-reader.ts";
import { feedKeyOf } from "../alert-sources/conditions/condition-feed.ts";
import { listOwnConditions } from "../store/alerts/conditions.ts";
import { readFeedTroubles } from "../store/alerts/feed-troubles.ts";
import type { AgentRecord } from "../store/agents/agents.ts";
import type { Db } from "../store/postgres/db.ts";
import { listExits } from "../store/orders/exits.ts";
import { listForeignTrades } from "../store/reconcile/foreign-powers.ts";
import { readPriorOrders } from "../store/lanes/count-sent-orders.ts";
import { readEquityRange } from "../store/ledger/peak-equity.ts";
import { nearLimitsOf } from "./near-limits.ts";
import { tradingConditionOf } from "./trading-condition.ts";

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
