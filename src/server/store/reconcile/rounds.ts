import type { Network } from "../../../domain/network.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";

/** How a network's rounds of reconciliation go, whichever process ran them. */
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

/** Stores that a round read all of a network's agents. */
export async function saveWholeRound(
  db: Db,
  round: { readonly network: Network; readonly atMs: number; readonly agents: number },
): Promise<void> {
  await on(db).change`
    insert into reconcile_rounds (network, done_at, agents)
    values (${round.network}, ${new Date(round.atMs)}, ${round.agents})
    on conflict (network) do update set done_at = excluded.done_at, agents = excluded.agents,
      failing_since = null, failed = 0, reason = null`;
}

/** Stores that a round did not read all of a network's agents. */
export async function saveFailedRound(
  db: Db,
  round: { readonly network: Network; readonly atMs: number; readonly reason: string },
): Promise<void> {
  const { network, reason } = round;
  await on(db).change`
    insert into reconcile_rounds (network, failing_since, failed, reason)
    values (${network}, ${new Date(round.atMs)}, 1, ${reason})
    on conflict (network) do update set
      failing_since = coalesce(reconcile_rounds.failing_since, excluded.failing_since),
      failed = reconcile_rounds.failed + 1, reason = excluded.reason`;
}

export async function readRounds(db: Db): Promise<readonly RoundRecord[]> {
  return on(db).rows<RoundRecord>`
    select network, done_at as "doneAt", agents, failing_since as "failingSince", failed, reason
    from reconcile_rounds order by network`;
}
