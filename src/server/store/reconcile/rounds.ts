import { sql } from "kysely";
import type { Network } from "../../../domain/network.ts";
import type { Db } from "../postgres/db.ts";

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
  const row = { done_at: new Date(round.atMs), agents: round.agents };
  const cleared = { failing_since: null, failed: 0, reason: null };
  await db
    .insertInto("reconcile_rounds")
    .values({ network: round.network, ...row })
    .onConflict((conflict) => conflict.column("network").doUpdateSet({ ...row, ...cleared }))
    .execute();
}

/** Stores that a round did not read all of a network's agents. */
export async function saveFailedRound(
  db: Db,
  round: { readonly network: Network; readonly atMs: number; readonly reason: string },
): Promise<void> {
  const { network, reason } = round;
  await db
    .insertInto("reconcile_rounds")
    .values({ network, failing_since: new Date(round.atMs), failed: 1, reason })
    .onConflict((conflict) =>
      conflict.column("network").doUpdateSet({
        failing_since: sql`coalesce(reconcile_rounds.failing_since, excluded.failing_since)`,
        failed: sql`reconcile_rounds.failed + 1`,
        reason,
      }),
    )
    .execute();
}

export async function readRounds(db: Db): Promise<readonly RoundRecord[]> {
  const rows = await db.selectFrom("reconcile_rounds").selectAll().orderBy("network").execute();
  return rows.map(({ network, done_at, agents, failing_since, failed, reason }) => ({
    network,
    doneAt: done_at,
    agents,
    failingSince: failing_since,
    failed,
    reason,
  }));
}
