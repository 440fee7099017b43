import type { Pool } from "pg";
import type { AgentId } from "../../../domain/ids.ts";
import type { Network } from "../../../domain/network.ts";
import { strictestOf, type TradingState } from "../../../domain/trading-state.ts";
import type { VenueId } from "../../../domain/venue-id.ts";
import type { SigningRules } from "../../../venues/order-signing.ts";
import { readAgent } from "../../store/agents/agents.ts";
import { isUndecided } from "../../store/reconcile/foreign-powers.ts";
import { toVenueAccount } from "../account/venue-account.ts";
import type { SigningAgent } from "./create-trading-key-signer.ts";

/** Returns the signing rules of a network and venue; undefined when the deployment has none. */
export type RulesOf = (network: Network, venue: VenueId) => SigningRules | undefined;

const UNDECIDED = `select ${isUndecided("$1")} as is`;

/** Creates the signer's own reader of agents: accounts and settings as stored, and what the venue permits: only what reduces where somebody else may move the money. */
export function createSigningAgents(deps: {
  readonly pool: Pool;
  readonly rulesOf: RulesOf;
  readonly tradingState: () => TradingState;
}): (agentId: AgentId) => Promise<SigningAgent | null> {
  return async (agentId) => {
    const [record, undecided] = await Promise.all([
      readAgent(deps.pool, agentId),
      deps.pool.query<{ is: boolean }>({ name: "undecided", text: UNDECIDED, values: [agentId] }),
    ]);
    if (record === null || record.multisig?.keyRevokedAt != null) return null;
    const account = toVenueAccount(record);
    const { venue } = record;
    const rules = venue === null ? undefined : deps.rulesOf(record.network, venue);
    if (account === null || rules === undefined) return null;
    const { marketId, slippageBps, autoTrade } = record;
    const isEntryAllowed = autoTrade === "on" && undecided.rows[0]?.is === false;
    const ownState = isEntryAllowed ? "active" : "reducing";
    const tradingState = strictestOf(deps.tradingState(), ownState);
    return { account, rules, terms: { marketId, slippageBps, tradingState } };
  };
}
