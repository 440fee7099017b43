import type { Pool } from "pg";
import type { AgentId, OrderId } from "../../../domain/ids.ts";
import type { Fill, OrderIntent } from "../../../domain/order/order.ts";
import {
  isOpenOrderState,
  type OrderEvent,
  stateAfter,
  statesBefore,
} from "../../../domain/order/order-states.ts";
import type { RiskLedger } from "../../../domain/risk-ledger.ts";
import { type TradeSide, tradeLogStatus } from "../../../domain/order/trade-log.ts";
import type { RestingOrder } from "../../../venues/placed-order.ts";
import { decisionValues, INSERT_DECISION, type NewDecision } from "./decisions.ts";
import { ADD_OWNER_FEE, ownerFeeValues } from "./owner-fees.ts";
import type { ExitUpdate } from "./exits.ts";
import { toRiskJson } from "./risk-ledger-json.ts";
import type { HeldLane } from "./held-lane.ts";
import { onOneConnection } from "../postgres/one-connection.ts";
import { stateList, stateLiteral } from "./order-state-sql.ts";
import { insertOrders, type NewOrder, type SentOrder, toRestingJson } from "./orders.ts";
import { sendTogether } from "../postgres/send-together.ts";
import type { Statement } from "../postgres/statement.ts";
import { insertTradeLogEntries, type NewTradeLogEntry } from "../trade-log/trade-log-writes.ts";

/*
 * Each of these is one statement: it waits for the lane first, as every other writer of an agent's orders does, and
 * what it writes stands or falls together without a transaction's further round trips.
 */

const SUBMIT = `
with lane as (
  update lanes set risk = $3 where agent_id = $1 and fence = $2 returning agent_id
), sent as (
  update orders set state = ${stateLiteral(stateAfter("submit"))}, attempt = attempt + 1, intent = $5, transaction = $6,
    signature = $7, last_valid_block_height = $8, submitted_at = $9, blockhash_slot = $12
  where id = $4 and state in ${stateList(statesBefore("submit"))} and exists (select from lane)
  returning id, agent_id
), decided as (
  ${INSERT_DECISION(17, "sent")}
), paid as (
  ${ADD_OWNER_FEE({ agent: 1, day: 15, lamports: 16 }, "exists (select from sent)")}
), logged as (
  update trade_log set status = 'pending', reason = null, percentage = $10, signature = $7,
    side = coalesce($11, side), base_decimals = $13, quote_decimals = $14
  where order_id = $4 and exists (select from sent)
)
select id from sent`;

/** Records a try of the order's exit. Parameters of an exit begin at $17. */
const TRIED = `, tried as (
  update exits set waits = 0, next_attempt_at = $17, last_reason = $6
  where id = (select exit_id from changed) and state = 'working'
)`;

/** Records a try that is to be repeated, and begins an exit where the order has none. */
const TRIED_AGAIN = `, begun as (
  insert into exits (id, agent_id, market_id, side, asked_by, asked_at, state, attempts, next_attempt_at,
    last_reason, limit_bps)
  select $18, $1, $19, $20, $21, planned_at, 'working', 1, $17, $6, $22
  from changed where exit_id is null
  on conflict (agent_id, market_id) where state = 'working'
  do update set attempts = exits.attempts + 1, waits = 0, next_attempt_at = excluded.next_attempt_at,
    last_reason = excluded.last_reason, limit_bps = excluded.limit_bps, side = excluded.side
), tried as (
  update exits set attempts = attempts + 1, waits = 0, next_attempt_at = $17, last_reason = $6,
    limit_bps = coalesce($22, limit_bps)
  where id = (select exit_id from changed) and state = 'working'
)`;

