import type { Pool } from "pg";
import type { OrderId } from "../../../domain/ids.ts";
import type { BookedFill, FollowUp } from "./change.ts";

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
