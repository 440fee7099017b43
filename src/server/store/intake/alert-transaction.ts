import type { Pool, PoolClient } from "pg";
import {
  type AgentId,
  type EventId,
  parseAgentId,
  parseChatId,
  parseOwner,
} from "../../../domain/ids.ts";
import type { RuleState } from "../../../domain/rule-engine.ts";
import {
  type AlertEvent,
  insertAlertEvents,
  selectAlertEvents,
  type StoredEvent,
  toStoredEvent,
} from "../alerts/alert-events.ts";
import { toRuleStates, updateCounters } from "../alerts/counters.ts";
import { type InboxAgent, type InboxRow, lockLanes, selectInboxAgents } from "./inbox.ts";
import { insertOrders, type NewOrder } from "../orders/orders.ts";
import { isServerError } from "../postgres/unavailable.ts";
import { sendTogether, type Statement } from "../postgres/on.ts";
import { insertTradeLogEntries, type NewTradeLogEntry } from "../trade-log/trade-log-writes.ts";
import { parseVenueId } from "../../../domain/venue-id.ts";
import type { Unparsed } from "../postgres/db.ts";

/** State of an existing agent for the evaluation of a batch. */
export interface KnownAgent {
  readonly agent: InboxAgent;
  /** Version of the agent's lane: the rest is valid while it is unchanged. */
  readonly version: bigint;
  /** Alert ids by name key. */
  readonly alertIds: ReadonlyMap<string, string>;
  /** In order of creation; the keys of conditions are alert ids. */
  readonly rules: readonly RuleState[];
  /** Recorded events with the requested ids. */
  readonly events: readonly StoredEvent[];
}

export interface AlertWrites {
  readonly events: readonly AlertEvent[];
  /** Rules whose counters changed. */
  readonly rules: readonly RuleState[];
  readonly orders: readonly NewOrder[];
  readonly entries: readonly NewTradeLogEntry[];
}

/**
 * Returns the state of agents with the events asked for and without locks, valid while their lanes' versions stand.
 */
export async function readAgents(
  pool: Pool,
  agentIds: readonly AgentId[],
  eventIds: readonly EventId[] = [],
): Promise<ReadonlyMap<AgentId, KnownAgent>> {
  const { rows } = await pool.query<InboxRow>(selectInboxAgents(agentIds));
  if (eventIds.length === 0) return toKnown(rows);
  const events = await pool.query<Unparsed<StoredEvent>>(selectAlertEvents(eventIds));
  return withEvents(toKnown(rows), events.rows);
}

/**
 * Locks agents' lanes, passes their state to the caller and writes its decision, in one transaction.
 *
 * Takes two round trips: the statements of each are pipelined.
 */
export async function transactAlerts<T extends { readonly writes: AlertWrites }>(
  pool: Pool,
  wanted: { readonly agentIds: readonly AgentId[]; readonly eventIds: readonly EventId[] },
  decide: (known: ReadonlyMap<AgentId, KnownAgent>) => T,
): Promise<T> {
  const client = await pool.connect();
  try {
    const decided = decide(await lockAndLoad(client, wanted));
    await writeAndCommit(client, decided.writes);
    client.release();
    return decided;
  } catch (error) {
    if (!isServerError(error)) {
      // A connection without answers would hold up the rollback as well
      client.release(true);
      throw error;
    }
    // Statements sent behind a failed one fail too; after the answer to the rollback nothing is in progress
    await client.query("rollback").then(
      () => client.release(),
      () => client.release(true),
    );
    throw error;
  }
}

async function lockAndLoad(
  client: PoolClient,
  { agentIds, eventIds }: Parameters<typeof transactAlerts>[1],
): Promise<ReadonlyMap<AgentId, KnownAgent>> {
  // The reads are separate statements, so that they see what earlier lock holders committed while we waited
  const [, , agents, events] = await sendTogether(client, [
    "begin",
    lockLanes(agentIds),
    selectInboxAgents(agentIds),
    ...(eventIds.length === 0 ? [] : [selectAlertEvents(eventIds)]),
  ]);
  return withEvents(
    toKnown((agents?.rows ?? []) as InboxRow[]),
    (events?.rows ?? []) as Unparsed<StoredEvent>[],
  );
}

function withEvents(known: ReturnType<typeof toKnown>, rows: readonly Unparsed<StoredEvent>[]) {
  for (const row of rows) {
    const event = toStoredEvent(row);
    known.get(event.agentId)?.events.push(event);
  }
  return known;
}

const toInboxAgent = (
  row: Unparsed<Omit<InboxAgent, "venue">> & { venue: string },
): InboxAgent => ({
  ...row,
  agentId: parseAgentId(row.agentId),
  chatId: parseChatId(row.chatId),
  owner: parseOwner(row.owner),
  venue: parseVenueId(row.venue),
});

const toKnown = (rows: readonly InboxRow[]) =>
  new Map(
    rows.map(({ alertIds, rules, version, ...row }) => {
      const agent = toInboxAgent(row);
      return [
        agent.agentId,
        {
          agent,
          version: BigInt(version),
          alertIds: new Map(Object.entries(alertIds ?? {})),
          rules: toRuleStates(rules ?? []),
          events: [] as StoredEvent[],
        },
      ];
    }),
  );

async function writeAndCommit(client: PoolClient, writes: AlertWrites): Promise<void> {
  const statements: (Statement | string)[] = [];
  if (writes.events.length > 0) statements.push(insertAlertEvents(writes.events));
  if (writes.rules.length > 0) statements.push(updateCounters(writes.rules));
  if (writes.orders.length > 0) statements.push(insertOrders(writes.orders));
  if (writes.entries.length > 0) statements.push(insertTradeLogEntries(writes.entries));
  // After a failed statement PostgreSQL answers "commit" with a rollback, and that statement's error is thrown here
  await sendTogether(client, [...statements, "commit"]);
}