const changeWith = (exitSteps: string): string => `
with lane as (
  update lanes set risk = coalesce($3, risk), landed_slot = greatest(landed_slot, $13)
  where agent_id = $1 and ($2::bigint is null or fence = $2)
    and exists (select from orders where id = $4 and state = any($14))
  returning agent_id
), changed as (
  update orders set state = $5, reason = $6, settled_at = $7, resting = coalesce($15, resting)
  where id = $4 and state = any($14) and exists (select from lane)
  returning id, exit_id, planned_at
), logged as (
  update trade_log set status = $8, reason = $6, at = coalesce($7, at),
    base_size = coalesce($9, base_size), quote_total = coalesce($10, quote_total),
    price = coalesce($11, price), fee = coalesce($12, fee),
    signature = coalesce($16::json -> -1 ->> 'signature', signature)
  where order_id = $4 and exists (select from changed)
), booked as (
  insert into order_fills (order_id, signature, n, base_size, quote_size, fee, slot)
  select $4, fill.signature, fill.n, fill."baseSize", fill."quoteSize", fill.fee, fill.slot
  from json_to_recordset($16) as fill (signature text, n integer, "baseSize" bigint,
    "quoteSize" bigint, fee bigint, slot bigint)
  where exists (select from changed)
  on conflict do nothing
)${exitSteps}
select id from changed`;

/** One statement for each case: PostgreSQL starts every part of a statement, also one that changes nothing. */
const CHANGES = {
  none: changeWith(""),
  tried: changeWith(TRIED),
  again: changeWith(TRIED_AGAIN),
} as const;

/** An order about to be sent. */
export interface Submission {
  readonly intent: OrderIntent;
  readonly sent: SentOrder;
  /** Fee offered for it, in lamports, counted for the agent's owner. */
  readonly feeLamports: bigint;
  readonly ledger: RiskLedger;
  /** Null keeps the side of the trade log entry. */
  readonly side: TradeSide | null;
  /** The opening leg of a reversal, planned together with its closing leg. */
  readonly secondLeg: { readonly order: NewOrder; readonly entry: NewTradeLogEntry } | null;
  readonly decision: NewDecision;
  /** Decimals of the venue's settlement token. */
  readonly quoteDecimals: number;
}

/**
 * `lost`: another worker holds the lane, or the order is no longer planned. `same_bytes`: an earlier order has the same
 * bytes.
 */
export type Stored = "stored" | "lost" | "same_bytes";

/** Stores an order about to be sent; it must not be sent unless it was stored. */
export async function recordSubmission(
  pool: Pool,
  lane: HeldLane,
  submission: Submission,
): Promise<Stored> {
  try {
    return (await storeSubmission(pool, lane, submission)) ? "stored" : "lost";
  } catch (error) {
    if ((error as { readonly constraint?: unknown }).constraint !== SIGNATURE_KEY) throw error;
    return "same_bytes";
  }
}

/** Unique key: a signature belongs to one order. */
const SIGNATURE_KEY = "orders_signature_key";

async function storeSubmission(
  pool: Pool,
  lane: HeldLane,
  submission: Submission,
): Promise<boolean> {
  const submit = toSubmit(lane, submission);
  const { secondLeg } = submission;
  if (secondLeg === null) return (await pool.query(submit)).rowCount === 1;
  return onOneConnection(pool, async (client) => {
    const [, submitted] = await sendTogether(client, ["begin", submit]);
    const isStored = submitted?.rowCount === 1;
    const rest = [insertOrders([secondLeg.order]), insertTradeLogEntries([secondLeg.entry])];
    await sendTogether(client, isStored ? [...rest, "commit"] : ["rollback"]);
    return isStored;
  });
}

function toSubmit({ agentId, fence }: HeldLane, submission: Submission): Statement {
  const { intent, sent, ledger, side, decision } = submission;
  const kept = {
    marketId: intent.market.marketId,
    side: intent.side,
    reduceOnly: intent.reduceOnly,
    baseSize: intent.baseSize.toString(),
    referencePrice: intent.referencePrice.toString(),
    slippageBps: intent.slippageBps,
    percentage: intent.percentage,
    ...(intent.isLimited === true && { isLimited: true }),
  };
  return {
    name: "submit-order",
    text: SUBMIT,
    values: [
      agentId,
      fence.toString(),
      toRiskJson(ledger),
      intent.orderId,
      JSON.stringify(kept),
      Buffer.from(sent.transaction),
      sent.signature,
      sent.lastValidBlockHeight.toString(),
      new Date(sent.submittedAtMs),
      intent.percentage,
      side,
      sent.blockhashSlot?.toString() ?? null,
      intent.market.baseDecimals,
      submission.quoteDecimals,
      ...ownerFeeValues(submission.feeLamports, sent.submittedAtMs),
      ...decisionValues(decision),
    ],
  };
}

