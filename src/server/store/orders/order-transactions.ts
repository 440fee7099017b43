import type { Pool } from "pg";
import type { OrderId } from "../../../domain/ids.ts";
import type { HeldLane } from "./held-lane.ts";

/** A follow-up transaction of a resting order: it fills or cancels the order. */
export interface FollowUp {
  readonly purpose: "fill" | "cancel";
  readonly transaction: Uint8Array;
  readonly signature: string;
  readonly lastValidBlockHeight: bigint;
  readonly blockhashSlot: bigint;
}

const INSERT = `
insert into order_transactions (signature, order_id, purpose, transaction, last_valid_block_height,
  sent_after_slot, submitted_at)
select $3, $4, $5, $6, $7, $8, $9
where exists (select from lanes where agent_id = $1 and fence = $2)
on conflict do nothing`;

/**
 * Stores a follow-up about to be sent. Returns false when another worker holds the lane or these bytes were stored
 * before.
 */
export async function insertFollowUp(
  pool: Pool,
  { agentId, fence }: HeldLane,
  orderId: OrderId,
  followUp: FollowUp,
  atMs: number,
): Promise<boolean> {
  const inserted = await pool.query({
    name: "insert-follow-up",
    text: INSERT,
    values: [
      agentId,
      fence.toString(),
      followUp.signature,
      orderId,
      followUp.purpose,
      Buffer.from(followUp.transaction),
      followUp.lastValidBlockHeight.toString(),
      followUp.blockhashSlot.toString(),
      new Date(atMs),
    ],
  });
  return inserted.rowCount === 1;
}

/** Returns the follow-up of an order whose outcome is unknown; there is at most one. */
export async function readOpenFollowUp(pool: Pool, orderId: OrderId): Promise<FollowUp | null> {
  const { rows } = await pool.query<{
    purpose: FollowUp["purpose"];
    transaction: Buffer;
    signature: string;
    last_valid_block_height: string;
    sent_after_slot: string;
  }>({
    name: "open-follow-up",
    text: `select purpose, transaction, signature, last_valid_block_height, sent_after_slot
      from order_transactions where order_id = $1 and ended is null order by seq limit 1`,
    values: [orderId],
  });
  const [row] = rows;
  if (row === undefined) return null;
  return {
    purpose: row.purpose,
    transaction: new Uint8Array(row.transaction),
    signature: row.signature,
    lastValidBlockHeight: BigInt(row.last_valid_block_height),
    blockhashSlot: BigInt(row.sent_after_slot),
  };
}

/** Records that a follow-up landed or can no longer land. */
export async function endFollowUp(
  pool: Pool,
  signature: string,
  ended: "landed" | "expired",
): Promise<void> {
  await pool.query({
    name: "end-follow-up",
    text: "update order_transactions set ended = $2 where signature = $1",
    values: [signature, ended],
  });
}
