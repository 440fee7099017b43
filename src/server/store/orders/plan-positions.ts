import { type Selectable, sql } from "kysely";
import type { Pool } from "pg";
import type { AgentId } from "../../../domain/ids.ts";
import type { Network } from "../../../domain/network.ts";
import type { PlannedPosition, PlanEnd } from "../../../domain/plan/plan.ts";
import type { Side } from "../../../domain/position.ts";
import type { VenueId } from "../../../domain/venue-id.ts";
import {
  AGENT_COLUMNS,
  type AgentJson,
  type AgentRecord,
  type Jsonb,
  toAgent,
} from "../agents/agents.ts";
import type { Db } from "../postgres/db.ts";
import { on, toJson } from "../postgres/on.ts";
import type { PlanPositionTable } from "../postgres/tables.ts";
import type { SentOrder } from "./orders.ts";

/** A position as an agent's lane saw it last. */
export interface KeptPosition extends Omit<PlannedPosition, "addsDone" | "barsHeld"> {
  /** Slot of the account it was read from. */
  readonly slot: bigint;
  /** No add is tried before this time, Unix milliseconds: one was planned and is not filled. */
  readonly addAfterMs: number;
  /** Since when the price is beyond a stop that rests at the venue, Unix milliseconds; null while it is not. */
  readonly hitSinceMs: number | null;
}

/** A change of what rests at the venue, as it was sent. */
export interface SentProtection extends SentOrder {
  /** The stop that rests once it landed; null for none. */
  readonly stop: {
    readonly by: PlanEnd;
    readonly baseSize: bigint;
    readonly price: bigint;
    /** Side of the order; changes that earlier versions sent have none. */
    readonly side?: Side;
  } | null;
}

/** What rests at the venue for a position. */
export interface Protection {
  /** The change that is not decided yet. */
  readonly sent: SentProtection | null;
  /** The last one that landed. */
  readonly landed: SentProtection | null;
  /** The one before it, which rests again where the block of the last one is undone. */
  readonly replaced: SentProtection | null;
  /** Trigger price of the stop that rested when the account was read last; null for none. */
  readonly restsAt: bigint | null;
  /** Base units of that stop; null for none. */
  readonly restsBase: bigint | null;
  /** Since when the stop that should rest does not, or another one does, Unix milliseconds. */
  readonly missingSinceMs: number | null;
}

export const NO_PROTECTION: Protection = {
  sent: null,
  landed: null,
  replaced: null,
  restsAt: null,
  restsBase: null,
  missingSinceMs: null,
};

/** What is booked of the position that an agent's plan speaks of. */
export interface PlanRow {
  readonly version: string;
  readonly dueAtMs: number;
  readonly openedAtMs: number | null;
  readonly addsDone: number;
  /** Null until the lane saw the position. */
  readonly position: KeptPosition | null;
  readonly unprotectedSinceMs: number | null;
  readonly protection: Protection;
  /** The owner keeps the position without the plan. */
  readonly isOver: boolean;
}

type StoredPosition = {
  readonly [K in keyof KeptPosition]: KeptPosition[K] extends bigint
    ? string
    : KeptPosition[K] extends bigint | null
      ? string | null
      : KeptPosition[K];
};

type StoredSent = {
  readonly [K in "signature" | "transaction" | "lastValidBlockHeight" | "blockhashSlot"]: string;
} & {
  readonly submittedAtMs: number;
  readonly stop: {
    readonly by: PlanEnd;
    readonly baseSize: string;
    readonly price: string;
    readonly side?: Side;
  } | null;
};

const toStoredSent = (sent: SentProtection | null) =>
  sent === null ? null : { ...sent, transaction: Buffer.from(sent.transaction).toString("base64") };

function toSent(stored: StoredSent | null): SentProtection | null {
  if (stored === null) return null;
  const { stop } = stored;
  return {
    ...stored,
    transaction: new Uint8Array(Buffer.from(stored.transaction, "base64")),
    lastValidBlockHeight: BigInt(stored.lastValidBlockHeight),
    blockhashSlot: BigInt(stored.blockhashSlot),
    stop:
      stop === null
        ? null
        : { ...stop, baseSize: BigInt(stop.baseSize), price: BigInt(stop.price) },
  };
}

export const toProtectionJson = ({ sent, landed, replaced, ...seen }: Protection): string =>
  toJson({
    ...seen,
    sent: toStoredSent(sent),
    landed: toStoredSent(landed),
    replaced: toStoredSent(replaced),
  });

function toProtection(stored: unknown): Protection {
  if (stored === null) return NO_PROTECTION;
  const { sent, landed, replaced, restsAt, restsBase, missingSinceMs } = stored as {
    readonly sent: StoredSent | null;
    readonly landed: StoredSent | null;
    readonly restsAt: string | null;
    /** Rows of earlier versions have neither. */
    readonly replaced?: StoredSent | null;
    readonly restsBase?: string | null;
    readonly missingSinceMs: number | null;
  };
  return {
    sent: toSent(sent),
    landed: toSent(landed),
    replaced: toSent(replaced ?? null),
    restsAt: restsAt === null ? null : BigInt(restsAt),
    restsBase: restsBase == null ? null : BigInt(restsBase),
    missingSinceMs,
  };
}

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
    // Rows of earlier versions have none
    hitSinceMs: position.hitSinceMs ?? null,
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
  protection: toProtection(row.protection),
  isOver: row.is_over,
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
  and plan_positions.position is not null and not is_over and not is_closed
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

/** Best price and stop as a price moved them, and whether it is beyond one that rests. */
export interface MovedStop extends Pick<KeptPosition, "bestPrice" | "stopPrice" | "hitSinceMs"> {
  readonly agentId: AgentId;
  readonly version: string;
}

/**
 * Books moved stops of positions that did not change meanwhile. Where something rests at the venue the lane looks at the
 * position at once: what rests has to follow, or may have closed it.
 */
export async function saveMovedStops(
  db: Db,
  moved: readonly MovedStop[],
  atMs: number,
): Promise<void> {
  if (moved.length === 0) return;
  const rows = moved.map(({ agentId, version, ...position }) => ({
    agentId,
    version,
    position: toJson(position),
  }));
  await on(db).change`
    update plan_positions set position = plan_positions.position || moved.position::jsonb,
      due_at = case when protection is null then due_at else least(due_at, ${new Date(atMs)}) end,
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
    on conflict (agent_id) do update set due_at = excluded.due_at, is_over = false,
      version = plan_positions.version + 1`;
}

/** Lets the lanes look at every position for which something rests: it may have been triggered while no server ran. */
export const lookAtRestingSoon = (db: Db, atMs: number): Promise<number> =>
  on(db).change`
    update plan_positions set due_at = ${new Date(atMs)}, version = version + 1
    where protection is not null and due_at > ${new Date(atMs)}`;

/** Ends the plan of a position that its owner keeps without it. The lane cancels what rests and forgets the position. */
export async function endPlanPosition(
  transaction: Db,
  agentId: AgentId,
  atMs: number,
): Promise<void> {
  await on(transaction).change`
    update plan_positions set is_over = true, due_at = ${new Date(atMs)}, version = version + 1
    where agent_id = ${agentId}`;
}
