import type { Selectable } from "kysely";
import type { DenialReason } from "../../../domain/reasons.ts";
import {
  OPEN_ORDER_STATES,
  type OpenOrderState,
  isOpenOrderState,
  statesBefore,
} from "../../../domain/order/order-states.ts";
import { type OrderSignal, SIGNALS, isResetSignal } from "../../../domain/signal.ts";
import {
  type AgentId,
  type EventId,
  type OrderId,
  parseAgentId,
  parseEventId,
  parseOrderId,
} from "../../../domain/ids.ts";
import type { OrderIntent } from "../../../domain/order/order.ts";
import type { PlanAct } from "../../../domain/plan/plan.ts";
import type { Side } from "../../../domain/position.ts";
import type { RestingOrder } from "../../../venues/placed-order.ts";
import type { Db, Unparsed } from "../postgres/db.ts";
import { on, toJson, type Statement } from "../postgres/on.ts";
import { stateList, stateLiteral } from "./order-state-sql.ts";
import type { OrderTable } from "../postgres/tables.ts";
import type { Pool } from "pg";
import type { Network } from "../../../domain/network.ts";

/** An order to plan, or to record as denied at once. */
export interface NewOrder {
  readonly id: OrderId;
  readonly agentId: AgentId;
  /** Null when the owner requested it instead of an alert. */
  readonly eventId: EventId | null;
  readonly signal: OrderSignal;
  /** 1 for the opening leg of a reversal. */
  readonly leg: number;
  readonly deniedFor: DenialReason | null;
  /** Null for the agent's market at the time the order is placed. */
  readonly marketId: string | null;
  /** The exit this order is an attempt of; null for a first order. */
  readonly exitId: string | null;
  /** Percent of the position that a rule's closing closes, 1 to 99; absent: all of it. */
  readonly portion?: number;
  /** What of the position's plan asked for it; absent for everything else. */
  readonly planAct?: PlanAct | undefined;
  readonly plannedAtMs: number;
}

/** Decided values of an order at the time it was sent. */
export interface DecidedIntent {
  readonly marketId: string;
  readonly side: Side;
  readonly reduceOnly: boolean;
  readonly baseSize: bigint;
  readonly slippageBps: number;
  /** Base units held when it was decided; present where it closes part of the position. */
  readonly heldBase?: bigint;
  /** It adds to the position, as the plan has it. */
  readonly isAdd?: true;
  /** The trading key's daily limit reduced its size. */
  readonly isLimited?: true;
}

/** A recorded order. Signature, bytes and expiry are set from `submitted` on. */
export interface KnownOrder {
  readonly id: OrderId;
  readonly agentId: AgentId;
  readonly eventId: EventId | null;
  readonly signal: OrderSignal;
  readonly leg: number;
  readonly marketId: string | null;
  readonly exitId: string | null;
  /** Percent of the position that a rule's closing closes; null: all of it, or what its exit says. */
  readonly portion: number | null;
  /** What of the position's plan asked for it; null for everything else. */
  readonly planAct: PlanAct | null;
  readonly plannedAtMs: number;
  /** Null before it was sent. */
  readonly intent: DecidedIntent | null;
  readonly sent: SentOrder | null;
  /** The order as resting at the venue. */
  readonly resting: RestingOrder | null;
}

/** An order that is not final. */
export interface OpenOrder extends KnownOrder {
  readonly state: OpenOrderState;
}

export interface SentOrder {
  readonly transaction: Uint8Array;
  readonly signature: string;
  readonly lastValidBlockHeight: bigint;
  /** Slot at which the blockhash was read; null in records without it. */
  readonly blockhashSlot: bigint | null;
  readonly submittedAtMs: number;
}

