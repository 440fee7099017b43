import type { Pool } from "pg";
import type { Network } from "../../../domain/network.ts";
import { statesBefore } from "../../../domain/order/order-states.ts";
import { stateList } from "./order-state-sql.ts";
import { type KnownOrder, type OpenOrderRow, toKnownOrder } from "./orders.ts";

/** An order that was sent and given up; the chain may still show fills of it. */
export interface GivenUpOrder {
  readonly order: KnownOrder;
  readonly signature: string;
  readonly network: Network;
}

const GIVEN_UP = `
select orders.id, agent_id, event_id, signal, leg, state, intent, resting, exit_id, planned_at,
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
