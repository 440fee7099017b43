import type { Client } from "pg";
import { inSession } from "../../src/server/store/postgres/in-session.ts";
import {
  type ChainAgent,
  type ChainSource,
  type Holdings,
  type Landed,
  readAgents,
  readHoldings,
  storedChain,
} from "./chain-evidence.ts";

import { readStoredFacts, type StoredFacts } from "./judge-stored.ts";

/** Everything stored about alerts, orders and rules, in the order written, without times of ours and sequence numbers. */
export interface Records {
  readonly events: readonly StoredEvent[];
  readonly orders: readonly StoredOrder[];
  readonly log: readonly LogRow[];
  readonly counters: readonly StoredCounter[];
  /** Sums of the orders' recorded fills by signature, oldest first. */
  readonly fills: readonly StoredFill[];
  readonly exits: readonly { readonly id: string; readonly state: string }[];
  readonly autoTrade: readonly { readonly agentId: string; readonly state: string }[];
  /** Signatures of transactions that filled or cancelled an order after it was placed. */
  readonly followUps: readonly { readonly orderId: string; readonly signature: string }[];
}

/** What can be judged at every moment of a run. */
export interface Moment extends Records {
  readonly agents: readonly ChainAgent[];
  /** Every transaction of the chain, in the order they landed. */
  readonly landed: readonly Landed[];
}

/** What can be judged once no work is left. */
export interface Evidence extends Moment {
  readonly holdings: ReadonlyMap<string, Holdings>;
  /** In the order they were booked. */
  readonly entries: readonly BookRow[];
  readonly marks: readonly BookMark[];
  /** Recorded worth, oldest first. */
  readonly points: readonly StoredPoint[];
  readonly stored: StoredFacts;
}

export interface StoredEvent {
  readonly id: string;
  readonly agentId: string;
  readonly alertName: string;
  readonly firedAtMs: number;
  readonly outcome: string;
  readonly reason?: string | null;
}

export interface StoredOrder {
  readonly id: string;
  readonly agentId: string;
  readonly eventId: string | null;
  readonly signal: string;
  readonly leg: number;
  readonly state: string;
  readonly reason: string | null;
  readonly signature: string | null;
  /** Null before it was decided. */
  readonly reduces: boolean | null;
}

/** Sizes are signed: bought above zero, sold below. */
export interface LogRow {
  readonly id: string;
  readonly agentId: string;
  readonly eventId: string | null;
  readonly orderId: string | null;
  readonly signal: string;
  readonly status: string;
  readonly signature: string | null;
  readonly baseSize: bigint;
  readonly quoteTotal: bigint;
  readonly fee: bigint | null;
  /** Six decimals. */
  readonly price: bigint | null;
  readonly side: string;
  readonly market: string;
}

export interface StoredCounter {
  readonly agentId: string;
  readonly ruleId: string;
  readonly action: string;
  readonly alertName: string;
  readonly requiredCount: number;
  readonly count: number;
}

/** Sizes are signed as those of the log. */
export interface StoredFill {
  readonly orderId: string;
  readonly signature: string;
  readonly baseSize: bigint;
  readonly quoteSize: bigint;
  readonly fee: bigint;
}

export interface BookRow {
  readonly seq: bigint;
  readonly agentId: string;
  readonly owner: string;
  readonly network: string;
  readonly signature: string;
  readonly kind: string;
  readonly place: string;
  readonly subAccount: number;
  readonly market: string;
  readonly asset: string;
  readonly decimals: number;
  readonly amount: bigint;
  readonly baseMarket: string | null;
  readonly baseAmount: bigint | null;
  readonly realised: bigint | null;
  readonly realisedFees: bigint | null;
  readonly heldBase: bigint | null;
  readonly heldCost: bigint | null;
  readonly heldFees: bigint | null;
  readonly slot: bigint;
  readonly atMs: number;
}

export interface BookMark {
  readonly agentId: string;
  readonly isPending: boolean;
  readonly difference: string | null;
}

/** A recorded worth of an agent. */
export interface StoredPoint {
  readonly seq: string;
  readonly agentId: string;
  readonly atMs: number;
  readonly value: bigint;
  readonly netFlow: bigint;
  readonly price: bigint | null;
  readonly entrySeq: bigint;
}

const hex = (column: string) => `encode(uuid_send(${column}), 'hex')`;

const list = (name: string, select: string) =>
  `'${name}', (select coalesce(json_agg(row_to_json(each)), '[]') from (${select}) each)`;

const EVENTS = `
select ${hex("id")} as id, ${hex("agent_id")} as "agentId", alert_name as "alertName",
  round(extract(epoch from fired_at) * 1000)::bigint as "firedAtMs", outcome, reason
from alert_events`;

const ORDERS = `
select id, agent_id as "agentId", ${hex("event_id")} as "eventId", signal, leg, state, reason, signature,
  (intent->>'reduceOnly')::boolean as reduces
from orders order by seq`;

const LOG = `
select id, agent_id as "agentId", ${hex("event_id")} as "eventId", order_id as "orderId", signal, status, signature,
  base_size::text as "baseSize", quote_total::text as "quoteTotal", fee::text, price::text, side, market
from trade_log order by seq`;

const COUNTERS = `
select rules.agent_id as "agentId", rules.id as "ruleId", action, alerts.name as "alertName",
  required_count as "requiredCount", count
from rule_conditions
join rules on rules.id = rule_conditions.rule_id
join alerts on alerts.id = rule_conditions.alert_id
order by rules.agent_id, rules.seq, alerts.seq`;

