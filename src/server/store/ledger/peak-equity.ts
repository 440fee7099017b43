import { sql } from "kysely";
import type { AgentId } from "../../../domain/ids.ts";
import type { RecordedWorth, WorthsBetween } from "../../../domain/owner-history.ts";
import type { Db } from "../postgres/db.ts";

/** Maximum number of equity points read; they are recorded once an hour and after fills. */
const MOST_WORTHS = 10_000;

/**
 * Returns an agent's recorded equity after one time and up to another, oldest first, and the last value before.
 *
 * Returns none for a ledger that started with an opening balance or whose owner moved an asset in kind: its gains then
 * differ from those of the venue's account.
 */
export async function readEquityRange(
  db: Db,
  agentId: AgentId,
  afterMs: number,
  untilMs: number,
): Promise<WorthsBetween> {
  const [after, until] = [new Date(afterMs), new Date(untilMs)];
  const { rows } = await sql<{ at: Date; value: string; net_flow: string }>`
    select at, value::text, net_flow::text from equity_points as point
    where agent_id = ${agentId} and at <= ${until} and at >= coalesce((
      select max(at) from equity_points where agent_id = ${agentId} and at <= ${after}
    ), ${after})
    and not exists (
      select from ledger_entries as entry
      where entry.agent_id = ${agentId} and place in ('vault', 'exchange') and (kind = 'opening'
        or (kind in ('deposit', 'withdrawal', 'external') and entry.asset <> point.asset)))
    order by at limit ${MOST_WORTHS}`.execute(db);
  const isBefore = ({ at }: { readonly at: Date }) => at.getTime() <= afterMs;
  const before = rows.find(isBefore);
  return {
    before: before === undefined ? null : toWorth(before),
    worths: rows.filter((row) => !isBefore(row)).map(toWorth),
  };
}

const toWorth = (row: { readonly value: string; readonly net_flow: string }): RecordedWorth => ({
  value: BigInt(row.value),
  netFlow: BigInt(row.net_flow),
});
