import { VENUE_PROFILES } from "../../venues/profiles.ts";
import type { AccountState } from "../../domain/position.ts";
import { withSpotRecords } from "../../domain/spot-cost.ts";
import type { Venue } from "../../venues/venue.ts";
import type { Db } from "../store/postgres/db.ts";
import { readSpotRecords } from "../store/trade-log/spot-records.ts";

/** Completes an account with what only our own records know, where its venue keeps no cost and no deposits. */
export async function withRecordedFigures(
  db: Db,
  venue: Pick<Venue, "id" | "instance" | "keepsNoCost">,
  agentId: string,
  state: AccountState,
): Promise<AccountState> {
  if (venue.keepsNoCost !== true) return state;
  const records = await readSpotRecords(db, agentId);
  return withSpotRecords(
    state,
    records,
    VENUE_PROFILES[venue.id].markets,
    venue.instance.quote.decimals,
  );
}
