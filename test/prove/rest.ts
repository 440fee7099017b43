import { setTimeout as sleep } from "node:timers/promises";
import { isOpenOrderState, ORDER_STATES } from "../../src/domain/order/order-states.ts";
import { inSession } from "../../src/server/store/postgres/in-session.ts";

/** What is still under way. */
export interface OpenWork {
  readonly orders: number;
  readonly exits: number;
  /** Agents whose book has not read its last trade, or is not compared with the chain since. */
  readonly books: number;
}

const OPEN_WORK = `
select
  (select count(*)::int from orders where state = any($1)) as orders,
  (select count(*)::int from exits where state = 'working') as exits,
  (select count(*)::int from agents left join ledger_marks on agent_id = agents.id
   where agent_id is null or exists (select from pending_entries as seen where seen.agent_id = agents.id and is_read) or difference is not null or coalesce(balanced_slot, -1) < (
     select coalesce(max(slot), 0) from practice_transactions join orders using (signature)
     where orders.agent_id = agents.id)) as books`;

const LOOK_MS = 250;

/** Waits until nothing is under way; returns what still is after the given time. */
export async function waitForRest(
  url: () => string | null,
  within: { readonly ms: number; readonly signal: AbortSignal },
): Promise<OpenWork | null> {
  const states = ORDER_STATES.filter((state) => isOpenOrderState(state));
  const endsAtMs = Date.now() + within.ms;
  for (;;) {
    const work = await look(url(), states).catch(() => null);
    if (work !== null && work.orders + work.exits + work.books === 0) return null;
    if (Date.now() > endsAtMs) return work ?? { orders: 0, exits: 0, books: 0 };
    await sleep(LOOK_MS, undefined, { signal: within.signal });
  }
}

async function look(url: string | null, states: readonly string[]): Promise<OpenWork | null> {
  if (url === null) return null;
  return inSession(url, async (client) => {
    const { rows } = await client.query<OpenWork>(OPEN_WORK, [states]);
    return rows[0] ?? null;
  });
}
