import type { AgentId } from "../../../domain/ids.ts";
import type { Venue } from "../../../venues/ports.ts";
import type { VenueAccount } from "../../../venues/venue.ts";
import { toVenueAccount } from "../../custody/account/venue-account.ts";
import { type AgentRecord, findAgent } from "../../store/agents/agents.ts";
import type { Db } from "../../store/postgres/db.ts";
import { findVenue, type NetworkRuntime, type Networks } from "../../networks.ts";

/** An agent with the chain and venue it trades on. */
export interface TradingAgent {
  readonly record: AgentRecord;
  /** Null where this deployment does not enable the agent's network or venue. */
  readonly place:
    | (Pick<NetworkRuntime, "chain" | "priorityFee" | "witnesses"> & { readonly venue: Venue })
    | null;
  /** Null before the first deposit. */
  readonly account: VenueAccount | null;
}

export async function findTradingAgent(
  deps: { readonly db: Db; readonly networks: Networks },
  agentId: AgentId,
): Promise<TradingAgent | null> {
  const record = await findAgent(deps.db, agentId);
  return record === null ? null : toTradingAgent(deps.networks, record);
}

export function toTradingAgent(networks: Networks, record: AgentRecord): TradingAgent {
  const runtime = networks.get(record.network);
  const venue = findVenue(networks, record);
  return {
    record,
    place: runtime === undefined || venue === undefined ? null : { ...runtime, venue },
    account: record.subAccountId === null ? null : toVenueAccount(record),
  };
}
