import { moveToAccountNumber, findCustodyAgent } from "../store/custody/multisigs.ts";
import { type CustodyContext, findContext } from "./account/custody-context.ts";
import type { SettleDeps } from "./settle-transaction.ts";

/**
 * Returns the context with the number at which the agent's exchange account exists or can be opened, recorded where it
 * changed.
 *
 * A venue never reuses a number: after a deletion the agent restarts at the next one, unfunded and turned off. Reason:
 * `docs/decisions/040-account-numbers-only-grow.md`.
 */
export async function withAccountNumber(
  deps: SettleDeps,
  context: CustodyContext,
): Promise<CustodyContext> {
  const { account, agent, venue } = context;
  const number = (await venue.accountNumber?.(account)) ?? account.subAccountId;
  if (number === account.subAccountId) return context;
  const at = new Date(deps.clock.now());
  await moveToAccountNumber(deps.db, agent.agentId, { from: account.subAccountId, to: number, at });
  const moved = await findCustodyAgent(deps.db, agent.agentId);
  const next = moved === null ? null : findContext(deps.networks, moved);
  if (next === null) throw new Error(`Agent ${agent.agentId} lost its custody`);
  deps.publisher.publish(agent.owner, { topic: "agent", id: agent.agentId });
  return next;
}
