import type { Custody } from "../../contract/agent.ts";
import type { MultisigRecord } from "../store/agents/agents.ts";
import type { CustodyAgent } from "../store/custody/multisigs.ts";
import { findVenue, type Networks } from "../networks.ts";
import { toVenueAccount } from "./account/venue-account.ts";

type Holder = Pick<
  CustodyAgent,
  "owner" | "network" | "venue" | "marketId" | "leverage" | "multisig"
>;

/** Returns an agent's custody as its owner sees it. */
export function showCustody(networks: Networks, agent: Holder, record: MultisigRecord): Custody {
  return {
    multisig: record.multisig,
    vault: record.vault,
    vaultIndex: record.vaultIndex,
    members: [...record.members],
    threshold: record.threshold,
    status: record.status,
    createdAt: record.createdAt.toISOString(),
    ...(record.lastUsedAt === null ? {} : { lastUsedAt: record.lastUsedAt.toISOString() }),
    tradingKey: { address: record.tradingKey, isAuthorised: record.hasTradingKey },
    ...shownLimits(networks, agent, record),
  };
}

/** Returns the accounts of the spending limits where the venue authorises the trading key by them; other venues have none. */
function shownLimits(networks: Networks, agent: Holder, record: MultisigRecord) {
  const venue = findVenue(networks, agent);
  const marketId = record.limitsMarketId ?? agent.marketId;
  const account = record.hasTradingKey ? toVenueAccount({ ...agent, marketId }) : null;
  const limits = account === null ? undefined : venue?.limitAccounts?.(account);
  if (limits === undefined) return { hasLimits: false };
  return { hasLimits: true, quoteLimit: limits.quote, assetLimit: limits.asset };
}
