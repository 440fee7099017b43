import type { Signature } from "@solana/kit";
import type { Network } from "../../../domain/network.ts";
import { type Chain, ChainUnavailableError } from "../../../solana/chain.ts";
import { inClass } from "../../networks.ts";
import { listGivenUpOrders, type GivenUpOrder } from "../../store/orders/orders.ts";
import { commit } from "./commit.ts";
import { type TradingDeps, findTradingAgent } from "./order-context.ts";
import { outcomeOf, recordOutcome } from "./outcome.ts";

/** How long an order that was given up is still searched for on chain, in milliseconds. */
export const LATE_CHECK_MS = 600_000;

/**
 * Searches once for every order of a network given up recently and records the fills the chain shows for it.
 *
 * Makes one request when there are such orders, and none when there are none.
 */
export async function findLateFills(deps: TradingDeps, network: Network): Promise<void> {
  const networks = inClass(deps.networks, "reconcile");
  const chain = networks.get(network)?.chain;
  const givenUp = await listGivenUpOrders(deps.lanes, deps.clock.now() - LATE_CHECK_MS);
  const orders = givenUp.filter((order) => order.network === network);
  if (chain === undefined || orders.length === 0) return;
  await findOnChain({ ...deps, networks }, chain, orders).catch((error: unknown) => {
    if (!(error instanceof ChainUnavailableError)) throw error;
  });
}

async function findOnChain(
  deps: TradingDeps,
  chain: Chain,
  orders: readonly GivenUpOrder[],
): Promise<void> {
  const signatures = orders.map(({ signature }) => signature as Signature);
  const { statuses } = await chain.signatureStatuses(signatures);
  for (const [index, order] of orders.entries()) {
    const status = statuses[index] ?? null;
    if (status === null || status.error !== null || status.commitment === "processed") continue;
    await bookLate(deps, order);
  }
}

async function bookLate(deps: TradingDeps, { order, signature }: GivenUpOrder): Promise<void> {
  const agent = await findTradingAgent(deps, order.agentId);
  if (agent === null || agent.runtime === null || agent.account === null) return;
  const { chain, venue } = agent.runtime;
  const landed = await chain.transaction(signature as Signature);
  if (landed === null) return;
  const outcome = outcomeOf(venue.reportOrder(agent.account, landed), landed);
  if (outcome.event === "reject") return;
  const ended = { deps, order, agent, ledger: null, exit: null };
  const lane = { agentId: order.agentId, fence: null };
  await commit(deps, lane, agent.record, recordOutcome(ended, outcome));
}
