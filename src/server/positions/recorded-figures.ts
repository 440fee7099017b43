import type { AgentId } from "../../domain/ids.ts";
import { VENUE_PROFILES } from "../../venues/profiles.ts";
import type { AccountState } from "../../domain/position.ts";
import { withSpotRecords } from "../../domain/spot-cost.ts";
import type { VenueFacts } from "../../venues/venue.ts";
import type { Db } from "../store/postgres/db.ts";
import { readSpotRecords } from "../store/trade-log/spot-records.ts";

/** Adds cost and deposits from our own records for venues that do not store them. */
export async function withRecordedFigures(
  db: Db,
  venue: VenueFacts,
  agentId: AgentId,
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
