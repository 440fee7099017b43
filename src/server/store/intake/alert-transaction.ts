import type { Pool, PoolClient } from "pg";
import type { RuleState } from "../../../domain/rule-engine.ts";
import {
  type AlertEvent,
  insertAlertEvents,
  selectAlertEvents,
  type StoredEvent,
} from "../alerts/alert-events.ts";
import { toRuleStates, updateCounters } from "../alerts/counters.ts";
import {
  type InboxAgent,
  type InboxRow,
  type LockedRow,
  lockLanes,
  selectInboxAgents,
} from "./inbox.ts";
import { insertOrders, type NewOrder } from "../orders/orders.ts";
import { sendTogether } from "../postgres/send-together.ts";
import type { Statement } from "../postgres/statement.ts";
import { insertTradeLogEntries, type NewTradeLogEntry } from "../trade-log/trade-log-writes.ts";
import { parseVenueId } from "../../../domain/venue-id.ts";

/** A firing that may be known already. */
export interface FiringKey {
  readonly agentId: string;
  readonly dedupKey: string;
}

/** Everything the judging of a batch needs, of the agents that exist. */
export interface KnownAgent {
  readonly agent: InboxAgent;
  /** Of the agent's lane: the rest holds for as long as it stands. */
  readonly version: bigint;
  /** Alert ids by name key. */
  readonly alertIds: ReadonlyMap<string, string>;
  /** In the order the rules were created; keys of conditions are alert ids. */
  readonly rules: readonly RuleState[];
  /** What was recorded earlier under the keys asked for. */
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
 * Locks agents' lanes, lets the caller decide on what is known of them and writes what it decided: all or nothing.
 *
 * Two round trips: the statements of each are sent without waiting for one another's answers.
 */
export async function transactAlerts<T extends { readonly writes: AlertWrites }>(
  pool: Pool,
  wanted: { readonly agentIds: readonly string[]; readonly firings: readonly FiringKey[] },
  decide: (known: ReadonlyMap<string, KnownAgent>) => T,
): Promise<T> {
  const client = await pool.connect();
  try {
    const decided = decide(await lockAndLoad(client, wanted));
    await writeAndCommit(client, decided.writes);
    client.release();
    return decided;
  } catch (error) {
    // What was sent behind a failed statement fails too; after this answer nothing is under way any more
    await client.query("rollback").then(
      () => client.release(),
      () => client.release(true),
    );
    throw error;
  }
}

async function lockAndLoad(
  client: PoolClient,
  { agentIds, firings }: Parameters<typeof transactAlerts>[1],
): Promise<ReadonlyMap<string, KnownAgent>> {
  // Reading is left to statements of their own: they see what the holders before us committed while we waited
  const [, locked, agents, events] = await sendTogether(client, [
    "begin",
    lockLanes(agentIds),
    selectInboxAgents(agentIds),
    ...(firings.length === 0 ? [] : [selectAlertEvents(firings)]),
  ]);
  const versions = new Map(
    ((locked?.rows ?? []) as LockedRow[]).map(({ agentId, version }) => [agentId, BigInt(version)]),
  );
  const known = new Map(
    ((agents?.rows ?? []) as InboxRow[]).flatMap(({ alertIds, rules, ...agent }) => {
      const version = versions.get(agent.agentId);
      if (version === undefined) return [];
      const state = {
        agent: { ...agent, venue: parseVenueId(agent.venue) },
        version,
        alertIds: new Map(Object.entries(alertIds ?? {})),
        rules: toRuleStates(rules ?? []),
        events: [] as StoredEvent[],
      };
      return [[agent.agentId, state] as const];
    }),
  );
  for (const event of (events?.rows ?? []) as StoredEvent[]) {
    known.get(event.agentId)?.events.push(event);
  }
  return known;
}

async function writeAndCommit(client: PoolClient, writes: AlertWrites): Promise<void> {
  const statements: (Statement | string)[] = [];
  if (writes.events.length > 0) statements.push(insertAlertEvents(writes.events));
  if (writes.rules.length > 0) statements.push(updateCounters(writes.rules));
  if (writes.orders.length > 0) statements.push(insertOrders(writes.orders));
  if (writes.entries.length > 0) statements.push(insertTradeLogEntries(writes.entries));
  // After a failed statement the server answers "commit" by rolling back, and that statement's error ends the wait
  await sendTogether(client, [...statements, "commit"]);
}
