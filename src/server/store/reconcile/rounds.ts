import { sql } from "kysely";
import type { Network } from "../../../domain/network.ts";
import type { Db } from "../postgres/db.ts";
import { deleteRows, on } from "../postgres/on.ts";

/** How a network's rounds of reconciliation go: where several servers divide the agents, of the slowest and of all. */
export interface RoundRecord {
  readonly network: Network;
  /** Time of the last round that read every agent; null before the first. */
  readonly doneAt: Date | null;
  /** Agents that round read. */
  readonly agents: number;
  /** Time of the first round that failed since then, how many did, and why the last one did. */
  readonly failingSince: Date | null;
  readonly failed: number;
  readonly reason: string | null;
}

/** A round that one server ended over its share of a network's agents. */
interface EndedRound {
  readonly network: Network;
  readonly server: string;
  readonly atMs: number;
}

/** Stores that a round read all of a server's agents, and forgets the rounds of servers that are gone. */
export async function saveWholeRound(
  db: Db,
  { network, server, atMs, agents }: EndedRound & { readonly agents: number },
): Promise<void> {
  const gone = sql`
    select (network, server)::text from reconcile_rounds
    where network = ${network} and server <> ${server} and server not in (select name from trading_servers)`;
  await deleteRows(db, "reconcile_rounds", gone);
  await on(db).change`
    insert into reconcile_rounds (network, server, done_at, agents)
    values (${network}, ${server}, ${new Date(atMs)}, ${agents})
    on conflict (network, server) do update set done_at = excluded.done_at, agents = excluded.agents,
      failing_since = null, failed = 0, reason = null`;
}

/** Stores that a round did not read all of a server's agents. */
export async function saveFailedRound(
  db: Db,
  { network, server, atMs, reason }: EndedRound & { readonly reason: string },
): Promise<void> {
  await on(db).change`
    insert into reconcile_rounds (network, server, failing_since, failed, reason)
    values (${network}, ${server}, ${new Date(atMs)}, 1, ${reason})
    on conflict (network, server) do update set
      failing_since = coalesce(reconcile_rounds.failing_since, excluded.failing_since),
      failed = reconcile_rounds.failed + 1, reason = excluded.reason`;
}

export async function readRounds(db: Db): Promise<readonly RoundRecord[]> {
  return on(db).rows<RoundRecord>`
    select network, case when bool_and(done_at is not null) then min(done_at) end as "doneAt",
      sum(agents)::int as agents, min(failing_since) as "failingSince", sum(failed)::int as failed,
      (array_agg(reason order by failing_since))[1] as reason
    from reconcile_rounds
    where server in (select name from trading_servers) or not exists (select from trading_servers)
    group by network order by network`;
}
