import type { Agent } from "../../contract/agent.ts";
import type { ResponseOf } from "../../contract/route.ts";
import type { ROUTES } from "../../contract/routes.ts";
import { formatDecimal, ratioOf } from "../../domain/amount.ts";
import type { DeletedAgent, listFlows } from "../store/ledger/portfolio.ts";
import { type AgentWorth, madeSince, sparklineOf } from "./portfolio-worth.ts";

type ShownNetwork = ResponseOf<typeof ROUTES.getPortfolio>["networks"][number];

interface Measured {
  /** Sum over all agents of the network; null when one of them was never read. */
  readonly total: bigint | null;
  readonly marks: readonly number[];
  readonly todayMs: number;
  readonly nowMs: number;
  readonly decimals: number;
}

/** Returns an agent's portfolio entry: its equity, its profit, and what needs its owner's attention. */
export function presentPortfolioAgent(
  agent: Agent,
  worths: ReadonlyMap<string, AgentWorth>,
  { total, marks, todayMs, nowMs, decimals }: Measured,
): ShownNetwork["agents"][number] {
  const of = worths.get(agent.botId);
  const isUnread = of === undefined || of.value === null || of.sinceMs !== null;
  return {
    botId: agent.botId,
    chatId: agent.chatId,
    agentName: agent.agentName,
    assetPair: agent.assetPair,
    state: stateOf(agent),
    value: of?.value == null ? null : formatDecimal(of.value, decimals),
    ...(of?.sinceMs == null ? {} : { valueSince: new Date(of.sinceMs).toISOString() }),
    share: of?.value == null || total === null || total <= 0n ? null : ratioOf(of.value, total),
    today: of === undefined ? null : madeSince([of], todayMs, nowMs, decimals),
    ...(of === undefined ? { spark: [], drawdown: null } : sparklineOf(of, marks, nowMs)),
    attention: attentionOf(agent, isUnread),
  };
}

/** Returns a deleted agent's portfolio entry. */
export function presentDeletedAgent(
  { id, name, marketId, deletedAtMs }: DeletedAgent,
  worth: AgentWorth,
  { marks, todayMs, nowMs, decimals }: Omit<Measured, "total">,
): ShownNetwork["deleted"][number] {
  return {
    botId: id,
    agentName: name,
    assetPair: marketId,
    deletedAt: new Date(deletedAtMs).toISOString(),
    all: madeSince([worth], 0, nowMs, decimals),
    today: madeSince([worth], todayMs, nowMs, decimals),
    ...sparklineOf(worth, marks, nowMs),
  };
}

/** Returns a flow in its wire format. */
export function presentFlow(
  flow: Awaited<ReturnType<typeof listFlows>>[number],
): ShownNetwork["flows"][number] {
  return {
    at: new Date(flow.atMs).toISOString(),
    botId: flow.agentId,
    kind: flow.kind === "deposit" || flow.kind === "withdrawal" ? flow.kind : "outside",
    amount: formatDecimal(flow.amount, flow.decimals),
    asset: flow.asset,
  };
}

function stateOf({ trading, stopping, tradingStatus }: Agent) {
  if (trading?.state === "halted") return "halted";
  if (stopping) return "stopping";
  if (trading?.state === "exiting") return "closing";
  if (trading?.state === "reducing") return "reducing";
  return tradingStatus;
}

function attentionOf(agent: Agent, isUnread: boolean): string[] {
  const hasAccount = agent.number !== undefined;
  return [
    ...(agent.trading === undefined ? [] : [agent.trading.reason]),
    ...(hasAccount ? [] : ["It has no trading account yet: make the first deposit."]),
    ...(hasAccount && isUnread ? ["Its venue cannot be read at the moment."] : []),
    ...(agent.squadsMultisig?.status === "deleting" ? ["Its deletion is not finished."] : []),
  ];
}
