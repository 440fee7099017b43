import type { Finding } from "./judge.ts";

/** A fault put into the records of a run, and what the judge has to say of it. */
export interface PlantedFault {
  readonly title: string;
  /** Changes records and returns the id that the judge has to name; `$1` is the agent. */
  readonly sql: string;
  readonly kind: Finding["kind"];
  /** Text the finding has beside the id. */
  readonly says: string;
}

/** A row of the log of an order that traded, the first of the run. */
const ROW = "select id from trade_log where base_size > 0 order by seq limit 1";
const changeRow = (change: string) =>
  `update trade_log set ${change} where id = (${ROW}) returning id`;
export const ORDER = "select id from orders where state = 'filled' order by seq limit 1";
export const changeFill = (change: string) =>
  `update order_fills set ${change} where order_id = (${ORDER}) returning order_id as id`;

/** The first or last entry of a kind. */
const entry = (kind: string, more = "true", order = "seq") =>
  `select seq from ledger_entries where kind = '${kind}' and ${more} order by ${order} limit 1`;
const changeEntry = (kind: string, change: string, more?: string, id = "signature") =>
  `update ledger_entries set ${change} where seq = (${entry(kind, more)}) returning ${id}::text as id`;
const removeEntry = (kind: string, more?: string) =>
  `delete from ledger_entries where seq = (${entry(kind, more)}) returning signature as id`;
/** Columns of an entry but for its number. */
const COLUMNS = `agent_id, owner, network, signature, kind, place, sub_account, market, asset, decimals, amount,
  base_market, base_decimals, base_amount, realised, held_base, held_cost, slot, at, booked_at`;
const doubleEntry = (kind: string, more?: string) =>
  `insert into ledger_entries (${COLUMNS}, n) select ${COLUMNS}, n + 100 from ledger_entries
   where seq = (${entry(kind, more)}) returning signature as id`;

export const row = (title: string, change: string, says: string): PlantedFault => ({
  title,
  sql: changeRow(change),
  kind: "differs",
  says,
});
export const booked = (title: string, sql: string, says = "booked"): PlantedFault => ({
  title,
  sql,
  kind: "differs",
  says,
});

const FIRST_EVENT = "select id from alert_events where agent_id = $1 order by seq limit 1";

