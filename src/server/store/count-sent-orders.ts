import type { Pool } from "pg";

/** Exits are not counted against anybody's entries: they are never refused for their number. */
const COUNT_SENT = `
with agent as (select owner, network from agents where id = $1),
entries as (
  select agents.owner from orders join agents on agents.id = orders.agent_id
  where submitted_at > $2 and (intent ->> 'reduceOnly')::boolean is not true
    and agents.network = (select network from agent)
)
select
  (select count(*) from orders where agent_id = $1 and submitted_at > $2) as "lastMinute",
  (select count(*) from orders where agent_id = $1 and submitted_at > $3) as "lastHour",
  (select count(*) from entries where owner = (select owner from agent)) as "entriesOfOwner",
  (select count(*) from entries) as "entriesOfNetwork"`;

type SentCounts = Readonly<
  Record<"lastMinute" | "lastHour" | "entriesOfOwner" | "entriesOfNetwork", number>
>;

/** Counts the orders an agent sent within the last minute and hour, and the last minute's entries around it. */
export async function countSentOrders(
  pool: Pool,
  agentId: string,
  nowMs: number,
): Promise<SentCounts> {
  const { rows } = await pool.query<Record<keyof SentCounts, string>>({
    name: "count-sent",
    text: COUNT_SENT,
    values: [agentId, new Date(nowMs - 60_000), new Date(nowMs - 3_600_000)],
  });
  const [row] = rows;
  if (row === undefined) throw new Error("A count answered without a row");
  const toCount = (text: string) => Number.parseInt(text, 10);
  return {
    lastMinute: toCount(row.lastMinute),
    lastHour: toCount(row.lastHour),
    entriesOfOwner: toCount(row.entriesOfOwner),
    entriesOfNetwork: toCount(row.entriesOfNetwork),
  };
}
