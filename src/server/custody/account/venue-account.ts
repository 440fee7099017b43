import type { AccountState } from "../../../domain/position.ts";
import { type Chain, ChainUnavailableError } from "../../../solana/chain.ts";
import { parseAddress } from "../../../solana/encoding/address-codec.ts";
import type { TradingPort } from "../../../venues/ports.ts";
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

/**
 * Returns an account as it was read, or read again, from no earlier than the slot in which the agent is known to have
 * traded. Throws `ChainUnavailableError` where no node has seen that yet.
 */
export async function readSince(
  venue: Pick<TradingPort, "accountState">,
  chain: Chain,
  account: VenueAccount,
  { read, landedSlot }: { readonly read: AccountState; readonly landedSlot: bigint },
): Promise<AccountState> {
  if (read.slot >= landedSlot) return read;
  const again = await venue.accountState(account, {
    ...chain,
    accounts: (addresses, options) =>
      chain.accounts(addresses, { ...options, minContextSlot: landedSlot }),
  });
  if (again.slot >= landedSlot) return again;
  throw new ChainUnavailableError("The node has not seen the agent's newest fill yet");
}
