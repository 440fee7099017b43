import { sql } from "kysely";
import { type AgentId, type OwnerAddress, parseAgentId, parseOwner } from "../../../domain/ids.ts";
import type { AlertCondition } from "../../../domain/condition/condition.ts";
import type { Network } from "../../../domain/network.ts";
import type { Db, Unparsed } from "../postgres/db.ts";
import { deleteRows, on } from "../postgres/on.ts";
import { parseVenueId, type VenueId } from "../../../domain/venue-id.ts";

/** An agent with conditions of its own, with the data their evaluation and deliveries need. */
export interface ConditionAgent {
  readonly agentId: AgentId;
  readonly owner: OwnerAddress;
  readonly network: Network;
  /** Null for a venue that no longer exists. */
  readonly venue: VenueId | null;
  readonly marketId: string;
  /** Interval as entered, for instance 90m. */
  readonly interval: string;
  readonly autoTrade: "on" | "stopping" | "off";
  readonly maxSignalAgeSeconds: number;
  /** Time of the last change to the agent, its alerts or its rules; strictly increasing. */
  readonly changedAt: Date;
  /** Close time of the last bar evaluated since the evaluated settings last changed; null before the first. */
  readonly evaluatedTo: Date | null;
  /** In order of creation. */
  readonly alerts: readonly ConditionAlert[];
}

/** Fields that agents on the same bars share, as stored. */
export type ConditionMarket = Pick<ConditionAgent, "network" | "venue" | "marketId" | "interval">;

export interface ConditionAlert {
  readonly id: string;
  readonly name: string;
  readonly condition: AlertCondition;
}

/** Returns the distinct markets and intervals of trading agents that have conditions. */
export async function listConditionMarkets(db: Db): Promise<readonly ConditionMarket[]> {
  const rows = await on(db).rows<Omit<ConditionMarket, "venue"> & { venue: string }>`
    select distinct network, venue, market_id as "marketId", interval from agents
    where auto_trade = 'on' and exists (
      select from alerts where alerts.agent_id = agents.id and condition is not null)`;
  return rows.map((row) => ({ ...row, venue: parseVenueId(row.venue) }));
}

type ConditionRow = Unparsed<Omit<ConditionAgent, "venue" | "alerts">> & {
  readonly venue: string;
  readonly alertId: string;
  readonly alertName: string;
  readonly condition: AlertCondition;
};

/** Returns the agents whose alerts have conditions, by id; with `markets`, only those that trade on them. */
export async function listConditionAgents(
  db: Db,
  markets?: readonly ConditionMarket[],
): Promise<ConditionAgent[]> {
  const rows = await on(db).rows<ConditionRow>`
    select agents.id as "agentId", owner, network, venue, market_id as "marketId", interval,
      auto_trade as "autoTrade", max_signal_age_seconds as "maxSignalAgeSeconds",
      updated_at as "changedAt", evaluated_to as "evaluatedTo",
      alerts.id as "alertId", alerts.name as "alertName", condition
    from alerts join agents on agents.id = alerts.agent_id
      left join condition_progress on condition_progress.agent_id = agents.id
    where condition is not null ${markets === undefined ? sql`` : sql`and auto_trade = 'on' and ${isOnOneOf(markets)}`}
    order by agents.id, alerts.seq`;
  const agents = new Map<string, ConditionAgent & { alerts: ConditionAlert[] }>();
  for (const { alertId, alertName, condition, ...agent } of rows) {
    const known = agents.get(agent.agentId) ?? {
      ...agent,
      agentId: parseAgentId(agent.agentId),
      owner: parseOwner(agent.owner),
      venue: parseVenueId(agent.venue),
      alerts: [],
    };
    known.alerts.push({ id: alertId, name: alertName, condition });
    agents.set(agent.agentId, known);
  }
  return [...agents.values()];
}

/** Returns those of the agents that have conditions of their own. */
export async function listOwnConditions(
  db: Db,
  agentIds: readonly AgentId[],
): Promise<ReadonlySet<string>> {
  const rows = await on(db).rows<{ agentId: string }>`
    select distinct agent_id as "agentId" from alerts
    where agent_id = any(${agentIds}) and condition is not null`;
  return new Set(rows.map((row) => row.agentId));
}

const isOnOneOf = (markets: readonly ConditionMarket[]) => sql`
  (agents.network, agents.venue, agents.market_id, agents.interval) in (
    select * from unnest(${markets.map((market) => market.network)}::text[],
      ${markets.map((market) => market.venue)}::text[],
      ${markets.map((market) => market.marketId)}::text[],
      ${markets.map((market) => market.interval)}::text[]))`;

/** The last evaluated bar of an agent, with the agent's change time at the evaluation. */
export interface ConditionProgress {
  readonly agentId: AgentId;
  readonly changedAt: Date;
  readonly evaluatedTo: Date;
}

/** Stores the last evaluated bar of agents; skips an agent that changed since, and never moves backwards. */
export async function storeConditionProgress(
  db: Db,
  progress: readonly ConditionProgress[],
): Promise<void> {
  if (progress.length === 0) return;
  await on(db).change`
    insert into condition_progress (agent_id, evaluated_to)
      select agents.id, reached.evaluated_to
      from unnest(${progress.map((each) => each.agentId)}::text[],
        ${progress.map((each) => each.changedAt.toISOString())}::timestamptz[],
        ${progress.map((each) => each.evaluatedTo.toISOString())}::timestamptz[])
        as reached (agent_id, changed_at, evaluated_to)
      join agents on agents.id = reached.agent_id
        and date_trunc('milliseconds', agents.updated_at) = reached.changed_at
      order by agents.id
    on conflict (agent_id) do update
      set evaluated_to = greatest(condition_progress.evaluated_to, excluded.evaluated_to)`;
}

/** Reason why conditions on a feed cannot fire at present. */
export interface FeedTrouble {
  /** One sentence. */
  readonly text: string;
  readonly sinceMs: number;
}

/** Stores a feed's trouble, or that it has none; the time since which it lasts stays the first one. */
export async function saveFeedTrouble(
  db: Db,
  feed: string,
  trouble: FeedTrouble | null,
): Promise<void> {
  if (trouble === null) {
    await deleteRows(db, "feed_troubles", [feed]);
    return;
  }
  await on(db).change`
    insert into feed_troubles (feed, text, since)
    values (${feed}, ${trouble.text}, ${new Date(trouble.sinceMs)})
    on conflict (feed) do update set text = excluded.text`;
}

/** Removes the troubles of feeds that are not in the list. */
export async function keepFeedTroubles(db: Db, feeds: readonly string[]): Promise<void> {
  const gone = sql`select feed from feed_troubles where feed <> all(${feeds})`;
  await deleteRows(db, "feed_troubles", gone);
}

/** Returns the troubles that last, by feed. */
export async function readFeedTroubles(db: Db): Promise<ReadonlyMap<string, FeedTrouble>> {
  const rows = await on(db).rows<{ feed: string; text: string; since: Date }>`
    select feed, text, since from feed_troubles`;
  return new Map(rows.map(({ feed, text, since }) => [feed, { text, sinceMs: since.getTime() }]));
}
