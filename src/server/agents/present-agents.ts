import type { Agent } from "../../contract/agent.ts";
import type { Clock } from "../../domain/clock.ts";
import type { TradingState } from "../../domain/trading-state.ts";
import type { Networks } from "../networks.ts";
import type { AgentRecord } from "../store/agents.ts";
import type { Db } from "../store/db.ts";
import { listExits } from "../store/exits.ts";
import { readLedgers } from "../store/lanes.ts";
import { presentAgent } from "./present-agent.ts";
import { tradingConditionOf } from "./trading-condition.ts";

export interface PresentDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly networks: Networks;
  /** What the operator allows. */
  readonly tradingState: () => TradingState;
}

/** Returns agents as answers show them, with what keeps each from trading freely. */
export async function presentAgents(
  { db, clock, networks, tradingState }: PresentDeps,
  agents: readonly AgentRecord[],
): Promise<Agent[]> {
  const ids = agents.map((agent) => agent.id);
  // One after the other: a transaction has one connection
  const exits = await listExits(db, ids);
  const ledgers = await readLedgers(db, ids);
  const [nowMs, operator] = [clock.now(), tradingState()];
  return agents.map((agent) => {
    const ledger = ledgers.get(agent.id);
    if (ledger === undefined) throw new Error(`Agent ${agent.id} has no lane`);
    const condition = tradingConditionOf({
      nowMs,
      operator,
      autoTrade: agent.autoTrade,
      ledger,
      exits: exits.filter((exit) => exit.agentId === agent.id),
    });
    return {
      ...presentAgent(networks, agent),
      ...(condition === null ? {} : { trading: condition }),
    };
  });
}

/** Returns one agent as answers show it. */
export async function presentOne(deps: PresentDeps, agent: AgentRecord): Promise<Agent> {
  const [shown] = await presentAgents(deps, [agent]);
  if (shown === undefined) throw new Error(`Agent ${agent.id} was not presented`);
  return shown;
}