/** Faults in alerts, orders, rules and the log. */
const IN_ORDERS: readonly PlantedFault[] = [
  {
    title: "an acknowledged alert that is gone",
    sql: `delete from alert_events where id = (${FIRST_EVENT}) returning encode(uuid_send(id), 'hex') as id`,
    kind: "lost",
    says: "was acknowledged",
  },
  {
    title: "an order that an alert which is gone had caused",
    sql: `delete from alert_events where id = (${FIRST_EVENT}) returning encode(uuid_send(id), 'hex') as id`,
    kind: "doubled",
    says: "caused by event",
  },
  {
    title: "a counter moved by an alert that no longer exists",
    sql: `delete from alert_events where id = (${FIRST_EVENT}) returning encode(uuid_send(agent_id), 'hex') as id`,
    kind: "counter",
    says: "its alerts make",
  },
  {
    title: "an alert that counted twice",
    sql: `insert into alert_events (id, agent_id, alert_name, fired_at, received_at, outcome)
      select gen_random_uuid(), agent_id, alert_name, fired_at, received_at, outcome
      from alert_events where id = (${FIRST_EVENT}) returning encode(uuid_send(id), 'hex') as id`,
    kind: "doubled",
    says: "it counted as events",
  },
  {
    title: "an alert that nobody was told of",
    sql: `insert into alert_events (id, agent_id, alert_name, fired_at, received_at, outcome)
      values (gen_random_uuid(), $1, 'long', to_timestamp(1), now(), 'accepted')
      returning encode(uuid_send(id), 'hex') as id`,
    kind: "doubled",
    says: "was acknowledged to nobody",
  },
  {
    title: "a log row that is doubled",
    sql: `insert into trade_log (id, agent_id, chat_id, event_id, rule_id, market, signal, type, side, status,
        base_size, base_decimals, quote_decimals, signature, at)
      select gen_random_uuid()::text, agent_id, chat_id, event_id, rule_id, market, signal, type, side, status,
        base_size, base_decimals, quote_decimals, signature, at
      from trade_log where id = (${ROW}) returning id`,
    kind: "doubled",
    says: "log row",
  },
  {
    title: "an order that is doubled",
    sql: `insert into orders (id, agent_id, event_id, signal, leg, state, planned_at)
      select gen_random_uuid()::text, agent_id, event_id, signal, leg, 'denied', planned_at from orders
      where leg = 0 and event_id is not null limit 1 returning id`,
    kind: "doubled",
    says: "order",
  },
  {
    title: "an order that is missing",
    sql: `delete from orders where id = (${ORDER}) returning encode(uuid_send(event_id), 'hex') as id`,
    kind: "lost",
    says: "is missing",
  },
  {
    title: "a log row that is missing",
    sql: `delete from trade_log where id = (${ROW}) returning order_id as id`,
    kind: "lost",
    says: "log row of order",
  },
  {
    title: "a counter that is off by one",
    sql: "update rule_conditions set count = count - 1 where count > 0 returning rule_id as id",
    kind: "counter",
    says: "its alerts make",
  },
  {
    title: "a trigger's fee that is not in the book",
    sql: removeEntry("fee", "amount = -10000"),
    kind: "differs",
    says: "booked 0, on the chain -10000",
  },
  booked(
    "a trigger's fee that is in no order's fills",
    "delete from order_fills where base_size = 0 returning order_id as id",
    "lack the reward",
  ),
  booked(
    "a result without the fee of the trigger",
    `update ledger_entries set realised_fees = realised_fees + 10000
     where kind = 'trade' and seq = (select max(seq) from ledger_entries where kind = 'trade') returning signature as id`,
    "result, size and cost",
  ),
  {
    title: "an order that is still under way",
    sql: `update orders set state = 'unknown' where id = (${ORDER}) returning id`,
    kind: "open",
    says: "is still unknown",
  },
  {
    title: "an exit that is still under way",
    sql: `insert into exits (id, agent_id, market_id, side, asked_by, asked_at, state, next_attempt_at, limit_bps)
      values ('exit', $1, 'SOL-PERP', 'long', 'owner', now(), 'working', now(), 50) returning id`,
    kind: "open",
    says: "is still working",
  },
  {
    title: "an agent that is still stopping",
    sql: "update agents set auto_trade = 'stopping' returning id",
    kind: "open",
    says: "is still stopping",
  },
  {
    title: "a traded transaction whose order is recorded as expired",
    sql: `with expired as (update orders set state = 'expired' where id = (${ORDER})),
        shown as (update trade_log set status = 'failed', base_size = 0, quote_total = 0, price = null, fee = null
          where order_id = (${ORDER}))
      delete from order_fills where order_id = (${ORDER}) returning signature as id`,
    kind: "differs",
    says: "is not in the log",
  },
  {
    title: "a landed transaction of a trading key whose order is gone",
    sql: `with gone as (delete from order_transactions where order_id = (${ORDER}))
      update orders set signature = null where id = (${ORDER})
      returning (select signature from orders where id = (${ORDER})) as id`,
    kind: "doubled",
    says: "landed and has no order",
  },
  {
    title: "an order said to be rejected that traded",
    sql: `update orders set state = 'rejected' where id = (${ORDER}) returning id`,
    kind: "differs",
    says: "is rejected and has fills",
  },
  {
    title: "an order said to be filled that did not trade",
    sql: `insert into orders (id, agent_id, signal, leg, state, planned_at)
      values (gen_random_uuid()::text, $1, 'OPEN_LONG', 1, 'filled', now()) returning id`,
    kind: "differs",
    says: "is filled and has no fills",
  },
  row("a size of a row", "base_size = base_size + 1", "the fills of order"),
  row("a price of a row", "price = price + 1", "says price"),
  row("a total of a row", "quote_total = quote_total + 1", "says total"),
  row("a fee of a row", "fee = fee + 1", "says fee"),
  row("a fee of a row that is forgotten", "fee = null", "says fee null"),
  row("a state of a row", "status = 'failed'", "says status failed"),
  row("a side of a row", "side = case side when 'long' then 'short' else 'long' end", "says side"),
  row("a market of a row", "market = 'BTC-PERP'", "says market BTC-PERP"),
  row("an agent of a row", "agent_id = 'other'", "says agent other"),
  row("a transaction of a row", "signature = 'other'", "says signature other"),
  row(
    "a row that leads to the transaction that placed its order, filled by a later one",
    "signature = (select signature from orders where orders.id = order_id)",
    "says signature",
  ),
  {
    title: "a row that made its money up",
    sql: `update trade_log set quote_total = 5 where id = (
      select id from trade_log where base_size = 0 and order_id is not null limit 1) returning id`,
    kind: "differs",
    says: "says total 5",
  },
  booked("a total of a fill", changeFill("quote_size = quote_size + 1"), "fills of order"),
  booked("a fee of a fill", changeFill("fee = fee - 1"), "fills of order"),
  booked("a size of a fill", changeFill("base_size = base_size + 1"), "fills of order"),
  booked("a transaction of a fill", changeFill("signature = 'other'"), "fills of order"),
  booked(
    "a fill that is doubled",
    `insert into order_fills (order_id, signature, n, base_size, quote_size, fee, slot)
     select order_id, signature, n + 100, base_size, quote_size, fee, slot from order_fills
     where order_id = (${ORDER}) limit 1 returning order_id as id`,
    "fills of order",
  ),
];

