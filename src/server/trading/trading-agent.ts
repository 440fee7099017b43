import { VENUE_IDS } from "../../domain/venue-id.ts";
import type { Venue, VenueAccount } from "../../venues/venue.ts";
import { toVenueAccount } from "../custody/venue-account.ts";
import type { NetworkRuntime, Networks } from "../networks.ts";
import { type AgentRecord, findAgent } from "../store/agents/agents.ts";
import type { Db } from "../store/postgres/db.ts";

/** An agent with the chain and venue it trades on. */
export interface TradingAgent {
  readonly record: AgentRecord;
  /** Null where this deployment does not enable the agent's network or venue. */
  readonly place:
    | (Pick<NetworkRuntime, "chain" | "priorityFee"> & { readonly venue: Venue })
    | null;
  /** Null before the first deposit. */
  readonly account: VenueAccount | null;
}

export async function findTradingAgent(
  deps: { readonly db: Db; readonly networks: Networks },
  agentId: string,
): Promise<TradingAgent | null> {
  const record = await findAgent(deps.db, agentId);
  return record === null ? null : toTradingAgent(deps.networks, record);
}

export function toTradingAgent(networks: Networks, record: AgentRecord): TradingAgent {
  const runtime = networks.get(record.network);
  const venueId = VENUE_IDS.find((id) => id === record.venue);
  const venue = venueId === undefined ? undefined : runtime?.venues.get(venueId);
  return {
    record,
    place: runtime === undefined || venue === undefined ? null : { ...runtime, venue },
    account: record.subAccountId === null ? null : toVenueAccount(record),
  };
}
