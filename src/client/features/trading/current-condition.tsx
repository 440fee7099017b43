import { useQuery } from "@tanstack/react-query";
import type { TradingCondition } from "../../../contract/trading-condition.ts";
import type { AgentId } from "../../../domain/ids.ts";
import type { Network } from "../../../domain/network.ts";
import { deploymentQuery, troubledNodes } from "../../queries/deployment.ts";
import { ConditionPanel } from "./condition-panel.tsx";

interface CurrentConditionProps {
  readonly agentId: AgentId;
  readonly network: Network;
  readonly condition: TradingCondition | undefined;
}

/** Current restriction of an agent and faults of its network's nodes; empty without any. */
export function CurrentCondition({ network, ...agent }: CurrentConditionProps) {
  const nodes = troubledNodes(useQuery(deploymentQuery).data, network);
  if (agent.condition === undefined && nodes === null) return null;
  return <ConditionPanel {...agent} nodes={nodes} />;
}