/** A fill with its transaction, sent by us or by a keeper. */
export interface BookedFill extends Fill {
  readonly signature: string;
  readonly slot: bigint;
}

/** Outcome of a sent order. Amounts in base and quote units, the price with six decimals; null keeps a value. */
export interface RecordedChange {
  readonly orderId: OrderId;
  readonly event: Exclude<OrderEvent, "deny" | "submit" | "lose_track">;
  readonly reason: string | null;
  readonly atMs: number;
  /** Null keeps the stored risk figures. */
  readonly ledger: RiskLedger | null;
  readonly figures: Readonly<
    Record<"baseSize" | "quoteTotal" | "price" | "fee", bigint | null>
  > | null;
  /** Oldest first; the trade log keeps the last one's signature. */
  readonly fills: readonly BookedFill[];
  /** Newest slot in which a transaction landed; null when none did. */
  readonly slot: bigint | null;
  readonly resting: RestingOrder | null;
  /** Next step of its exit; null when the order does not close. */
  readonly exit: {
    /** Set when the order left part of the position open: an exit is started or continued with these values. */
    readonly again: Pick<ExitUpdate, "id" | "marketId" | "side" | "askedBy" | "limitBps"> | null;
    readonly nextAttemptAtMs: number;
  } | null;
}

/** Records the outcome of a sent order with all consequences. Returns false when another worker holds the lane. */
export async function recordChange(
  pool: Pool,
  { agentId, fence }: { readonly agentId: AgentId; readonly fence: bigint | null },
  change: RecordedChange,
): Promise<boolean> {
  const { event, figures, exit } = change;
  const state = stateAfter(event);
  const again = exit?.again ?? null;
  const step = exit === null ? "none" : again === null ? "tried" : "again";
  const recorded = await pool.query({
    name: `change-order-${step}`,
    text: CHANGES[step],
    values: [
      agentId,
      fence?.toString() ?? null,
      change.ledger === null ? null : toRiskJson(change.ledger),
      change.orderId,
      state,
      change.reason,
      isOpenOrderState(state) ? null : new Date(change.atMs),
      tradeLogStatus(state),
      figures?.baseSize?.toString() ?? null,
      figures?.quoteTotal?.toString() ?? null,
      figures?.price?.toString() ?? null,
      figures?.fee?.toString() ?? null,
      (change.slot ?? 0n).toString(),
      statesBefore(event),
      change.resting === null ? null : toRestingJson(change.resting),
      toFillsJson(change.fills),
      ...(exit === null ? [] : [new Date(exit.nextAttemptAtMs)]),
      ...(again === null
        ? []
        : [again.id, again.marketId, again.side, again.askedBy, again.limitBps]),
    ],
  });
  return recorded.rowCount === 1;
}

/**
 * Returns the fills as JSON, numbered by their order in the transaction, so that a fill booked again is the same row.
 */
function toFillsJson(fills: readonly BookedFill[]): string {
  const counts = new Map<string, number>();
  return JSON.stringify(
    fills.map(({ signature, slot, baseSize, quoteSize, fee }) => {
      const n = counts.get(signature) ?? 0;
      counts.set(signature, n + 1);
      return {
        signature,
        n,
        baseSize: baseSize.toString(),
        quoteSize: quoteSize.toString(),
        fee: fee.toString(),
        slot: slot.toString(),
      };
    }),
  );
}

/** Returns an order's booked fills, oldest first. */
export async function listOrderFills(
  pool: Pool,
  orderId: OrderId,
): Promise<readonly Omit<BookedFill, "price">[]> {
  const { rows } = await pool.query<Record<string, string>>({
    name: "order-fills",
    text: `select signature, base_size, quote_size, fee, slot from order_fills
      where order_id = $1 order by slot, signature, n`,
    values: [orderId],
  });
  return rows.map((row) => ({
    signature: row["signature"] ?? "",
    baseSize: BigInt(row["base_size"] ?? 0),
    quoteSize: BigInt(row["quote_size"] ?? 0),
    fee: BigInt(row["fee"] ?? 0),
    slot: BigInt(row["slot"] ?? 0),
  }));
}
