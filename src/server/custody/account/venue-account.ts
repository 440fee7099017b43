import { parseAddress } from "../../../solana/encoding/address-codec.ts";
import type { VenueAccount } from "../../../venues/venue.ts";
import type { CustodyAgent } from "../../store/custody/multisigs.ts";

/** Returns the agent's accounts on chain, or null before its custody was planned. */
export function toVenueAccount(
  agent: Pick<CustodyAgent, "owner" | "marketId" | "leverage" | "multisig">,
): VenueAccount | null {
  if (agent.multisig === null) return null;
  return {
    owner: parseAddress(agent.owner),
    multisig: parseAddress(agent.multisig.multisig),
    vault: parseAddress(agent.multisig.vault),
    tradingKey: parseAddress(agent.multisig.tradingKey),
    subAccountId: agent.multisig.subAccountId,
    marketId: agent.marketId,
    leverage: agent.leverage,
  };
}
