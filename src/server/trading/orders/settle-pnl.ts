import type { AgentId } from "../../../domain/ids.ts";
import type { OpenOrder } from "../../store/orders.ts";
import type { TradingAgent } from "../trading-agent.ts";
import type { TradingDeps } from "../trading-deps.ts";

/**
 * Turns the gain or loss of a closed position into balance, so that the owner can withdraw it.
 *
 * Settling twice changes nothing, so nothing is recorded and a failure is only logged: the next closing settles both.
 */
export async function settlePnl(
  deps: TradingDeps,
  order: OpenOrder,
  agent: TradingAgent,
): Promise<void> {
  const { place, account, record } = agent;
  if (place === null || account === null || !order.signal.startsWith("CLOSE_")) return;
  const { chain, venue } = place;
  try {
    const instructions = await venue.buildSettle(account, order.marketId ?? record.marketId);
    if (instructions.length === 0) return;
    const lifetime = await chain.latestBlockhash();
    const agentId = order.agentId as AgentId;
    const signed = await deps.signer.sign(agentId, account, instructions, lifetime);
    await chain.send(signed.transaction);
  } catch (error) {
    deps.log.warn({ err: error, agentId: order.agentId }, "gain or loss not settled");
  }
}
