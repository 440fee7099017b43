import { type OrderContext, type Step, stepTo } from "./order-context.ts";
import { signOrder } from "./sign-order.ts";

/**
 * Settles the PnL of a closed position into the balance, so that the owner can withdraw it.
 *
 * Settling is idempotent, so nothing but its fee is recorded and a failure is only logged: the next close settles both.
 * The agent's next order does not wait for it.
 */
export async function settlePnl({ deps, order, agent }: OrderContext): Promise<Step> {
  const { place, account, record } = agent;
  const { agentId } = order;
  if (place === null || account === null || !order.signal.startsWith("CLOSE_")) {
    return stepTo("moved");
  }
  const { chain, venue } = place;
  const warn = (error: unknown) =>
    deps.log.warn({ err: error, agentId }, "gain or loss not settled");
  try {
    const instructions = await venue.buildSettle(account, order.marketId ?? record.marketId);
    if (instructions.length === 0) return stepTo("moved");
    const { signed, feeLamports } = await signOrder(
      deps,
      { agentId, purpose: "settlement", place, feeFactor: 1n },
      { instructions },
    );
    return {
      change: { atMs: deps.clock.now(), feeLamports, stale: [] },
      afterwards: () => deps.settlements.begin(chain, agentId, signed).catch(warn),
      next: "moved",
    };
  } catch (error) {
    warn(error);
    return stepTo("moved");
  }
}
