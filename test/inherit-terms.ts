import type { Address } from "@solana/kit";
import { sql } from "kysely";
import { readAgents } from "../src/server/store/agents/agents.ts";
import { storedTerms } from "../src/server/store/agents/owner-facts.ts";
import type { Db } from "../src/server/store/postgres/db.ts";
import { on } from "../src/server/store/postgres/on.ts";
import type { Network } from "../src/domain/network.ts";
import type { Chain } from "../src/solana/chain.ts";

/** Host of the tests' servers, which owners' texts name. */
export const TEST_HOST = "app.test";

/** Returns a signer's reader of single accounts of this chain. */
export const accountReader =
  (chain: Pick<Chain, "accounts">) => async (_network: Network, address: Address) =>
    (await chain.accounts([address])).accounts[0] ?? null;

/**
 * Has the signer hold every agent to what its row says now, as the upgrade from an earlier version does once: stands
 * for what an owner signs where a test changes rows itself. An agent before its first deposit counts as on.
 */
export async function inheritTerms(db: Db): Promise<void> {
  for (const agent of await readAgents(db, sql`true`)) {
    const isOn = agent.autoTrade === "on" || agent.subAccountId === null;
    const terms = { ...storedTerms(agent), autoTrade: isOn ? "on" : "off" };
    await on(db).change`
      insert into signer.held_terms (agent_id, seq, issued_at, terms, is_off, withdrawn_keys)
      values (${agent.id}, coalesce((select max(seq) from owner_facts where agent_id = ${agent.id}), 0), 0,
        ${JSON.stringify(terms)}::jsonb, false, '{}')
      on conflict (agent_id) do update set seq = excluded.seq, terms = excluded.terms, is_off = false`;
  }
}