const FILLS = `
select order_id as "orderId", order_fills.signature, signal, sum(base_size)::text as "baseSize",
  sum(quote_size)::text as "quoteSize", sum(fee)::text as fee
from order_fills join orders on orders.id = order_id
group by 1, 2, 3 order by max(slot), order_fills.signature`;

const RECORDS = `select json_build_object(
  ${list("events", `${EVENTS} order by agent_id, seq`)},
  ${list("orders", ORDERS)},
  ${list("log", LOG)},
  ${list("counters", COUNTERS)},
  ${list("fills", FILLS)},
  ${list("exits", "select id, state from exits order by id")},
  ${list("autoTrade", `select id as "agentId", auto_trade as state from agents order by id`)},
  ${list("followUps", `select order_id as "orderId", signature from order_transactions order by seq`)}
)::text as text`;

const ENTRIES = `
select seq::text, agent_id as "agentId", owner, network, signature, kind, place, sub_account as "subAccount", market, asset,
  decimals, amount::text, base_market as "baseMarket", base_amount::text as "baseAmount", realised::text,
  realised_fees::text as "realisedFees", held_fees::text as "heldFees",
  held_base::text as "heldBase", held_cost::text as "heldCost", slot::text,
  (extract(epoch from at) * 1000)::bigint::text as "atMs"
from ledger_entries order by ledger_entries.seq`;

const MARKS = `
select agent_id as "agentId", difference::text as difference,
  exists (select from pending_entries as seen where seen.agent_id = mark.agent_id and is_read) as "isPending"
from ledger_marks as mark`;

const POINTS = `
select seq::text, agent_id as "agentId", round(extract(epoch from at) * 1000)::bigint::text as "atMs", value::text, net_flow::text as "netFlow", price::text, entry_seq::text as "entrySeq"
from equity_points order by agent_id, at, equity_points.seq`;

type Asks = Pick<Client, "query">;

/** A row as it is read: amounts as text. */
type AsText<Row> = {
  readonly [Name in keyof Row]: bigint extends Row[Name]
    ? string | Exclude<Row[Name], bigint>
    : Row[Name];
};

const SELLS = ["OPEN_SHORT", "CLOSE_LONG"];

/** Returns the size with the sign of the signal's side. */
const signed = (signal: string, size: string): bigint =>
  SELLS.includes(signal) ? -BigInt(size) : BigInt(size);

/** Reads the records in one statement, so at one moment, as text: equal for equal records. */
export async function readRecordsText(client: Asks): Promise<string> {
  const { rows } = await client.query<{ text: string }>({ name: "records", text: RECORDS });
  return rows[0]?.text ?? "";
}

export function parseRecords(text: string): Records {
  const { log, fills, ...others } = JSON.parse(text) as Omit<Records, "log" | "fills"> & {
    readonly log: readonly AsText<LogRow>[];
    readonly fills: readonly (AsText<StoredFill> & { readonly signal: string })[];
  };
  return {
    ...others,
    log: log.map((row) => ({
      ...row,
      baseSize: signed(row.signal, row.baseSize),
      quoteTotal: BigInt(row.quoteTotal),
      fee: units(row.fee),
      price: units(row.price),
    })),
    fills: fills.map(({ signal, baseSize, ...row }) => ({
      ...row,
      baseSize: signed(signal, baseSize),
      quoteSize: BigInt(row.quoteSize),
      fee: BigInt(row.fee),
    })),
  };
}

/** Reads everything a product on the practice network left in its database, in one snapshot. */
export const readSnapshot = (url: string): Promise<Evidence> =>
  inSession(url, async (client) => {
    await client.query("begin isolation level repeatable read read only");
    return readEvidence(client, storedChain(client));
  });

/** Reads everything a run left. The caller has begun a transaction that sees one snapshot, or nobody else writes. */
export async function readEvidence(client: Asks, chain: ChainSource): Promise<Evidence> {
  const read = async <Row>(text: string): Promise<Row[]> =>
    (await client.query(text)).rows as Row[];
  const agents = await readAgents(client);
  const entries = await read<Record<keyof BookRow, string>>(ENTRIES);
  const points = await read<Record<keyof StoredPoint, string>>(POINTS);
  return {
    ...parseRecords(await readRecordsText(client)),
    agents,
    landed: await chain.landed(),
    holdings: await readHoldings(chain, agents),
    entries: entries.map((row) => ({
      ...row,
      seq: BigInt(row.seq),
      subAccount: Number(row.subAccount),
      decimals: Number(row.decimals),
      amount: BigInt(row.amount),
      baseAmount: units(row.baseAmount),
      realised: units(row.realised),
      realisedFees: units(row.realisedFees),
      heldFees: units(row.heldFees),
      heldBase: units(row.heldBase),
      heldCost: units(row.heldCost),
      slot: BigInt(row.slot),
      atMs: Number(row.atMs),
    })),
    marks: await read<BookMark>(MARKS),
    stored: await readStoredFacts(client),
    points: points.map((row) => ({
      seq: row.seq,
      agentId: row.agentId,
      atMs: Number(row.atMs),
      value: BigInt(row.value),
      netFlow: BigInt(row.netFlow),
      price: units(row.price),
      entrySeq: BigInt(row.entrySeq),
    })),
  };
}

const units = (text: string | null): bigint | null => (text === null ? null : BigInt(text));

/** Reads the events of some agents. */
export async function readEvents(
  client: Asks,
  agentIds: readonly string[],
): Promise<readonly StoredEvent[]> {
  const text = `${EVENTS} where agent_id = any($1::uuid[]) order by seq`;
  const { rows } = await client.query<StoredEvent & { firedAtMs: string }>(text, [agentIds]);
  return rows.map((row) => ({ ...row, firedAtMs: Number(row.firedAtMs) }));
}
