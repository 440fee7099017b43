import type { Pool } from "pg";

import {
  COUNT_SENT,
  countSentValues,
  type SentCounts,
  type SentCountsRow,
  toSentCounts,
} from "../lanes/count-sent-orders.ts";
import {
  type CauseRow,
  causeOfOrder,
  type DecisionCause,
  toCause,
} from "../orders/decision-cause.ts";
import type { KnownOrder } from "../orders/orders.ts";
import { isUndecided } from "./foreign-powers.ts";

/** What is stored that the decision on an order depends on, besides its agent. */
export interface BeforeOrder {
  readonly sent: SentCounts;
  /** Slot the agent's newest order landed in; 0 before the first. */
  readonly landedSlot: bigint;
  /** Whether a third party has authority over the agent's funds, or traded, and its owner has not decided on that. */
  readonly hasUndecidedPowers: boolean;
  /** What the order goes back to. */
  readonly cause: DecisionCause;
}

/** One row for each alert the order goes back to, or a single one. */
const BEFORE_ORDER = `
select counted.*, (select landed_slot from lanes where agent_id = $1) as "landedSlot",
  ${isUndecided("$1")} as "hasUndecidedPowers", caused.*
from (${COUNT_SENT}) as counted
left join (${causeOfOrder("$5")}) as caused on true
order by caused.seq`;

interface Row extends SentCountsRow, CauseRow {
  readonly landedSlot: string | null;
  readonly hasUndecidedPowers: boolean;
}

/** Reads it in one statement. */
export async function readBeforeOrder(
  pool: Pool,
  { id, agentId }: Pick<KnownOrder, "id" | "agentId">,
  nowMs: number,
): Promise<BeforeOrder> {
  const { rows } = await pool.query<Row>({
    name: "before-order",
    text: BEFORE_ORDER,
    values: [...countSentValues(agentId, nowMs), id],
  });
  const [row] = rows;
  if (row === undefined) throw new Error("A count answered without a row");
  return {
    sent: toSentCounts(row),
    landedSlot: BigInt(row.landedSlot ?? 0),
    hasUndecidedPowers: row.hasUndecidedPowers,
    cause: toCause(rows),
  };
}
