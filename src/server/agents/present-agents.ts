import type { Agent } from "../../contract/agent.ts";
import type { Clock } from "../../domain/clock.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { WorthsBetween } from "../../domain/owner-history.ts";
import type { TradingState } from "../../domain/trading-state.ts";
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
import { readWorthsBetween } from "../store/ledger/worths-between.ts";
import { nearLimitsOf } from "./near-limits.ts";
import { presentAgent } from "./present-agent.ts";
import { tradingConditionOf } from "./trading-condition.ts";

export interface PresentDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly networks: Networks;
  /** Returns what trading the operator allows. */
  readonly tradingState: () => TradingState;
  /** Returns an agent's account as last read for display; null or absent when it was not read. */
  readonly lastAccount?: (agentId: AgentId) => AccountSnapshot | null;
}

/** Returns agents in their wire format, with the restrictions on each agent's trading. */
export async function presentAgents(
  { db, clock, networks, tradingState, lastAccount }: PresentDeps,
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
    betweenOf.set(id, await readWorthsBetween(db, id, seenMs, nowMs));
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
      ...presentAgent(networks, agent),
      ...(condition === null ? {} : { trading: condition }),
      ...(near.length === 0 ? {} : { nearLimits: near }),
    };
  });
}

/** Returns one agent in its wire format. */
export async function presentOne(deps: PresentDeps, agent: AgentRecord): Promise<Agent> {
  const [shown] = await presentAgents(deps, [agent]);
  if (shown === undefined) throw new Error(`Agent ${agent.id} was not presented`);
  return shown;
}
