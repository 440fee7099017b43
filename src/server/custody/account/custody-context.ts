import type { Address } from "@solana/kit";
import { AppError } from "../../../contract/errors.ts";
import { parseAddress } from "../../../solana/parse-address.ts";
import type { Venue } from "../../../venues/ports.ts";
import type { VenueAccount } from "../../../venues/venue.ts";
import type { MultisigRecord } from "../../store/agents/agents.ts";
import type { CustodyAgent } from "../../store/custody/multisigs.ts";
import { findVenue, type NetworkRuntime, type Networks } from "../../networks.ts";
import { toVenueAccount } from "./venue-account.ts";

/** An agent whose custody is planned, with its network, venue and accounts. */
export interface CustodyContext {
  readonly agent: CustodyAgent;
  readonly record: MultisigRecord;
  readonly account: VenueAccount;
  readonly createKey: Address;
  readonly runtime: NetworkRuntime;
  readonly venue: Venue;
}

/** Returns the network and venue of an agent. Throws when this deployment does not offer them. */
export function findHome(
  networks: Networks,
  agent: CustodyAgent,
): { readonly runtime: NetworkRuntime; readonly venue: Venue } {
  const runtime = networks.get(agent.network);
  if (runtime === undefined) throw new AppError("network_disabled");
  const venue = findVenue(networks, agent);
  if (venue === undefined) throw new AppError("venue_unavailable");
  return { runtime, venue };
}

/** Returns the agent's context, or null without an agent and before its custody was planned. */
export function findContext(networks: Networks, agent: CustodyAgent | null): CustodyContext | null {
  const account = agent && toVenueAccount(agent);
  if (agent === null || account === null || agent.multisig === null) return null;
  const createKey = parseAddress(agent.multisig.createKey);
  return { agent, record: agent.multisig, account, createKey, ...findHome(networks, agent) };
}
