import { deleteRows } from "../postgres/on.ts";
import { sql } from "kysely";
import type { AgentId } from "../../../domain/ids.ts";
import { LEAST_FEES_PER_DAY_OF_OWNER, type RiskContext } from "../../../domain/order/risk.ts";
import { type RiskLedger, utcDay } from "../../../domain/risk-ledger.ts";
import type { Db } from "../postgres/db.ts";
import { toRiskLedger } from "../orders/risk-ledger-json.ts";

/** Orders an agent sent, for limits and display: `asked` holds the agent and the two times. */
const SENT_BY_AGENT = `
  select count(*) filter (where submitted_at > asked.minute_ago) as "lastMinute",
    count(*) as "lastHour",
    min(submitted_at) filter (where submitted_at > asked.minute_ago) as "oldestOfMinute",
    min(submitted_at) as "oldestOfHour"
  from orders where orders.agent_id = asked.id and submitted_at > asked.hour_ago`;

/**
 * Entry counts exclude exits, which are never refused for their number. The fees of all owners are summed only for an
 * owner who used his least share.
 */
export const COUNT_SENT = `
with agent as (select owner, network from agents where id = $1),
  own as (select coalesce((select lamports from owner_fees join agent using (owner, network)
    where day = $4::date), 0) as lamports),
  everybody as (select coalesce(sum(lamports), 0) as lamports, count(*) as owners from owner_fees
    where network = (select network from agent) and day = $4::date
      and (select lamports from own) >= ${LEAST_FEES_PER_DAY_OF_OWNER})
select sent."lastMinute" as "ordersLastMinute", sent."lastHour" as "ordersLastHour",
  (select count(*) from agents cross join lateral (
      select from orders where orders.agent_id = agents.id and submitted_at > $2
        and (intent ->> 'reduceOnly')::boolean is not true) as entries
    where (agents.owner, agents.network) = (select owner, network from agent))
    as "entriesLastMinuteOfOwner",
  (select lamports from own) as "feesTodayOfOwner",
  (select lamports from everybody) as "feesTodayOfAll",
  (select owners from everybody) as "ownersToday"
from (select $1::text as id, $2::timestamptz as minute_ago, $3::timestamptz as hour_ago) as asked
cross join lateral (${SENT_BY_AGENT}) as sent`;

/** Counts of sent orders that the risk checks need. */
export type SentCounts = Pick<
  RiskContext,
  | "ordersLastMinute"
  | "ordersLastHour"
  | "entriesLastMinuteOfOwner"
  | "feesTodayOfOwner"
  | "feesTodayOfAll"
  | "ownersToday"
>;

const toCount = (text: string) => Number.parseInt(text, 10);

const windowsAt = (nowMs: number) => [new Date(nowMs - 60_000), new Date(nowMs - 3_600_000)];

export type SentCountsRow = Readonly<Record<keyof SentCounts, string>>;

/** Values of `COUNT_SENT`; the agent is the first. */
export const countSentValues = (agentId: AgentId, nowMs: number): unknown[] => [
  agentId,
  ...windowsAt(nowMs),
  utcDay(nowMs),
];

/**
 * Returns the number of orders an agent sent within the last minute and hour, and the entries and the fees of its owner
 * on its network in the last minute and today.
 */
export const toSentCounts = (row: SentCountsRow): SentCounts => ({
  ordersLastMinute: toCount(row.ordersLastMinute),
  ordersLastHour: toCount(row.ordersLastHour),
  entriesLastMinuteOfOwner: toCount(row.entriesLastMinuteOfOwner),
  feesTodayOfOwner: BigInt(row.feesTodayOfOwner),
  feesTodayOfAll: BigInt(row.feesTodayOfAll),
  ownersToday: toCount(row.ownersToday),
});

/** Number of orders an agent sent within the last minute and hour, and the time of the oldest of each. */
export interface SentByAgent {
  readonly lastMinute: number;
  readonly lastHour: number;
  readonly oldestOfMinuteMs: number | null;
  readonly oldestOfHourMs: number | null;
}

/** State left by an agent's earlier orders that affects its next one. */
export interface PriorOrders {
  readonly ledger: RiskLedger;
  readonly sent: SentByAgent;
}

interface StandingRow {
  readonly id: string;
  readonly risk: unknown;
  readonly lastMinute: string;
  readonly lastHour: string;
  readonly oldestOfMinute: Date | null;
  readonly oldestOfHour: Date | null;
}

/** Returns the state left by the agents' earlier orders, by agent. */
export async function readPriorOrders(
  db: Db,
  agentIds: readonly AgentId[],
  nowMs: number,
): Promise<ReadonlyMap<string, PriorOrders>> {
  if (agentIds.length === 0) return new Map();
  const [minuteAgo, hourAgo] = windowsAt(nowMs);
  const { rows } = await sql<StandingRow>`
    select asked.id, asked.risk, sent.*
    from (
      select agent_id as id, risk, ${minuteAgo}::timestamptz as minute_ago,
        ${hourAgo}::timestamptz as hour_ago
      from lanes where agent_id = any(${agentIds})
    ) as asked
    cross join lateral (${sql.raw(SENT_BY_AGENT)}) as sent`.execute(db);
  return new Map(rows.map((row) => [row.id, toStanding(row)]));
}

const toStanding = (row: StandingRow): PriorOrders => ({
  ledger: toRiskLedger(row.risk),
  sent: {
    lastMinute: toCount(row.lastMinute),
    lastHour: toCount(row.lastHour),
    oldestOfMinuteMs: row.oldestOfMinute?.getTime() ?? null,
    oldestOfHourMs: row.oldestOfHour?.getTime() ?? null,
  },
});

/** Deletes at most `limit` days before the given time, which no longer count, and returns how many. */
export async function deleteOldOwnerFees(db: Db, before: number, limit: number): Promise<number> {
  return deleteRows(
    db,
    "owner_fees",
    sql`select (owner, network, day)::text from owner_fees where day < ${utcDay(before)}::date limit ${limit}`,
  );
}
