import type { AgentId, ChatId, OwnerAddress } from "../../../domain/ids.ts";
import type { StalePublisher } from "../../stale-publisher.ts";
import type { Change, StalePart } from "../../store/orders/change.ts";
import {
  type ChangedLane,
  commitChange,
  type Committed,
} from "../../store/orders/commit-change.ts";
import type { TradingDeps } from "./order-context.ts";

interface ShownAgent {
  readonly id: AgentId;
  readonly chatId: ChatId;
  readonly owner: OwnerAddress;
}

/**
 * Stores a change of an agent's orders and exits, then tells its owner's pages what to read again. `leaves` releases the
 * lane where nothing else is left to do.
 */
export async function commit(
  { lanes, publisher }: Pick<TradingDeps, "lanes" | "publisher">,
  lane: ChangedLane,
  agent: ShownAgent,
  change: Change,
  leaves = false,
): Promise<Committed> {
  const committed = await commitChange(lanes, lane, change, leaves);
  if (committed === "committed" || committed === "left") {
    publishStale(publisher, agent, change.stale);
  }
  return committed;
}

/** Notifies the owner's browsers, after the commit, of what they have to read again. */
export function publishStale(
  publisher: StalePublisher,
  { id, chatId, owner }: ShownAgent,
  stale: readonly StalePart[],
): void {
  for (const part of stale) {
    if (part !== "order") publisher.publish(owner, { topic: part, id });
    else {
      publisher.publish(owner, { topic: "trade-log", id: chatId });
      publisher.publish(owner, { topic: "signals", id });
    }
  }
}
