import { type Selectable, sql } from "kysely";
import type { Pool } from "pg";
import type { AgentId } from "../../../domain/ids.ts";
import type { Network } from "../../../domain/network.ts";
import type { PlannedPosition } from "../../../domain/plan/plan.ts";
import type { VenueId } from "../../../domain/venue-id.ts";
import {
  AGENT_COLUMNS,
  type AgentJson,
  type AgentRecord,
  type Jsonb,
  toAgent,
} from "../agents/agents.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";
import type { PlanPositionTable } from "../schema/order-tables.ts";

/** A position as an agent's lane saw it last. */
export interface KeptPosition extends Omit<PlannedPosition, "addsDone" | "barsHeld"> {
  /** Slot of the account it was read from. */
  readonly slot: bigint;
  /** No add is tried before this time, Unix milliseconds: one was planned and is not filled. */
  readonly addAfterMs: number;
}

/** What is booked of the position that an agent's plan speaks of. */
export interface PlanRow {
  readonly version: string;
  readonly dueAtMs: number;
  readonly openedAtMs: number | null;
  readonly addsDone: number;
  /** Null until the lane saw the position. */
  readonly position: KeptPosition | null;
  readonly unprotectedSinceMs: number | null;
}

type StoredPosition = {
  readonly [K in keyof KeptPosition]: KeptPosition[K] extends bigint
    ? string
    : KeptPosition[K] extends bigint | null
      ? string | null
      : KeptPosition[K];
};

/** Returns JSON with amounts as text, because JSON numbers cannot represent a u64. */
export const toPositionJson = (position: Partial<KeptPosition>): string =>
  JSON.stringify(position, (_, value: unknown) => {
    if (value instanceof Map) return [...value];
    return typeof value === "bigint" ? value.toString() : value;
  });

function toPosition(stored: unknown): KeptPosition | null {
  if (stored === null) return null;
  const position = stored as Omit<StoredPosition, "atr"> & {
    readonly atr: readonly (readonly [number, string])[];
  };
  return {
    ...position,
    baseSize: BigInt(position.baseSize),
    averageEntry: BigInt(position.averageEntry),
    firstEntrySize: BigInt(position.firstEntrySize),
    largestSize: BigInt(position.largestSize),
    bestPrice: BigInt(position.bestPrice),
    stopPrice: position.stopPrice === null ? null : BigInt(position.stopPrice),
    slot: BigInt(position.slot),
    atr: new Map(position.atr.map(([length, value]) => [length, BigInt(value)])),
  };
}

/** A row that passed through JSON. */
export type PlanJson = Jsonb<Selectable<PlanPositionTable>>;

const timeOf = (text: string | null): number | null => (text === null ? null : Date.parse(text));

/** Returns a row that passed through JSON. */
export const toPlanRow = (row: PlanJson): PlanRow => ({
  version: row.version,
  dueAtMs: Date.parse(row.due_at),
  openedAtMs: timeOf(row.opened_at),
  addsDone: row.add_orders.length,
  position: toPosition(row.position),
  unprotectedSinceMs: timeOf(row.unprotected_since),
});

/** A column list that a row is read from, as `plan`. The version is text: JSON numbers cannot represent it. */
export const PLAN_COLUMN = `to_jsonb(plan_positions) || jsonb_build_object('version', plan_positions.version::text) as plan`;

/** Returns what is kept of an agent's position; null for nothing. */
export async function findPlanRow(db: Db, agentId: AgentId): Promise<PlanRow | null> {
  const row = await on(db).row<{ plan: PlanJson }>`
    select ${sql.raw(PLAN_COLUMN)} from plan_positions where agent_id = ${agentId}`;
  return row === null ? null : toPlanRow(row.plan);
}

/** An agent whose position is watched for its plan. */
export interface WatchedPosition {
  readonly agent: AgentRecord;
  readonly row: PlanRow & { readonly position: KeptPosition };
}

const WATCHED = `
select ${AGENT_COLUMNS}, ${PLAN_COLUMN}
from plan_positions
join agents on agents.id = plan_positions.agent_id
left join multisigs on multisigs.agent_id = agents.id
where agents.network = $1 and agents.plan is not null and agents.auto_trade <> 'off'
  and plan_positions.position is not null
  and not exists (select from exits where exits.agent_id = agents.id and state = 'working' and part is null)`;

/** Returns the positions of a network that plans speak of and that are not being closed as a whole. */
export async function listWatched(
  pool: Pool,
  network: Network,
): Promise<readonly WatchedPosition[]> {
  const { rows } = await pool.query<AgentJson & { plan: PlanJson }>({
    name: "watched-positions",
    text: WATCHED,
    values: [network],
  });
  return rows.flatMap((each) => {
    const row = toPlanRow(each.plan);
    const { position } = row;
    return position === null ? [] : [{ agent: toAgent(each), row: { ...row, position } }];
  });
}

/** Best price and stop as a price moved them. */
export interface MovedStop extends Pick<KeptPosition, "bestPrice" | "stopPrice"> {
  readonly agentId: AgentId;
  readonly version: string;
}

/** Books moved stops of positions that did not change meanwhile. */
export async function saveMovedStops(db: Db, moved: readonly MovedStop[]): Promise<void> {
  if (moved.length === 0) return;
  const rows = moved.map(({ agentId, version, bestPrice, stopPrice }) => ({
    agentId,
    version,
    position: toPositionJson({ bestPrice, stopPrice }),
  }));
  await on(db).change`
    update plan_positions set position = plan_positions.position || moved.position::jsonb,
      version = plan_positions.version + 1
    from json_to_recordset(${JSON.stringify(rows)}) as moved ("agentId" text, version bigint, position text)
    where agent_id = "agentId" and plan_positions.version = moved.version
      and plan_positions.position is not null`;
}

/** A market whose prices are held against plans. */
export interface LookedMarket {
  readonly network: Network;
  readonly venue: VenueId;
  readonly marketId: string;
}

/** Notes when a price of a market was last held against plans. */
export async function saveLook(
  db: Db,
  { network, venue, marketId }: LookedMarket,
  atMs: number,
): Promise<void> {
  await on(db).change`
    insert into plan_looks (network, venue, market_id, looked_at)
    values (${network}, ${venue}, ${marketId}, ${new Date(atMs)})
    on conflict (network, venue, market_id) do update set looked_at = excluded.looked_at`;
}

/** Returns when a price of a market was last held against plans, Unix milliseconds; null for never. */
export async function readLook(
  db: Db,
  { network, venue, marketId }: LookedMarket,
): Promise<number | null> {
  const row = await on(db).row<{ at: Date }>`
    select looked_at as at from plan_looks
    where network = ${network} and venue = ${venue} and market_id = ${marketId}`;
  return row?.at.getTime() ?? null;
}

/**
 * Lets the lane look at an agent's position because its plan changed or it was turned on: one that is open is kept from
 * then on.
 */
export async function lookAtPlanSoon(
  transaction: Db,
  agentId: AgentId,
  atMs: number,
): Promise<void> {
  const at = new Date(atMs);
  await on(transaction).change`
    insert into plan_positions (agent_id, due_at)
    select id, ${at} from agents where id = ${agentId} and sub_account_id is not null
      and (plan is not null or exists (select from plan_positions where agent_id = agents.id))
    on conflict (agent_id) do update set due_at = excluded.due_at, version = plan_positions.version + 1`;
}

/** Forgets the position that a plan speaks of: its owner keeps it without the plan. */
export async function forgetPlanPosition(transaction: Db, agentId: AgentId): Promise<void> {
  await on(transaction).change`delete from plan_positions where agent_id = ${agentId}`;
}
