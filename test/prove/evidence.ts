import type { Client } from "pg";
import { type MoneyEvidence, readMoney } from "./money-evidence.ts";
import { ORDER_ACTION, parseOrderActionLog } from "../../src/venues/drift/order-action-record.ts";

/** What the database holds after a run, read in one snapshot. Sizes are signed: bought above zero, sold below. */
export interface Evidence {
  readonly events: readonly StoredEvent[];
  readonly orders: readonly StoredOrder[];
  readonly log: readonly LogRow[];
  readonly counters: readonly StoredCounter[];
  /** Base sizes that the chain's own events report, by signature. */
  readonly chain: ReadonlyMap<string, ChainTrade>;
  /** Base sizes of the orders' recorded fills by signature, oldest first. */
  readonly fills: readonly StoredFill[];
  /** Base sizes booked as trades, by signature. */
  readonly book: ReadonlyMap<string, bigint>;
  readonly marks: readonly BookMark[];
  readonly money: MoneyEvidence;
}

/** Every arrival of an alert that counted, in the order of counting. */
export interface StoredEvent {
  readonly id: string;
  readonly agentId: string;
  readonly alertName: string;
  readonly firedAtMs: number;
}

export interface StoredOrder {
  readonly id: string;
  readonly agentId: string;
  readonly eventId: string | null;
  readonly signal: string;
  readonly leg: number;
  readonly state: string;
  readonly signature: string | null;
}

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

export interface ChainTrade {
  readonly user: string;
  readonly baseSize: bigint;
}

export interface StoredFill {
  readonly orderId: string;
  readonly signature: string;
  readonly baseSize: bigint;
  readonly quoteSize: bigint;
  readonly fee: bigint;
}

export interface BookMark {
  readonly agentId: string;
  readonly isPending: boolean;
  readonly difference: string | null;
}

const EVENTS = `
select encode(uuid_send(id), 'hex') as id, encode(uuid_send(agent_id), 'hex') as "agentId",
  alert_name as "alertName", extract(epoch from fired_at) * 1000 as "firedAtMs"
from alert_events where outcome = 'accepted' order by agent_id, seq`;

const ORDERS = `
select id, agent_id as "agentId", encode(uuid_send(event_id), 'hex') as "eventId", signal, leg, state, signature
from orders order by seq`;

const LOG = `
select id, agent_id as "agentId", encode(uuid_send(event_id), 'hex') as "eventId", order_id as "orderId", signal, status, signature,
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
from order_fills join orders on orders.id = order_id group by 1, 2, 3 order by max(slot), order_fills.signature`;

const CHAIN = "select signature, logs from practice_transactions where error is null";

const BOOK = `
select signature, sum(base_amount)::text as "baseSize"
from ledger_entries where kind = 'trade' group by signature`;

const MARKS = `
select agent_id as "agentId", pending <> '[]' as "isPending", difference::text as difference
from ledger_marks`;

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

/** Reads everything a run left. The caller has begun a transaction that sees one snapshot. */
export async function readEvidence(client: Pick<Client, "query">): Promise<Evidence> {
  const read = async <Row>(text: string): Promise<Row[]> =>
    (await client.query(text)).rows as Row[];
  const events = await read<StoredEvent & { firedAtMs: string }>(EVENTS);
  const log = await read<AsText<LogRow>>(LOG);
  const fills = await read<AsText<StoredFill> & { signal: string }>(FILLS);
  const book = await read<{ signature: string; baseSize: string }>(BOOK);
  return {
    events: events.map((row) => ({ ...row, firedAtMs: Math.round(Number(row.firedAtMs)) })),
    orders: await read<StoredOrder>(ORDERS),
    log: log.map((row) => ({
      ...row,
      baseSize: signed(row.signal, row.baseSize),
      quoteTotal: BigInt(row.quoteTotal),
      fee: row.fee === null ? null : BigInt(row.fee),
      price: row.price === null ? null : BigInt(row.price),
    })),
    counters: await read<StoredCounter>(COUNTERS),
    fills: fills.map(({ signal, baseSize, ...row }) => ({
      ...row,
      baseSize: signed(signal, baseSize),
      quoteSize: BigInt(row.quoteSize),
      fee: BigInt(row.fee),
    })),
    chain: chainTrades(await read(CHAIN)),
    book: new Map(book.map(({ signature, baseSize }) => [signature, BigInt(baseSize)])),
    marks: await read<BookMark>(MARKS),
    money: await readMoney(client),
  };
}

const LONG = 0;

/** Returns what the landed transactions traded, by their own events and not by any record of ours. */
function chainTrades(
  landed: readonly { readonly signature: string; readonly logs: readonly string[] }[],
): ReadonlyMap<string, ChainTrade> {
  const trades = new Map<string, ChainTrade>();
  for (const { signature, logs } of landed) {
    for (const line of logs) {
      const record = parseOrderActionLog(line);
      const filled = record?.baseAssetAmountFilled ?? 0n;
      if (record === undefined || record.action !== ORDER_ACTION.fill || filled === 0n) continue;
      const [user, direction] =
        record.taker === null
          ? [record.maker, record.makerOrderDirection]
          : [record.taker, record.takerOrderDirection];
      const before = trades.get(signature)?.baseSize ?? 0n;
      trades.set(signature, {
        user: user ?? "",
        baseSize: before + (direction === LONG ? filled : -filled),
      });
    }
  }
  return trades;
}
