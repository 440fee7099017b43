import type { AgentId } from "../../../domain/ids.ts";
import type { AccountState } from "../../../domain/position.ts";
import { ChainUnavailableError } from "../../../solana/chain.ts";
import type { Venue, VenueAccount } from "../../../venues/venue.ts";
import type { Db } from "../../store/postgres/db.ts";
import { readLandedSlot } from "../../store/lanes/lanes.ts";

/**
 * Reads an agent's account at its venue for a trading decision.
 *
 * Throws `ChainUnavailableError` when the answer is older than the agent's newest fill on any server: an account that
 * looks empty to a lagging node must not be taken for a flat one.
 */
export async function readAccount(
  db: Db,
  agentId: AgentId,
  venue: Pick<Venue, "accountState">,
  account: VenueAccount,
): Promise<AccountState> {
  const [landedSlot, state] = await Promise.all([
    readLandedSlot(db, agentId),
    venue.accountState(account),
  ]);
  return requireSeen(state, landedSlot);
}

/** Returns the account unless it was answered from before a slot in which the agent is known to have traded. */
export function requireSeen(state: AccountState, landedSlot: bigint): AccountState {
  if (state.slot >= landedSlot) return state;
  throw new ChainUnavailableError("The node has not seen the agent's newest fill yet");
}
