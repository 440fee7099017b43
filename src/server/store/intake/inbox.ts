import type { AgentId, ChatId, OwnerAddress } from "../../../domain/ids.ts";
import type { Network } from "../../../domain/network.ts";
import type { RuleRow } from "../alerts/counters.ts";
import type { Db, Unparsed } from "../postgres/db.ts";
import { on, type Statement } from "../postgres/on.ts";
import type { VenueId } from "../../../domain/venue-id.ts";

/** Agent data used to receive an alert. */
export interface InboxAgent {
  readonly agentId: AgentId;
  readonly chatId: ChatId;
  readonly owner: OwnerAddress;
  readonly network: Network;
  /** Null for a venue that no longer exists. */
  readonly venue: VenueId | null;
  readonly marketId: string;
  readonly autoTrade: "on" | "stopping" | "off";
  readonly positionSizePercent: number;
  readonly maxSignalAgeSeconds: number;
  readonly tokenVersion: number;
  /** Time of the last change to the agent, its alerts or its rules, in Unix milliseconds. */
  readonly changedAtMs: number;
}

/**
 * Locks the lanes of these agents until the transaction ends.
 *
 * Locks are taken in order of the agents' ids, so that two batches cannot deadlock.
 */
export const lockLanes = (agentIds: readonly AgentId[]): Statement => ({
  name: "lock-lanes",
  text: `select from lanes where agent_id = any($1) order by agent_id for update`,
  values: [agentIds],
});

/** An agent with its alerts (name key to id) and the conditions of its rules, null when it has none. */
export interface InboxRow extends Unparsed<Omit<InboxAgent, "venue">> {
  readonly venue: string;
  /** Version of the lane, which stands for all the rest. */
  readonly version: string;
  readonly alertIds: Readonly<Record<string, string>> | null;
  readonly rules: readonly RuleRow[] | null;
}

/** Returns `InboxRow`s. */
export const selectInboxAgents = (agentIds: readonly AgentId[]): Statement => ({
  name: "inbox-agents",
  text: `select id as "agentId", version, chat_id as "chatId", owner, network, venue, market_id as "marketId",
      auto_trade as "autoTrade", position_size_percent as "positionSizePercent",
      max_signal_age_seconds as "maxSignalAgeSeconds", webhook_token_version as "tokenVersion",
      floor(extract(epoch from updated_at) * 1000)::float8 as "changedAtMs",
      (select json_object_agg(name_key, id) from alerts where agent_id = agents.id) as "alertIds",
      (select json_agg(json_build_object('id', rules.id, 'action', action, 'portion', portion, 'alertId', alert_id,
            'requiredCount', required_count, 'count', count) order by rules.seq)
          from rules join rule_conditions on rule_id = rules.id
          where agent_id = agents.id) as rules
    from agents join lanes on agent_id = id where id = any($1)`,
  values: [agentIds],
});

/**
 * Returns the current version of an agent's webhook token, incremented first on request. Null when the agent does not
 * exist.
 */
export async function readTokenVersion(
  db: Db,
  agentId: AgentId,
  options: { readonly rotates: boolean },
): Promise<number | null> {
  const [row] = options.rotates
    ? await on(db).rows<{ version: number }>`
        update agents set webhook_token_version = webhook_token_version + 1 where id = ${agentId}
        returning webhook_token_version as version`
    : await on(db).rows<{ version: number }>`
        select webhook_token_version as version from agents where id = ${agentId}`;
  return row?.version ?? null;
}

/** Sets the version of every agent's webhook token; returns the number of agents. Waits for alerts being received. */
export async function replaceAllTokenVersions(db: Db, version: number): Promise<number> {
  await on(db).rows`select from lanes order by agent_id for update`;
  return on(db).change`update agents set webhook_token_version = ${version}`;
}
