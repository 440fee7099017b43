import type { Pool } from "pg";
import type { AgentId } from "../../../domain/ids.ts";
import {
  COUNT_SENT,
  countSentValues,
  type SentCounts,
  type SentCountsRow,
  toSentCounts,
} from "../lanes/count-sent-orders.ts";
import { isUndecided } from "./foreign-powers.ts";

/** What is stored that the decision on an order depends on, besides its agent. */
export interface BeforeOrder {
  readonly sent: SentCounts;
  /** Slot the agent's newest order landed in; 0 before the first. */
  readonly landedSlot: bigint;
  /** Whether a third party has authority over the agent's funds, or traded, and its owner has not decided on that. */
  readonly hasUndecidedPowers: boolean;
}

const BEFORE_ORDER = `
select counted.*, (select landed_slot from lanes where agent_id = $1) as "landedSlot",
  ${isUndecided("$1")} as "hasUndecidedPowers"
from (${COUNT_SENT}) as counted`;

interface Row extends SentCountsRow {
  readonly landedSlot: string | null;
  readonly hasUndecidedPowers: boolean;
}

/** Reads it in one statement. */
export async function readBeforeOrder(
  pool: Pool,
  agentId: AgentId,
  nowMs: number,
): Promise<BeforeOrder> {
  const { rows } = await pool.query<Row>({
    name: "before-order",
    text: BEFORE_ORDER,
    values: countSentValues(agentId, nowMs),
  });
  const [row] = rows;
  if (row === undefined) throw new Error("A count answered without a row");
  return {
    sent: toSentCounts(row),
    landedSlot: BigInt(row.landedSlot ?? 0),
    hasUndecidedPowers: row.hasUndecidedPowers,
  };
}
