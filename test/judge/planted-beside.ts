import { booked, changeFill, ORDER, type PlantedFault, row } from "./planted-faults.ts";

const SENT = "select signature from orders where state = 'filled' order by seq limit 1";

/** Faults in figures, sums and records beside orders and book. */
export const PLANTED_BESIDE: readonly PlantedFault[] = [
  row("a percentage of a row", "percentage = percentage + 1", "percent"),
  row("a time of a row", "at = at + interval '1 second'", "says it ended at"),
  booked("a slot of a fill", changeFill("slot = slot + 1"), "is recorded in slot"),
  booked(
    "a worth in the middle",
    `update equity_points set value = value + 2 where seq = (
       select seq from equity_points order by at offset 2 limit 1) returning seq::text as id`,
    "is recorded as",
  ),
  booked(
    "every worth but the newest gone",
    `with gone as (delete from equity_points where seq < (select max(seq) from equity_points) returning 1)
     select signature as id from ledger_entries where kind = 'deposit' and asset = 'USDC' order by seq limit 1`,
    "is not recorded",
  ),
  booked(
    "the newest worth gone",
    `delete from equity_points where seq = (select max(seq) from equity_points) returning agent_id as id`,
    "is not recorded",
  ),
  booked(
    "a worth of an open position, by what an hour's funding would be",
    `update equity_points set value = value - 4000 where seq = (
       select min(seq) from equity_points where cause = 'fill') returning agent_id as id`,
    "is recorded as",
  ),
  booked(
    "the traded base",
    "update traded_base set net = net + 1 returning agent_id as id",
    "the traded base of agent",
  ),
  {
    title: "a decision that is gone",
    sql: `delete from decisions where order_id = (${ORDER}) returning order_id as id`,
    kind: "lost",
    says: "the decision of order",
  },
  booked(
    "the day's fees halved",
    "update owner_fees set lamports = lamports / 2 returning owner as id",
    "the owner's fees of",
  ),
  booked(
    "the signer's fees halved",
    "update signer.fees set lamports = lamports / 2 returning network as id",
    "the signer's fees of",
  ),
  {
    title: "a row of the signer's ledger gone",
    sql: `delete from signer.signatures where id = (${SENT}) returning id`,
    kind: "lost",
    says: "is not in the signer's ledger",
  },
  booked(
    "a state of custody",
    `insert into custody_transactions (id, agent_id, owner, intent, step, step_count, label, state, signature, message,
       expects, costs, last_valid_block_height, prepared_at)
     select 'planted', $1, owner, 'deposit', 1, 1, '', 'failed', (${SENT}), '', '{}', '{}', 0, now()
     from agents where id = $1 returning id`,
    "on the chain it landed",
  ),
  {
    title: "an end of custody that was not audited",
    sql: `insert into custody_transactions (id, agent_id, owner, intent, step, step_count, label, state, signature, message,
        expects, costs, last_valid_block_height, prepared_at, settled_at)
      select 'planted', $1, owner, 'deposit', 1, 1, '', 'confirmed', (${SENT}), '', '{}', '{}', 0, now(), now()
      from agents where id = $1 returning id`,
    kind: "lost",
    says: "is not in the audit log",
  },
  {
    title: "an agent that was turned on and nobody did it",
    sql: "delete from audit_log where action = 'auto_trade_turned_on' and object = $1 returning object as id",
    kind: "lost",
    says: "is not in the audit log",
  },
];
