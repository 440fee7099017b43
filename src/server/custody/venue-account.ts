import { address } from "@solana/kit";
import type { VenueAccount } from "../../venues/venue.ts";
import type { CustodyAgent } from "../store/multisigs.ts";

/** Returns the agent's accounts on chain, or null before its custody was planned. */
export function toVenueAccount(agent: CustodyAgent): VenueAccount | null {
  if (agent.multisig === null) return null;
  return {
    owner: address(agent.owner),
    multisig: address(agent.multisig.multisig),
    vault: address(agent.multisig.vault),
    delegate: address(agent.multisig.delegate),
    subAccountId: agent.subAccountId ?? 0,
  };
}
