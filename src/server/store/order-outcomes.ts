import type { Pool } from "pg";
import type { OrderIntent } from "../../domain/order/order.ts";
import { SENT_ORDER_STATES, stateAfter, statesBefore } from "../../domain/order/order-states.ts";
import type { RiskLedger } from "../../domain/risk-ledger.ts";
import { type TradeSide, tradeLogStatus } from "../../domain/trade-log.ts";
import { toRiskJson } from "./lane-work.ts";
import type { HeldLane } from "./lanes.ts";
import { onOneConnection } from "./one-connection.ts";
import { stateList, stateLiteral } from "./order-state-sql.ts";
import { insertOrders, type NewOrder, type SentOrder } from "./orders.ts";
import { sendTogether } from "./send-together.ts";
import type { Statement } from "./statement.ts";
import { insertTradeLogEntries, type NewTradeLogEntry } from "./trade-log-writes.ts";

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
  returning id
), logged as (
  update trade_log set status = 'pending', reason = null, percentage = $10, signature = $7,
    side = coalesce($11, side)
  where order_id = $4 and exists (select from sent)
)
select id from sent`;

const END = `
with lane as (
  update lanes set risk = $3, landed_slot = greatest(landed_slot, $14)
  where agent_id = $1 and fence = $2
    and exists (select from orders where id = $4 and state in ${stateList(SENT_ORDER_STATES)})
  returning agent_id
), ended as (
  update orders set state = $5, reason = $6, settled_at = $7
  where id = $4 and state in ${stateList(SENT_ORDER_STATES)} and exists (select from lane)
  returning id
), logged as (
  update trade_log set status = $8, reason = $6, at = $7, base_size = coalesce($9, base_size),
    quote_total = coalesce($10, quote_total), price = coalesce($11, price), fee = coalesce($12, fee)
  where order_id = $4 and exists (select from ended)
), dropped as (
  update orders set state = ${stateLiteral(stateAfter("deny"))}, reason = 'first_leg_failed', settled_at = $7
  where $13 and agent_id = $1 and state in ${stateList(statesBefore("deny"))} and leg = 1 and exists (select from ended)
  returning id
), dropped_log as (
  update trade_log set status = 'failed', reason = 'first_leg_failed', at = $7
  where order_id in (select id from dropped)
)
select id from ended`;

/** What is about to be sent. */
export interface Submission {
  readonly intent: OrderIntent;
  readonly sent: SentOrder;
  readonly ledger: RiskLedger;
  /** Null leaves the side the trade log shows. */
  readonly side: TradeSide | null;
  /** The opening half of a reversal, planned with its closing half. */
  readonly secondLeg: { readonly order: NewOrder; readonly entry: NewTradeLogEntry } | null;
}

/**
 * Stores what is about to be sent. False when the lane is somebody else's or the order no longer planned: then nothing
 * may be sent.
 */
export async function recordSubmission(
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
  const { intent, sent, ledger, side } = submission;
  const kept = {
    marketId: intent.market.marketId,
    side: intent.side,
    reduceOnly: intent.reduceOnly,
    baseSize: intent.baseSize.toString(),
    referencePrice: intent.referencePrice.toString(),
    slippageBps: intent.slippageBps,
    percentage: intent.percentage,
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
    ],
  };
}

/** How a sent order ended. Figures are base and quote units, the price with six decimals; null leaves them. */
export interface RecordedEnd {
  readonly orderId: string;
  readonly state: "filled" | "rejected" | "expired";
  readonly reason: string | null;
  readonly atMs: number;
  readonly ledger: RiskLedger;
  readonly figures: Readonly<
    Record<"baseSize" | "quoteTotal" | "price" | "fee", bigint | null>
  > | null;
  /** Null when it never landed. */
  readonly slot: bigint | null;
  /** Denies the opening half of a reversal whose closing half failed. */
  readonly dropsSecondLeg: boolean;
}

/** Records a sent order's end with everything that follows. False when the lane is somebody else's. */
export async function recordEnd(
  pool: Pool,
  { agentId, fence }: HeldLane,
  end: RecordedEnd,
): Promise<boolean> {
  const { figures } = end;
  const recorded = await pool.query({
    name: "end-order",
    text: END,
    values: [
      agentId,
      fence.toString(),
      toRiskJson(end.ledger),
      end.orderId,
      end.state,
      end.reason,
      new Date(end.atMs),
      tradeLogStatus(end.state),
      figures?.baseSize?.toString() ?? null,
      figures?.quoteTotal?.toString() ?? null,
      figures?.price?.toString() ?? null,
      figures?.fee?.toString() ?? null,
      end.dropsSecondLeg,
      (end.slot ?? 0n).toString(),
    ],
  });
  return recorded.rowCount === 1;
}