/** Faults in the book, on the chain and in recorded worth. */
const IN_THE_BOOK: readonly PlantedFault[] = [
  booked("the quote of a trade", changeEntry("trade", "amount = amount + 1"), "trade position"),
  booked(
    "the size of a trade",
    changeEntry("trade", "base_amount = base_amount + 1"),
    "trade position",
  ),
  booked(
    "the result of a closing",
    changeEntry("trade", "realised = realised + 1", "realised is not null"),
    "result, size and cost",
  ),
  booked(
    "a result that is forgotten",
    changeEntry("trade", "realised = null", "realised is not null"),
    "result, size and cost",
  ),
  booked(
    "a result where nothing closed",
    changeEntry("trade", "realised = 0", "realised is null"),
    "result, size and cost",
  ),
  booked(
    "the cost of a position",
    changeEntry("trade", "held_cost = held_cost - 1"),
    "result, size and cost",
  ),
  booked(
    "the size of a position",
    changeEntry("trade", "held_base = held_base + 1"),
    "result, size and cost",
  ),
  booked("a trade that is doubled", doubleEntry("trade"), "trade position"),
  booked("a trade that is missing", removeEntry("trade"), "is not in the book"),
  booked(
    "a trade in another market",
    changeEntry("trade", "market = 'BTC-PERP'"),
    "position/0/BTC-PERP",
  ),
  booked("a fee", changeEntry("fee", "amount = amount + 1"), "fee position"),
  booked("a fee that is doubled", doubleEntry("fee"), "fee position"),
  booked("a deposit that is doubled", doubleEntry("deposit", "asset = 'USDC'"), "flow exchange"),
  booked("a deposit that is missing", removeEntry("deposit", "asset = 'USDC'"), "flow exchange"),
  booked(
    "a deposit that somebody else is said to have made",
    changeEntry("deposit", "kind = 'external', n = 100", "asset = 'USDC'"),
    ": external",
  ),
  booked(
    "a deposit said to be in the vault",
    changeEntry("deposit", "place = 'vault'", "asset = 'USDC'"),
    "flow vault/",
  ),
  booked(
    "a withdrawal that was not made",
    `insert into ledger_entries (${COLUMNS}, n) select ${COLUMNS.replace(" kind,", " 'withdrawal',").replace(" amount,", " -amount,")}, 100
     from ledger_entries where seq = (${entry("deposit", "asset = 'USDC'")}) returning signature as id`,
    ": withdrawal",
  ),
  booked(
    "rent that the vault paid",
    changeEntry("rent_paid", "amount = amount - 1"),
    "flow vault_sol",
  ),
  booked(
    "one side of a settlement",
    changeEntry("settlement", "amount = amount + 1"),
    "settlement ",
  ),
  booked(
    "both sides of a settlement, turned round",
    `with one as (${entry("settlement")}), turned as (
       update ledger_entries set amount = -amount where kind = 'settlement'
         and signature = (select signature from ledger_entries where seq = (select seq from one))
       returning signature) select signature as id from turned limit 1`,
    "settlement position",
  ),
  booked(
    "a settlement that is missing",
    `with gone as (delete from ledger_entries where kind = 'settlement' and signature = (
       select signature from ledger_entries where kind = 'settlement' order by seq limit 1)
       returning signature) select signature as id from gone limit 1`,
    "settlement exchange",
  ),
  booked("a network fee that is missing", removeEntry("network_fee"), "network_fee"),
  booked(
    "a network fee that another paid",
    changeEntry("network_fee", "place = 'wallet'", "place = 'platform'"),
    "network_fee wallet",
  ),
  booked(
    "an entry of another agent",
    changeEntry("trade", "agent_id = 'other'"),
    "book of agent other",
  ),
  booked(
    "an entry of another wallet",
    changeEntry("trade", "owner = 'other'", "true", "seq"),
    "its owner is other",
  ),
  booked(
    "an entry of another network",
    changeEntry("fee", "network = 'mainnet'", "true", "seq"),
    "its network is mainnet",
  ),
  booked(
    "an entry in another unit",
    changeEntry("fee", "decimals = 5", "true", "seq"),
    "it has 5 decimals",
  ),
  booked(
    "an entry of another time",
    changeEntry("fee", "at = at + interval '1 hour'", "true", "seq"),
    "its time is",
  ),
  booked(
    "an entry of another slot",
    changeEntry("fee", "slot = slot + 1", "true", "seq"),
    "its slot is",
  ),
  booked(
    "an entry of a transaction that is not on the chain",
    changeEntry("fee", "signature = 'nowhere'"),
    "is not on the chain",
  ),
  booked(
    "interest nobody paid",
    `insert into ledger_entries (${COLUMNS}, n) select ${COLUMNS.replace(" kind,", " 'interest',")}, 100
     from ledger_entries where seq = (${entry("deposit", "asset = 'USDC'")}) returning agent_id as id`,
    "its entries make",
  ),
  booked(
    "an opening balance that was not there",
    `insert into ledger_entries (${COLUMNS}, n) select ${COLUMNS.replace(" kind,", " 'opening',")}, 100
     from ledger_entries where seq = (${entry("deposit", "asset = 'USDC'")}) returning agent_id as id`,
    "it is an opening balance",
  ),
  booked(
    "SOL that left the vault without a transaction",
    `update practice_accounts set lamports = lamports - 1
     where address = (select vault from multisigs where agent_id = $1) returning $1::text as id`,
    "account vault_sol",
  ),
  booked(
    "a transaction of the chain that nobody recorded",
    `insert into practice_transactions
     select 'unlogged', slot, block_time, error, logs, fee_lamports, lamport_deltas, token_deltas, version
     from practice_transactions where signature in (select signature from order_fills) limit 1
     returning signature as id`,
    "is not in the log",
  ),
  booked(
    "a logged trade that is not on the chain",
    `delete from practice_transactions
     where signature = (select signature from order_fills order by slot limit 1)
     returning signature as id`,
    "is in the log and not on the chain",
  ),
  booked(
    "a book that found a difference itself",
    "update ledger_marks set difference = '{}' returning agent_id as id",
    "does not equal its accounts",
  ),
  booked(
    "money recorded as paid in",
    `update equity_points set net_flow = net_flow + 1 where seq = (
       select seq from equity_points order by at desc limit 1) returning agent_id as id`,
    "recorded as paid in",
  ),
  booked(
    "a recorded worth",
    `update equity_points set value = value + 2 where seq = (
       select seq from equity_points order by at desc limit 1) returning agent_id as id`,
    "is recorded as",
  ),
];

export const PLANTED_FAULTS: readonly PlantedFault[] = [...IN_ORDERS, ...IN_THE_BOOK];
