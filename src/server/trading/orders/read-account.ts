import type { Clock } from "../../../domain/clock.ts";
import type { AccountState } from "../../../domain/position.ts";
import { ChainUnavailableError } from "../../../solana/chain.ts";
import type { Db } from "../../store/postgres/db.ts";
import { readLandedSlot } from "../../store/lanes/lanes.ts";
import { believeAccount, type PlacedAgent, readHoldingRecord } from "./believe-account.ts";

/**
 * Reads an agent's account at its venue to see what is left to close.
 *
 * Throws `ChainUnavailableError` when the answer is older than the agent's newest fill on any server, and when nobody
 * confirms that a recorded position is gone: an account that looks empty to one node must not be taken for a flat one.
 */
export async function readAccount(
  deps: { readonly db: Db; readonly clock: Clock },
  agent: PlacedAgent,
): Promise<AccountState> {
  const [landedSlot, recorded, state] = await Promise.all([
    readLandedSlot(deps.db, agent.record.id),
    readHoldingRecord(deps.db, agent),
    agent.place.venue.accountState(agent.account),
  ]);
  const seen = requireSeen(state, landedSlot);
  return (await believeAccount(deps, agent, recorded, { seen, isEntry: false })) ?? seen;
}

/** Returns the account unless it was answered from before a slot in which the agent is known to have traded. */
export function requireSeen(state: AccountState, landedSlot: bigint): AccountState {
  if (state.slot >= landedSlot) return state;
  throw new ChainUnavailableError("The node has not seen the agent's newest fill yet");
}
