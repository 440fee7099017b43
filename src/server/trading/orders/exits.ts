import {
  type ExitAsker,
  exitLimitBps,
  exitWaitMs,
  MAX_EXIT_LIMIT_BPS,
} from "../../../domain/exit.ts";
import type { AgentId, OwnerAddress } from "../../../domain/ids.ts";
import type { Side } from "../../../domain/position.ts";
import type { DecisionFacts } from "../../store/orders/decisions.ts";
import { deferExit, type ExitRecord, type ExitUpdate } from "../../store/orders/exits.ts";
import type { KnownOrder } from "../../store/orders/orders.ts";
import type { RecordedChange } from "../../store/orders/order-outcomes.ts";
import type { TradingAgent } from "./trading-agent.ts";
import type { TradingDeps } from "./trading-deps.ts";
import type { LaneTurn } from "./lane-turn.ts";
import { publishOrderChange } from "./publish-order-change.ts";

/** Returns the side of the position an order closes, or null for an order that opens one. */
export function closedSide({ signal }: Pick<KnownOrder, "signal">): Side | null {
  if (signal === "CLOSE_LONG") return "long";
  return signal === "CLOSE_SHORT" ? "short" : null;
}

const askerOf = (order: KnownOrder): ExitAsker => {
  if (order.eventId === null) return "owner";
  return closedSide(order) === null ? "reversal" : "alert";
};

/**
 * Postpones a planned close instead of refusing it: an exit ends only when the agent is flat or its owner ends it.
 *
 * `isAttempt`: the venue would not fill the order within its limit, so the next one gets a wider limit. Returns false when another worker
 * holds the lane.
 */
export async function scheduleExitRetry(
  deps: Pick<TradingDeps, "lanes" | "clock" | "newId" | "publisher">,
  order: KnownOrder,
  { record }: TradingAgent,
  { lane, exit }: LaneTurn,
  why: {
    readonly reason: string;
    readonly isAttempt: boolean;
    readonly facts: DecisionFacts;
  },
): Promise<boolean> {
  const { reason, isAttempt, facts } = why;
  const atMs = deps.clock.now();
  const side = closedSide(order);
  if (side === null) throw new Error(`Order ${order.id} does not close anything`);
  const attempts = (exit?.attempts ?? 0) + (isAttempt ? 1 : 0);
  const waits = isAttempt ? 0 : (exit?.waits ?? 0) + 1;
  const deferred = {
    id: exit?.id ?? deps.newId(),
    marketId: order.marketId ?? record.marketId,
    side,
    askedBy: exit?.askedBy ?? askerOf(order),
    askedAtMs: exit?.askedAtMs ?? order.plannedAtMs,
    attempts,
    waits,
    nextAttemptAtMs: atMs + exitWaitMs(isAttempt ? attempts : waits),
    lastReason: reason,
    limitBps:
      reason === "stale_price" ? MAX_EXIT_LIMIT_BPS : exitLimitBps(record.slippageBps, attempts),
  };
  const isDeferred = await deferExit(deps.lanes, lane, order.id, deferred, { atMs, facts });
  // A repeated reason is not published again
  if (isDeferred && exit?.lastReason !== reason) {
    publishOrderChange(deps, record);
    publishTrading(deps, record);
  }
  return isDeferred;
}

/** Returns the effect of an ended order on the exit it belongs to; null when it belongs to none. */
export function exitAfter(
  deps: Pick<TradingDeps, "clock" | "newId">,
  order: KnownOrder,
  { record }: TradingAgent,
  exit: ExitRecord | null,
  isWhole: boolean,
): RecordedChange["exit"] {
  const { intent } = order;
  if (intent === null || !intent.reduceOnly) return null;
  const nowMs = deps.clock.now();
  // The account decides whether the position is fully closed, so it is read next
  if (isWhole) return { again: null, nextAttemptAtMs: nowMs };
  const attempts = (exit?.attempts ?? 0) + 1;
  const again: Pick<ExitUpdate, "id" | "marketId" | "side" | "askedBy" | "limitBps"> = {
    id: exit?.id ?? deps.newId(),
    marketId: intent.marketId,
    side: intent.side === "long" ? "short" : "long",
    askedBy: exit?.askedBy ?? askerOf(order),
    limitBps: Math.max(intent.slippageBps, exitLimitBps(record.slippageBps, attempts)),
  };
  return { again, nextAttemptAtMs: nowMs + exitWaitMs(attempts) };
}

/** Notifies the owner's browsers that an agent's trading state changed: an exit, a limit or a stop. */
export function publishTrading(
  deps: Pick<TradingDeps, "publisher">,
  agent: { readonly id: AgentId; readonly owner: OwnerAddress },
): void {
  deps.publisher.publish(agent.owner, { topic: "agent", id: agent.id });
}
