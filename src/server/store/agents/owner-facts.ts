import type { OwnerText, PinnedTerms } from "../../../domain/owner-text.ts";
import type { AgentId } from "../../../domain/ids.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";
import type { AgentRecord } from "./agents.ts";

/** Parts of a text that pins an agent. */
export type PinningText = OwnerText & { readonly pinned: PinnedTerms };

/** What an owner signed about an agent, as it was signed. */
export interface SignedFact {
  readonly wallet: string;
  readonly text: string;
  readonly signature: Uint8Array;
  readonly parts: PinningText;
}

/** A fact about an agent: a signed text, the end of its auto-trade or the withdrawal of a trading key. */
export type OwnerFactRecord = { readonly seq: string; readonly at: Date } & (
  | ({ readonly kind: "signed" } & SignedFact)
  | { readonly kind: "off" }
  | { readonly kind: "key_withdrawn"; readonly tradingKey: string }
);

/** Returns an agent's terms as stored. */
export const storedTerms = (agent: AgentRecord): PinnedTerms => ({
  agentId: agent.id,
  network: agent.network,
  venue: agent.venue,
  marketId: agent.marketId,
  interval: agent.interval,
  autoTrade: agent.autoTrade === "on" ? "on" : "off",
  slippageBps: agent.slippageBps,
  positionSizePercent: agent.positionSizePercent,
  maxSignalAgeSeconds: agent.maxSignalAgeSeconds,
  limits: agent.limits,
  ...(agent.plan !== null && { plan: agent.plan }),
  ...(agent.leverage > 1 && { leverage: agent.leverage }),
  custody:
    agent.multisig === null
      ? null
      : {
          multisig: agent.multisig.multisig,
          vault: agent.multisig.vault,
          tradingKey: agent.multisig.tradingKey,
        },
});

/** Appends a signed text; one that is there already stays as it is. The other facts are appended by triggers. */
export async function insertSignedFact(db: Db, fact: SignedFact, atMs: number): Promise<void> {
  const { parts } = fact;
  await on(db).change`
    insert into owner_facts (agent_id, kind, at, nonce, wallet, text, signature, parts)
    values (${parts.pinned.agentId}, 'signed', ${new Date(atMs)}, ${parts.nonce}, ${fact.wallet}, ${fact.text},
      ${Buffer.from(fact.signature)}, ${JSON.stringify(parts)}::jsonb)
    on conflict (nonce) do nothing`;
}

/** Returns an agent's facts, newest first. */
export function listOwnerFacts(
  db: Db,
  agentId: AgentId,
  limit: number,
): Promise<OwnerFactRecord[]> {
  return on(db).rows<OwnerFactRecord>`
    select seq::text, kind, at, wallet, text, signature, parts, trading_key as "tradingKey"
    from owner_facts where agent_id = ${agentId} order by owner_facts.seq desc limit ${limit}`;
}

/** Returns the trading key that an agent's owner signed last; null when he signed none. */
export async function findSignedKey(db: Db, agentId: AgentId): Promise<string | null> {
  const row = await on(db).row<{ key: string | null }>`
    select parts #>> '{pinned,custody,tradingKey}' as key from owner_facts
    where agent_id = ${agentId} and kind = 'signed' order by seq desc limit 1`;
  return row?.key ?? null;
}
