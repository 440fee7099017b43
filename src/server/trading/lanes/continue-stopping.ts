import { VENUE_IDS } from "../../../domain/venue-id.ts";
import { findMarket } from "../../../domain/market.ts";
import type { Position } from "../../../domain/position.ts";
import { lockLane } from "../../store/agents.ts";
import { moveAutoTrade, readAutoTrade } from "../../store/auto-trade.ts";
import type { Db } from "../../store/db.ts";
import { hasOpenOrders, insertOrders, type NewOrder } from "../../store/orders.ts";
import { runStatement } from "../../store/statement.ts";
import { insertTradeLogEntries } from "../../store/trade-log-writes.ts";
import { publishOrderChange } from "../orders/publish-order-change.ts";
import { readAccount } from "../orders/read-account.ts";
import { findTradingAgent, type TradingAgent } from "../trading-agent.ts";
import type { TradingDeps } from "../trading-deps.ts";

/** `closing`: orders are open that have to end first. */
export type StopProgress = "off" | "closing" | "not_stopping";

/**
 * Takes a stopping agent one step further: plans the closing of what is open, or turns it off once nothing is.
 *
 * Throws `ChainUnavailableError` when the venue could not be read: the agent then stays stopping.
 */
export async function continueStopping(
  deps: Omit<TradingDeps, "lanes" | "signer" | "tradingState">,
  agentId: string,
): Promise<StopProgress> {
  const agent = await findTradingAgent(deps, agentId);
  if (agent?.record.autoTrade !== "stopping") return "not_stopping";
  if (await hasOpenOrders(deps.db, agentId)) return "closing";
  const positions = await readPositions(deps.db, agent);
  const progress = await deps.db.transaction().execute(async (transaction) => {
    await lockLane(transaction, agentId);
    if ((await readAutoTrade(transaction, agentId)) !== "stopping") return "not_stopping";
    if (await hasOpenOrders(transaction, agentId)) return "closing";
    if (positions.length > 0) {
      await planClosings(deps, transaction, agent, positions);
      return "closing";
    }
    await moveAutoTrade(transaction, agentId, ["stopping"], "off", deps.clock.now());
    return "off";
  });
  if (progress === "off") {
    deps.publisher.publish(agent.record.owner, { topic: "agent", id: agentId });
  }
  if (progress === "closing") publishOrderChange(deps, agent.record);
  return progress;
}

async function readPositions(
  db: Db,
  { record, place, account }: TradingAgent,
): Promise<readonly Position[]> {
  if (account === null) return [];
  if (place === null) throw new Error("The agent's network is not enabled");
  return (await readAccount(db, record.id, place.venue, account)).positions;
}

async function planClosings(
  deps: Pick<TradingDeps, "clock" | "newId">,
  transaction: Db,
  agent: TradingAgent,
  positions: readonly Position[],
): Promise<void> {
  const { record, place } = agent;
  const plannedAtMs = deps.clock.now();
  const venueId = VENUE_IDS.find((id) => id === record.venue);
  const orders = positions.map((position): NewOrder => ({
    id: deps.newId(),
    agentId: record.id,
    eventId: null,
    signal: position.side === "long" ? "CLOSE_LONG" : "CLOSE_SHORT",
    leg: 0,
    deniedFor: null,
    marketId: position.marketId,
    plannedAtMs,
  }));
  await runStatement(transaction, insertOrders(orders));
  await runStatement(
    transaction,
    insertTradeLogEntries(
      orders.map((order) => ({
        id: deps.newId(),
        agentId: record.id,
        chatId: record.chatId,
        eventId: null,
        orderId: order.id,
        market: order.marketId ?? record.marketId,
        signal: order.signal,
        status: "pending",
        reason: null,
        percentage: 100,
        baseDecimals:
          (venueId && findMarket(venueId, order.marketId ?? record.marketId))?.baseDecimals ?? 0,
        quoteDecimals: place?.venue.profile.quote.decimals ?? 0,
        atMs: plannedAtMs,
      })),
    ),
  );
}
