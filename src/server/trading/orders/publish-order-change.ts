import type { AgentId, ChatId, OwnerAddress } from "../../../domain/ids.ts";
import type { AgentRecord } from "../../store/agents/agents.ts";
import type { TradingDeps } from "./trading-deps.ts";

/** Notifies the owner's browsers, after the commit, that an order changed state. */
export function publishOrderChange(
  deps: Pick<TradingDeps, "publisher">,
  agent: { readonly id: AgentId; readonly chatId: ChatId; readonly owner: OwnerAddress },
): void {
  deps.publisher.publish(agent.owner, { topic: "trade-log", id: agent.chatId });
  deps.publisher.publish(agent.owner, { topic: "signals", id: agent.id });
}

/** Notifies the owner's browsers that an agent's position may have changed. */
export function publishPositionChange(
  deps: Pick<TradingDeps, "publisher">,
  agent: Pick<AgentRecord, "id" | "owner">,
): void {
  deps.publisher.publish(agent.owner, { topic: "position", id: agent.id });
}
