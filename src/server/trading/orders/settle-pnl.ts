import { measureCompute, withComputeLimit } from "../../../solana/compute-limit.ts";
import { addOwnerFee } from "../../store/orders/owner-fees.ts";
import type { OpenOrder } from "../../store/orders/orders.ts";
import type { TradingAgent } from "./trading-agent.ts";
import type { TradingDeps } from "./trading-deps.ts";
import { bidPriorityFee } from "./bid-priority-fee.ts";
import { offeredFee } from "./offered-fee.ts";

/**
 * Settles the PnL of a closed position into the balance, so that the owner can withdraw it.
 *
 * Settling is idempotent, so nothing is recorded and a failure is only logged: the next close settles both. The agent's
 * next order does not wait for it.
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
    const needed = await venue.buildSettle(account, order.marketId ?? record.marketId);
    if (needed.length === 0) return;
    const { feePayer } = deps.signer;
    const measured = await measureCompute(chain, { feePayer, instructions: needed });
    const fitted = withComputeLimit(needed, measured);
    const bid = await bidPriorityFee(chain, fitted, place.priorityFee);
    const lifetime = await chain.latestBlockhash();
    const { agentId } = order;
    const { transaction } = await deps.signer.sign({
      agentId,
      purpose: "settlement",
      instructions: bid,
      lifetime,
    });
    await addOwnerFee(deps.lanes, agentId, offeredFee(bid), deps.clock.now());
    await deps.settlements.begin(chain, agentId, { transaction, lifetime });
  } catch (error) {
    deps.log.warn({ err: error, agentId: order.agentId }, "gain or loss not settled");
  }
}
