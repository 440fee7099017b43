import type { AccountState } from "../../../domain/position.ts";
import { ChainUnavailableError } from "../../../solana/chain.ts";
import type { Venue, VenueAccount } from "../../../venues/venue.ts";
import type { Db } from "../../store/postgres/db.ts";
import { readLandedSlot } from "../../store/lanes/lanes.ts";

/**
 * Reads an agent's account to act on it.
 *
 * Throws `ChainUnavailableError` when the answer is from before the agent's newest fill, whichever server placed that: an
 * account that looks empty to a node that fell behind must not be taken for one.
 */
export async function readAccount(
  db: Db,
  agentId: string,
  venue: Pick<Venue, "accountState">,
  account: VenueAccount,
): Promise<AccountState> {
  const [landedSlot, state] = await Promise.all([
    readLandedSlot(db, agentId),
    venue.accountState(account),
  ]);
  if (state.slot >= landedSlot) return state;
  throw new ChainUnavailableError("The node has not seen the agent's newest fill yet");
}
