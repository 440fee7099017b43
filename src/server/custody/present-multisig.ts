import type * as z from "zod/mini";
import type { multisig } from "../../contract/agent.ts";
import type { MultisigRecord } from "../store/agents/agents.ts";
import type { CustodyAgent } from "../store/custody/multisigs.ts";
import { findVenue, type Networks } from "../networks.ts";
import { toVenueAccount } from "./account/venue-account.ts";

type ShownMultisig = z.infer<typeof multisig>;
type Holder = Pick<CustodyAgent, "owner" | "network" | "venue" | "marketId" | "multisig">;

/** Returns an agent's custody in its wire format. */
export function presentMultisig(
  networks: Networks,
  agent: Holder,
  record: MultisigRecord,
): ShownMultisig {
  return {
    multisigPda: record.multisig,
    vaultPda: record.vault,
    vaultIndex: record.vaultIndex,
    members: [...record.members],
    threshold: record.threshold,
    status: record.status,
    createdAt: record.createdAt.toISOString(),
    ...(record.lastUsedAt === null ? {} : { lastUsedAt: record.lastUsedAt.toISOString() }),
    ...presentLimits(networks, agent, record),
    venueConfig: { delegate: record.tradingKey, delegated: record.hasTradingKey },
  };
}

/** Returns the spending limits where the venue authorises the trading key by them; other venues have none. */
function presentLimits(networks: Networks, agent: Holder, record: MultisigRecord) {
  const venue = findVenue(networks, agent);
  const marketId = record.limitsMarketId ?? agent.marketId;
  const account = record.hasTradingKey ? toVenueAccount({ ...agent, marketId }) : null;
  const limits = account === null ? undefined : venue?.limitAccounts?.(account);
  return limits === undefined
    ? { spendingLimitConfigured: false }
    : {
        spendingLimitConfigured: true,
        spendingLimitUSDC: limits.quote,
        spendingLimitAsset: limits.asset,
      };
}
