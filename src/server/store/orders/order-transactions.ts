import type { Pool } from "pg";
import type { OrderId } from "../../../domain/ids.ts";
import { toJson } from "../postgres/on.ts";
import type { BookedFill, FollowUp } from "./change.ts";

/** The last transaction for a resting order: an earlier one has ended before it was signed. */
export const LAST_FOLLOW_UP = `
case when orders.state = 'resting' then (
  select jsonb_build_object('purpose', purpose, 'transaction', encode(sent.transaction, 'base64'),
    'signature', sent.signature, 'lastValidBlockHeight', sent.last_valid_block_height::text,
    'blockhashSlot', sent_after_slot::text, 'ended', ended)
  from order_transactions as sent where order_id = orders.id order by seq desc limit 1
) end`;

export interface FollowUpJson {
  readonly purpose: FollowUp["purpose"];
  readonly transaction: string;
  readonly signature: string;
  readonly lastValidBlockHeight: string;
  readonly blockhashSlot: string;
  readonly ended: FollowUp["ended"];
}

export const toFollowUp = (row: FollowUpJson): FollowUp => ({
  ...row,
  transaction: new Uint8Array(Buffer.from(row.transaction, "base64")),
  lastValidBlockHeight: BigInt(row.lastValidBlockHeight),
  blockhashSlot: BigInt(row.blockhashSlot),
});

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

/** Returns the fills as JSON, numbered by their order in the transaction, so that a fill booked again is the same row. */
export function toFillsJson(fills: readonly BookedFill[]): string {
  const counts = new Map<string, number>();
  return toJson(
    fills.map(({ signature, slot, baseSize, quoteSize, fee }) => {
      const n = counts.get(signature) ?? 0;
      counts.set(signature, n + 1);
      return { signature, n, baseSize, quoteSize, fee, slot };
    }),
  );
}
