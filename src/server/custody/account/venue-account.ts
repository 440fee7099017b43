import type { AgentId } from "../../../domain/ids.ts";
import type { AccountState } from "../../../domain/position.ts";
import { type Chain, ChainUnavailableError, sinceSlot } from "../../../solana/chain.ts";
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
  const again = await venue.accountState(account, sinceSlot(chain, landedSlot));
  if (again.slot >= landedSlot) return again;
  throw new ChainUnavailableError("The node has not seen the agent's newest fill yet");
}

/**
 * Reads accounts of one venue in as few requests as possible, each as it is since its agent traded; null for those that
 * no node can show so.
 */
export async function readEachSince(
  { venue, chain }: { readonly venue: TradingPort; readonly chain: Chain },
  agents: readonly { readonly agentId: AgentId; readonly account: VenueAccount }[],
  landedSlots: (agentIds: readonly AgentId[]) => Promise<ReadonlyMap<AgentId, bigint>>,
  onFailure?: (error: unknown) => void,
): Promise<readonly (AccountState | null)[]> {
  const [states, slots] = await Promise.all([
    venue.accountStates(agents.map(({ account }) => account)),
    landedSlots(agents.map(({ agentId }) => agentId)),
  ]);
  return Promise.all(
    agents.map(async ({ agentId, account }, at) => {
      const read = states[at];
      if (read === undefined) return null;
      const landedSlot = slots.get(agentId) ?? 0n;
      return readSince(venue, chain, account, { read, landedSlot }).catch((error: unknown) => {
        if (!(error instanceof ChainUnavailableError)) throw error;
        onFailure?.(error);
        return null;
      });
    }),
  );
}
