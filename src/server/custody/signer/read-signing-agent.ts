import type { Pool } from "pg";
import type { AgentId } from "../../../domain/ids.ts";
import type { Network } from "../../../domain/network.ts";
import { strictestOf, type TradingState } from "../../../domain/trading-state.ts";
import type { VenueId } from "../../../domain/venue-id.ts";
import type { SigningRules } from "../../../venues/order-signing.ts";
import { readAgent } from "../../store/agents/agent-json.ts";
import { toVenueAccount } from "../account/venue-account.ts";
import type { SigningAgent } from "./create-trading-key-signer.ts";

/** Returns the signing rules of a network and venue; undefined when the deployment has none. */
export type RulesOf = (network: Network, venue: VenueId) => SigningRules | undefined;

/** Creates the signer's own reader of agents: accounts and settings as stored, and what the venue permits. */
export function createSigningAgents(deps: {
  readonly pool: Pool;
  readonly rulesOf: RulesOf;
  readonly tradingState: () => TradingState;
}): (agentId: AgentId) => Promise<SigningAgent | null> {
  return async (agentId) => {
    const record = await readAgent(deps.pool, agentId);
    if (record === null || record.multisig?.keyRevokedAt != null) return null;
    const account = toVenueAccount(record);
    const { venue } = record;
    const rules = venue === null ? undefined : deps.rulesOf(record.network, venue);
    if (account === null || rules === undefined) return null;
    const { marketId, slippageBps, autoTrade } = record;
    const ownState = autoTrade === "on" ? "active" : "reducing";
    const tradingState = strictestOf(deps.tradingState(), ownState);
    return { account, rules, terms: { marketId, slippageBps, tradingState } };
  };
}
