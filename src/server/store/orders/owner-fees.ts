import { sql } from "kysely";
import type { Pool } from "pg";
import type { AgentId } from "../../../domain/ids.ts";
import { utcDay } from "../../../domain/risk-ledger.ts";
import type { Db } from "../postgres/db.ts";

/**
 * Adds to the fees of the day of an agent's owner. `agent`, `day` and `lamports` are numbers of parameters; `condition`
 * says when.
 */
export const ADD_OWNER_FEE = (
  parameters: Readonly<Record<"agent" | "day" | "lamports", number>>,
  condition: string,
): string =>
  `insert into owner_fees (owner, network, day, lamports)
    select owner, network, $${parameters.day}::date, $${parameters.lamports}::bigint
    from agents where id = $${parameters.agent} and ${condition}
    on conflict (owner, network, day) do update
    set lamports = owner_fees.lamports + excluded.lamports`;

/** Returns the values of `day` and `lamports`. */
export const ownerFeeValues = (lamports: bigint, atMs: number): readonly string[] => [
  utcDay(atMs),
  lamports.toString(),
];

/** Adds the fee offered for a transaction of an agent other than an order. */
export async function addOwnerFee(
  pool: Pool,
  agentId: AgentId,
  lamports: bigint,
  atMs: number,
): Promise<void> {
  await pool.query({
    name: "add-owner-fee",
    text: ADD_OWNER_FEE({ agent: 1, day: 2, lamports: 3 }, "true"),
    values: [agentId, ...ownerFeeValues(lamports, atMs)],
  });
}

/** Deletes at most `limit` days before the given time, which no longer count, and returns how many. */
export async function deleteOldOwnerFees(db: Db, before: number, limit: number): Promise<number> {
  const deleted = await sql`
    delete from owner_fees where (owner, network, day) in (
      select owner, network, day from owner_fees where day < ${utcDay(before)}::date limit ${limit}
    )`.execute(db);
  return Number(deleted.numAffectedRows ?? 0n);
}