/** Takes one JSON value, so that the statement is the same for any number of rows; a condition may be appended. */
export const INSERT_ORDERS = (parameter: string): string =>
  `insert into orders
      (id, agent_id, event_id, signal, leg, state, reason, intent, exit_id, portion, plan_act, planned_at, settled_at)
    select id, "agentId", "eventId", signal, leg,
      case when "deniedFor" is null then ${stateLiteral("planned")} else ${stateLiteral("denied")} end, "deniedFor",
      case when "marketId" is not null then json_build_object('marketId', "marketId") end,
      "exitId", portion, "planAct", "plannedAt", case when "deniedFor" is not null then "plannedAt" end
    from json_to_recordset(${parameter}) as planned (id text, "agentId" text, "eventId" uuid,
      signal text, leg integer, "deniedFor" text, "marketId" text, "exitId" text, portion smallint,
      "planAct" text, "plannedAt" timestamptz)`;

export const orderValues = (orders: readonly NewOrder[]): string =>
  JSON.stringify(
    orders.map((order) => ({ ...order, plannedAt: new Date(order.plannedAtMs).toISOString() })),
  );

export const insertOrders = (orders: readonly NewOrder[]): Statement => ({
  name: "insert-orders",
  text: INSERT_ORDERS("$1"),
  values: [orderValues(orders)],
});

/** Columns of an open order. */
export type OpenOrderRow = Pick<
  Selectable<OrderTable>,
  | "id"
  | "agent_id"
  | "event_id"
  | "signal"
  | "leg"
  | "state"
  | "intent"
  | "resting"
  | "exit_id"
  | "portion"
  | "plan_act"
  | "planned_at"
  | "transaction"
  | "signature"
  | "last_valid_block_height"
  | "blockhash_slot"
  | "submitted_at"
>;

export const toOpenOrder = (row: OpenOrderRow): OpenOrder => ({
  ...toKnownOrder(row),
  state: toOpenState(row),
});

export function toKnownOrder(row: OpenOrderRow): KnownOrder {
  return {
    id: parseOrderId(row.id),
    agentId: parseAgentId(row.agent_id),
    eventId: row.event_id === null ? null : parseEventId(row.event_id),
    signal: toOrderSignal(row),
    leg: row.leg,
    marketId: (row.intent as { marketId?: string } | null)?.marketId ?? null,
    exitId: row.exit_id,
    portion: row.portion,
    planAct: row.plan_act,
    plannedAtMs: row.planned_at.getTime(),
    intent: toDecidedIntent(row.intent),
    sent: toSentOrder(row),
    resting: toRestingOrder(row.resting),
  };
}

function toOrderSignal(row: Pick<OpenOrderRow, "id" | "signal">): OrderSignal {
  const signal = SIGNALS.find((each) => each === row.signal);
  if (signal !== undefined && !isResetSignal(signal)) return signal;
  throw new Error(`Order ${row.id} has no signal`);
}

function toDecidedIntent(stored: unknown): DecidedIntent | null {
  const intent = stored as
    | (Omit<DecidedIntent, "baseSize" | "heldBase"> & { baseSize?: string; heldBase?: string })
    | null;
  if (intent?.baseSize === undefined) return null;
  const { marketId, side, reduceOnly, baseSize, slippageBps, heldBase, isAdd, isLimited } = intent;
  return {
    marketId,
    side,
    reduceOnly,
    baseSize: BigInt(baseSize),
    slippageBps,
    ...(heldBase !== undefined && { heldBase: BigInt(heldBase) }),
    ...(isAdd === true && { isAdd }),
    ...(isLimited === true && { isLimited }),
  };
}

/** Returns JSON with amounts as text, because JSON numbers cannot represent a u64. */
export const toIntentJson = (intent: OrderIntent): string =>
  toJson({
    marketId: intent.market.marketId,
    side: intent.side,
    reduceOnly: intent.reduceOnly,
    baseSize: intent.baseSize,
    referencePrice: intent.referencePrice,
    slippageBps: intent.slippageBps,
    percentage: intent.percentage,
    ...(intent.heldBase !== undefined && { heldBase: intent.heldBase }),
    ...(intent.isAdd === true && { isAdd: true }),
    ...(intent.isLimited === true && { isLimited: true }),
  });

function toRestingOrder(stored: unknown): RestingOrder | null {
  const order = stored as
    | (Omit<RestingOrder, "baseSize" | "placedSlot"> & { baseSize: string; placedSlot: string })
    | null;
  if (order === null) return null;
  return { ...order, baseSize: BigInt(order.baseSize), placedSlot: BigInt(order.placedSlot) };
}

