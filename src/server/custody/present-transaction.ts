import type { followedTransaction } from "../../contract/tx.ts";
import type * as z from "zod/mini";
import { formatDecimal } from "../../domain/amount.ts";
import type { CustodyRow } from "../store/custody/custody.ts";
import type { CustodyIntent } from "../../domain/custody-intent.ts";

/** Returns a transaction in its wire format. Amounts in whole quote units. */
export function presentTransaction(
  row: CustodyRow,
  quoteDecimals: number,
): z.infer<typeof followedTransaction> {
  return {
    id: row.id,
    agentId: row.agentId,
    intent: row.intent as CustodyIntent,
    step: row.step,
    stepCount: row.stepCount,
    label: row.label,
    state: row.state,
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.amount === null ? {} : { amount: formatDecimal(row.amount, quoteDecimals) }),
    ...(row.signature === null ? {} : { signature: row.signature }),
    ...(row.sentAt === null ? {} : { sentAt: row.sentAt.toISOString() }),
    hasNext: row.step < row.stepCount,
  };
}