function toOpenState({ id, state }: OpenOrderRow): OpenOrderState {
  if (isOpenOrderState(state)) return state;
  throw new Error(`Order ${id} is ${state}: nothing is left to do for it`);
}

function toSentOrder(row: OpenOrderRow): SentOrder | null {
  const { transaction, signature, last_valid_block_height: height, submitted_at: at } = row;
  if (transaction === null || signature === null || height === null || at === null) return null;
  return {
    transaction: new Uint8Array(transaction),
    signature,
    lastValidBlockHeight: BigInt(height),
    blockhashSlot: row.blockhash_slot === null ? null : BigInt(row.blockhash_slot),
    submittedAtMs: at.getTime(),
  };
}

/** Returns whether the agent has an order that is not final. */
export async function hasOpenOrders(db: Db, agentId: AgentId): Promise<boolean> {
  return on(db).has`
    select from orders where agent_id = ${agentId} and state = any(${OPEN_ORDER_STATES}) limit 1`;
}

/** Returns whether the lane follows an order that rested to protect the agent's position. */
export const followsProtective = (db: Db, agentId: AgentId): Promise<boolean> =>
  on(db).has`
    select from orders where agent_id = ${agentId} and state = 'resting' and exit_id is null
      and plan_act <> 'add' limit 1`;

/** Returns the number, which only grows, of the order the agent sent last; null before the first. */
export async function readLastSent(db: Db, agentId: AgentId): Promise<string | null> {
  const { seq } = await on(db).only<{ seq: string | null }>`
    select max(seq) as seq from orders where agent_id = ${agentId} and submitted_at is not null`;
  return seq;
}

/** A planned order, as far as it matters to which of them are not to be placed. */
export type PlannedOrderKey = Pick<
  KnownOrder,
  "id" | "signal" | "exitId" | "portion" | "plannedAtMs"
>;

/** Returns an agent's planned orders in the sequence they were planned in. */
export async function listPlannedOrders(
  db: Db,
  agentId: AgentId,
): Promise<readonly PlannedOrderKey[]> {
  const rows = await on(db).rows<Unparsed<PlannedOrderKey> & { readonly plannedAt: Date }>`
    select id, signal, exit_id as "exitId", portion, planned_at as "plannedAt" from orders
    where agent_id = ${agentId} and state = any(${statesBefore("submit")})
    order by seq`;
  return rows.map(({ plannedAt, ...row }) => ({
    id: parseOrderId(row.id),
    signal: toOrderSignal(row),
    exitId: row.exitId,
    portion: row.portion,
    plannedAtMs: plannedAt.getTime(),
  }));
}

/** An order that was sent and given up; the chain may still show fills of it. */
export interface GivenUpOrder {
  readonly order: KnownOrder;
  readonly signature: string;
  readonly network: Network;
}

const GIVEN_UP = `
select orders.id, agent_id, event_id, signal, leg, state, intent, resting, exit_id, portion, plan_act, planned_at,
  transaction, signature, last_valid_block_height, blockhash_slot, submitted_at, network
from orders join agents on agents.id = orders.agent_id
where submitted_at > $2 and settled_at > $1 and signature is not null
  and state in ${stateList(statesBefore("rest").filter((state) => state === "expired" || state === "rejected"))}
order by orders.seq desc
limit 256`;

/** Time within which orders are settled, in milliseconds; they are sent for at most one minute. */
const SETTLED_WITHIN_MS = 300_000;

/** Returns the orders given up since a time whose transaction was never seen to land, newest first. */
export async function listGivenUpOrders(
  pool: Pool,
  sinceMs: number,
): Promise<readonly GivenUpOrder[]> {
  const { rows } = await pool.query<OpenOrderRow & { network: Network; signature: string }>({
    name: "given-up-orders",
    text: GIVEN_UP,
    values: [new Date(sinceMs), new Date(sinceMs - SETTLED_WITHIN_MS)],
  });
  return rows.map((row) => ({
    order: toKnownOrder(row),
    signature: row.signature,
    network: row.network,
  }));
}
