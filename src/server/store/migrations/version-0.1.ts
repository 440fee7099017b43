/** Migrations of version 0.1. */
export const migrations01: readonly (readonly [name: string, text: string])[] = [
  // Everything but the practice chain: sessions, chats, agents, alerts, rules, orders, the trade log, custody.
  [
    "0001-initial",
    `
create table sign_in_nonces (
  nonce text primary key,
  wallet text not null,
  message text not null,
  requester text not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  consumed_at timestamptz
);
create index sign_in_nonces_live on sign_in_nonces (wallet, requester) where consumed_at is null;

create table sessions (
  id text primary key,
  wallet text not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index sessions_wallet on sessions (wallet);

create table refresh_tokens (
  token_hash text primary key,
  session_id text not null references sessions (id) on delete cascade,
  created_at timestamptz not null,
  replaced_at timestamptz,
  replaced_by_hash text
);
create index refresh_tokens_session on refresh_tokens (session_id);

create table chats (
  id text primary key,
  owner text not null,
  title text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index chats_owner on chats (owner, updated_at desc);

create table messages (
  chat_id text not null references chats (id) on delete cascade,
  id text not null,
  type text not null check (type in ('user', 'ai')),
  content text not null,
  sent_at timestamptz not null,
  seq bigint generated always as identity,
  primary key (chat_id, id)
);
create index messages_order on messages (chat_id, seq);

create table agents (
  id text primary key,
  chat_id text not null unique references chats (id),
  owner text not null,
  network text not null check (network in ('practice', 'devnet', 'mainnet')),
  venue text not null,
  name text not null,
  name_key text not null,
  market_id text not null,
  interval text not null,
  slippage_bps integer not null check (slippage_bps between 1 and 500),
  position_size_percent integer not null default 100 check (position_size_percent between 1 and 100),
  max_signal_age_seconds integer not null default 300 check (max_signal_age_seconds between 1 and 300),
  auto_trade text not null default 'off' check (auto_trade in ('on', 'stopping', 'off')),
  hypothesis_status text not null default 'off' check (hypothesis_status in ('on', 'off')),
  buy_report_prompt text not null default '',
  sell_report_prompt text not null default '',
  sub_account_id integer,
  webhook_token_version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (owner, name_key)
);

create table multisigs (
  agent_id text primary key references agents (id) on delete cascade,
  multisig text not null unique,
  vault text not null unique,
  vault_index integer not null default 0,
  create_key text not null unique,
  delegate text not null,
  members text[] not null,
  threshold integer not null,
  status text not null check (status in ('planned', 'active', 'closed')),
  delegated boolean not null default false,
  created_at timestamptz not null,
  last_used_at timestamptz
);

create table alerts (
  id text primary key,
  agent_id text not null references agents (id) on delete cascade,
  name text not null,
  name_key text not null,
  description text not null default '',
  seq bigint generated always as identity,
  unique (agent_id, name_key)
);

create table rules (
  id text primary key,
  agent_id text not null references agents (id) on delete cascade,
  action text not null,
  seq bigint generated always as identity
);
create index rules_agent on rules (agent_id, seq);

create table rule_conditions (
  rule_id text not null references rules (id) on delete cascade,
  alert_id text not null references alerts (id) on delete cascade,
  required_count integer not null check (required_count between 1 and 60),
  count integer not null default 0 check (count >= 0 and count <= required_count),
  primary key (rule_id, alert_id)
);
create index rule_conditions_alert on rule_conditions (alert_id);

-- One row per agent: the mutex of its alerts and the lease of its orders.
create table lanes (
  agent_id text primary key references agents (id) on delete cascade,
  fence bigint not null default 0,
  claimed_by text,
  claimed_until timestamptz,
  risk jsonb not null default '{}'
) with (fillfactor = 70);

create table alert_events (
  id text primary key,
  agent_id text not null references agents (id) on delete cascade,
  dedup_key text,
  body_hash text,
  alert_name text not null,
  fired_at timestamptz,
  received_at timestamptz not null,
  outcome text not null check (outcome in ('accepted', 'duplicate', 'ignored', 'refused', 'denied')),
  reason text,
  seq bigint generated always as identity,
  unique (agent_id, dedup_key)
);
create index alert_events_newest on alert_events (agent_id, seq desc);

create table orders (
  id text primary key,
  agent_id text not null references agents (id) on delete cascade,
  event_id text references alert_events (id) on delete cascade,
  signal text not null,
  leg integer not null default 0,
  state text not null check (state in ('planned', 'denied', 'submitted', 'unknown', 'filled', 'rejected', 'expired')),
  reason text,
  attempt integer not null default 0,
  intent jsonb,
  transaction bytea,
  signature text unique,
  last_valid_block_height bigint,
  planned_at timestamptz not null,
  submitted_at timestamptz,
  settled_at timestamptz,
  seq bigint generated always as identity
);
create index orders_open on orders (agent_id, seq) where state in ('planned', 'submitted', 'unknown');
create index orders_event on orders (event_id);
create index orders_sent on orders (submitted_at) where submitted_at is not null;
create index orders_sent_by on orders (agent_id, submitted_at) where submitted_at is not null;

create table trade_log (
  id text primary key,
  agent_id text not null references agents (id) on delete cascade,
  chat_id text not null,
  event_id text,
  order_id text unique,
  market text not null,
  signal text not null,
  type text not null,
  side text not null,
  status text not null check (status in ('pending', 'success', 'failed')),
  reason text,
  base_size bigint not null default 0,
  base_decimals integer not null,
  percentage integer not null default 0,
  quote_total bigint not null default 0,
  quote_decimals integer not null,
  price bigint,
  fee bigint,
  signature text,
  at timestamptz not null,
  seq bigint generated always as identity
);
create index trade_log_chat on trade_log (chat_id, seq desc);
create index trade_log_agent on trade_log (agent_id, seq desc);

create table hypotheses (
  id text primary key,
  trade_log_id text not null unique references trade_log (id) on delete cascade,
  agent_id text not null references agents (id) on delete cascade,
  chat_id text not null,
  text text not null,
  created_at timestamptz not null
);
create index hypotheses_chat on hypotheses (chat_id);

create table custody_transactions (
  id text primary key,
  agent_id text not null references agents (id) on delete cascade,
  owner text not null,
  intent text not null,
  step integer not null,
  step_count integer not null,
  label text not null,
  state text not null check (state in ('prepared', 'sent', 'confirmed', 'failed', 'expired', 'abandoned')),
  reason text,
  amount bigint,
  message bytea not null,
  transaction bytea,
  signature text,
  expects jsonb not null,
  costs jsonb not null,
  last_valid_block_height bigint not null,
  prepared_at timestamptz not null,
  sent_at timestamptz,
  settled_at timestamptz,
  seq bigint generated always as identity
);
create unique index custody_one_open on custody_transactions (agent_id) where state in ('prepared', 'sent');
create index custody_agent on custody_transactions (agent_id, seq desc);
create index custody_unsettled on custody_transactions (seq) where settled_at is null;

create table audit_log (
  seq bigint generated always as identity primary key,
  at timestamptz not null,
  wallet text,
  action text not null,
  object text,
  detail jsonb
);
`,
  ],
  // The practice chain's ledger.
  //
  // `version` counts commits; a row carries the version that last wrote it, so that every process reads what changed
  // since its own. Closed accounts stay as rows without lamports for the same reason.
  [
    "0002-practice",
    `
create table practice_head (
  id boolean primary key default true check (id),
  version bigint not null,
  genesis_at_ms bigint not null
);

create table practice_accounts (
  address text primary key,
  lamports bigint not null check (lamports >= 0),
  owner text not null,
  data bytea not null,
  executable boolean not null,
  version bigint not null
);
create index practice_accounts_version on practice_accounts (version);

create table practice_transactions (
  signature text primary key,
  slot bigint not null,
  block_time bigint,
  error jsonb,
  logs jsonb not null,
  fee_lamports bigint not null,
  lamport_deltas jsonb not null,
  token_deltas jsonb not null,
  version bigint not null
);
create index practice_transactions_version on practice_transactions (version);
create index practice_transactions_slot on practice_transactions (slot);

create table practice_touched (
  address text not null,
  seq bigint generated always as identity,
  signature text not null,
  primary key (address, seq)
);
`,
  ],
  [
    "0003-custody-flags",
    `
create index audit_log_custody_flags on audit_log (object, seq desc) where action = 'custody_flagged';
`,
  ],
  // Indexes that find old rows. Alert events arrive in order, so a block range index adds almost no cost to their insert.
  [
    "0004-retention",
    `
create index alert_events_received on alert_events using brin (received_at) with (pages_per_range = 16);
create index sign_in_nonces_expiry on sign_in_nonces (expires_at);
create index sessions_expiry on sessions (expires_at);
create index audit_faucet on audit_log (wallet, at) where action = 'faucet_used';
`,
  ],
  // Orders are planned in the order of time: the last day's are found without reading the others.
  [
    "0005-order-times",
    `
create index orders_planned on orders using brin (planned_at) with (pages_per_range = 16);
`,
  ],
  // Trading keys their operator withdrew: nothing is signed with them although the chain may still allow it.
  [
    "0006-revoked-keys",
    `
alter table multisigs add column key_revoked_at timestamptz;
`,
  ],
  // Moves foreign keys from the agent to its lane. A writer of these rows holds the lane locked, so checking them
  // against the lane takes no further lock; checking against the agent locked that row too, which was half the cost of
  // an alert's row.
  [
    "0007-checked-by-lane",
    `
alter table alert_events drop constraint alert_events_agent_id_fkey,
  add foreign key (agent_id) references lanes (agent_id) on delete cascade;
alter table orders drop constraint orders_agent_id_fkey,
  add foreign key (agent_id) references lanes (agent_id) on delete cascade;
alter table trade_log drop constraint trade_log_agent_id_fkey,
  add foreign key (agent_id) references lanes (agent_id) on delete cascade;
`,
  ],
  // Adds a version to each lane that changes with everything alerts are judged by: the agent's settings, its alerts, its
  // rules and their counters. State cached at a version is valid while the version is unchanged.
  //
  // Triggers raise it, so that a change made by hand counts too. Deleting a rule deletes its conditions; the rule's own
  // trigger then raises the version.
  [
    "0008-lane-version",
    `
alter table lanes add column version bigint not null default 0;

create function change_lanes_of_agent() returns trigger language plpgsql as $$
begin
  update lanes set version = version + 1 where agent_id = new.id;
  return null;
end $$;

create function change_lanes() returns trigger language plpgsql as $$
begin
  update lanes set version = version + 1
  where agent_id in (select agent_id from changed);
  return null;
end $$;

create function change_lanes_of_rules() returns trigger language plpgsql as $$
begin
  update lanes set version = version + 1
  where agent_id in (select agent_id from changed join rules on rules.id = changed.rule_id);
  return null;
end $$;

create trigger agent_changed after update of owner, chat_id, network, venue, market_id, auto_trade,
  position_size_percent, max_signal_age_seconds, webhook_token_version on agents
  for each row execute function change_lanes_of_agent();

create trigger alert_added after insert on alerts referencing new table as changed
  for each statement execute function change_lanes();
create trigger alert_changed after update on alerts referencing new table as changed
  for each statement execute function change_lanes();
create trigger alert_removed after delete on alerts referencing old table as changed
  for each statement execute function change_lanes();

create trigger rule_added after insert on rules referencing new table as changed
  for each statement execute function change_lanes();
create trigger rule_changed after update on rules referencing new table as changed
  for each statement execute function change_lanes();
create trigger rule_removed after delete on rules referencing old table as changed
  for each statement execute function change_lanes();

create trigger condition_added after insert on rule_conditions referencing new table as changed
  for each statement execute function change_lanes_of_rules();
create trigger condition_changed after update on rule_conditions referencing new table as changed
  for each statement execute function change_lanes_of_rules();
create trigger condition_removed after delete on rule_conditions referencing old table as changed
  for each statement execute function change_lanes_of_rules();
`,
  ],
  // The slot an agent's newest order landed in: what is read of its account from before that slot is out of date.
  [
    "0009-landed-slot",
    `
alter table lanes add column landed_slot bigint not null default 0;
`,
  ],
  // Indexes that find trades without reading denied entries, of which there may be a thousand times as many, and find
  // old denied entries by their time.
  [
    "0010-trade-log-reads",
    `
create index trade_log_shown on trade_log (chat_id, seq desc) where status <> 'failed';
create index trade_log_filled on trade_log (agent_id, seq desc) where status = 'success';
create index trade_log_at on trade_log using brin (at) with (pages_per_range = 16);
`,
  ],
  // Adds orders that rest at the venue, fill in parts or are cancelled. The transaction that placed an order stays in
  // its row; later transactions of the order and every fill, including a keeper's, have rows of their own.
  [
    "0011-order-states",
    `
alter table orders drop constraint orders_state_check,
  add constraint orders_state_check check (state in ('planned', 'denied', 'submitted', 'unknown', 'resting',
    'partially_filled', 'filled', 'cancelled', 'rejected', 'expired')),
  add column resting jsonb;
drop index orders_open;
create index orders_open on orders (agent_id, seq) where state in ('planned', 'submitted', 'unknown', 'resting');

create table order_transactions (
  signature text primary key,
  order_id text not null references orders (id) on delete cascade,
  purpose text not null check (purpose in ('fill', 'cancel')),
  transaction bytea not null,
  last_valid_block_height bigint not null,
  sent_after_slot bigint not null default 0,
  submitted_at timestamptz not null,
  ended text check (ended in ('landed', 'expired')),
  seq bigint generated always as identity
);
create index order_transactions_order on order_transactions (order_id, seq);

create table order_fills (
  order_id text not null references orders (id) on delete cascade,
  signature text not null,
  n integer not null,
  base_size bigint not null,
  quote_size bigint not null,
  fee bigint not null,
  slot bigint not null,
  primary key (order_id, signature, n)
);
create index order_fills_signature on order_fills (signature);
`,
  ],
  // Positions that were asked to be closed and are not closed yet; one in work per agent and market.
  [
    "0012-exits",
    `
create table exits (
  id text primary key,
  agent_id text not null references lanes (agent_id) on delete cascade,
  market_id text not null,
  side text not null check (side in ('long', 'short')),
  asked_by text not null check (asked_by in ('alert', 'owner', 'reversal')),
  asked_at timestamptz not null,
  state text not null check (state in ('working', 'done', 'ended_by_owner')),
  attempts integer not null default 0,
  waits integer not null default 0,
  next_attempt_at timestamptz not null,
  last_reason text,
  limit_bps integer not null,
  ended_at timestamptz
);
create unique index exits_working on exits (agent_id, market_id) where state = 'working';
create index exits_due on exits (next_attempt_at) where state = 'working';
alter table orders add column exit_id text references exits (id) on delete set null;
create index orders_exit on orders (exit_id) where exit_id is not null;
`,
  ],
  // The slot a transaction's blockhash was taken at: how far back a node must remember to say that it never landed.
  [
    "0014-blockhash-slots",
    `
alter table orders add column blockhash_slot bigint;
alter table custody_transactions add column blockhash_slot bigint;
`,
  ],
  // Number of the exchange account an agent's custody is for: the exchange uses none twice, so it grows with every deletion.
  [
    "0016-account-numbers",
    `
alter table multisigs add column sub_account_id integer not null default 0;

update multisigs set sub_account_id = agents.sub_account_id
from agents
where agents.id = multisigs.agent_id and agents.sub_account_id is not null;
`,
  ],
  // Reconciliation progress of each agent: its account as last seen, and the transactions already classified.
  [
    "0017-reconcile-marks",
    `
create table reconcile_marks (
  agent_id text primary key references agents (id) on delete cascade,
  content text not null,
  searched_at timestamptz,
  judged text[] not null default '{}'
);
`,
  ],
  // Adds the owner's own closings and transfers to the trade log. Until now closing on a swap venue moved the asset to
  // the owner's wallet: those are logged as transfers, from the amount each was to move.
  [
    "0018-owner-entries",
    `
alter table trade_log add column by_owner boolean not null default false;

update custody_transactions set intent = 'move-assets'
where intent = 'close-positions' and label like 'Move % to your wallet';

insert into trade_log (id, agent_id, chat_id, market, signal, type, side, status, by_owner, base_size,
  base_decimals, percentage, quote_decimals, signature, at)
select moved.id, moved.agent_id, agents.chat_id, moved.market, 'MOVE_ASSET', 'transfer', 'other', 'success', true,
  moved.base_size,
  case when moved.market = 'SOL' then 9 when moved.market = 'JUP' then 6 else 8 end,
  100, 6, moved.signature, moved.prepared_at
from (
  select id, agent_id, signature, prepared_at,
    substring(label from '^Move (.+) to your wallet$') as market,
    (select max((effect->>'delta')::numeric) from jsonb_array_elements(expects->'effects') as effect
      where effect->>'kind' = 'token_delta')::bigint as base_size
  from custody_transactions
  where intent = 'move-assets' and state = 'confirmed'
) as moved
join agents on agents.id = moved.agent_id
where moved.base_size > 0;
`,
  ],
  // An agent whose deletion was left half done is being deleted, until it is set up again.
  [
    "0019-begun-deletions",
    `
alter table multisigs drop constraint multisigs_status_check,
  add constraint multisigs_status_check check (status in ('planned', 'active', 'deleting', 'closed'));

update multisigs set status = 'deleting'
where status = 'active' and (
  select intent from custody_transactions
  where custody_transactions.agent_id = multisigs.agent_id and state = 'confirmed'
    and intent in ('set-up', 'delete')
  order by seq desc limit 1) = 'delete';
`,
  ],
  // Nonces prove themselves by their seal; only used ones are kept, until they are over.
  [
    "0026-used-nonces",
    `
drop table sign_in_nonces;

create table used_nonces (
  nonce text primary key,
  expires_at timestamptz not null
);
create index used_nonces_expiry on used_nonces (expires_at);
`,
  ],
  // When a session's wallet last signed for a change that a bearer token alone may not make.
  [
    "0027-confirmed-sessions",
    `
alter table sessions add column confirmed_at timestamptz;
`,
  ],
  // One row: the latest time the database's clock showed, and which database on which disk this is.
  [
    "0028-installation",
    `
create table installation (
  is_only boolean primary key default true check (is_only),
  latest_at timestamptz not null,
  identity jsonb
);
insert into installation (latest_at) values ('epoch');
`,
  ],
  // How many alerts came with a webhook token that was replaced, since the last replacement. No token is kept.
  [
    "0030-replaced-token-alerts",
    `
create table replaced_token_alerts (
  agent_id text primary key references agents (id) on delete cascade,
  since timestamptz not null,
  last_at timestamptz,
  alerts bigint not null default 0
);
`,
  ],
  // Makes the audit log append-only. Uses of the faucet, which are deleted after a time, get a table of their own.
  //
  // The trigger applies to every role, but the table's owner could remove it, so the application runs as another role.
  [
    "0031-append-only-audit",
    `
create table faucet_uses (
  seq bigint generated always as identity primary key,
  wallet text not null,
  at timestamptz not null
);
create index faucet_uses_wallet on faucet_uses (wallet, at);
create index faucet_uses_at on faucet_uses (at);
insert into faucet_uses (wallet, at)
  select wallet, at from audit_log where action = 'faucet_used' and wallet is not null order by seq;
drop index audit_faucet;
delete from audit_log where action = 'faucet_used';
create index audit_log_object on audit_log (object, seq desc);

create function keep_audit_log() returns trigger language plpgsql as $$
begin
  raise exception 'audit_log is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_log_is_append_only before update or delete or truncate on audit_log
  for each statement execute function keep_audit_log();
`,
  ],
  // Adds the browser's name at sign-in, by which an owner recognises a session.
  [
    "0032-session-browsers",
    `
alter table sessions add column browser text not null default 'Unknown browser';
`,
  ],
  // When an agent was asked to stop, and whether something was closed for it by the time it was off.
  [
    "0033-closed-by-stop",
    `
alter table agents add column stopping_since timestamptz,
  add column closed_by_stop boolean not null default false;
`,
  ],
  // Adds the condition on which an alert fires at bar close; null for an alert that only arrives from outside.
  [
    "0034-alert-conditions",
    `
alter table alerts add column condition jsonb;
create index alerts_with_condition on alerts (agent_id) where condition is not null;
`,
  ],
  // Closed bars of exchanges, one row per source, market, base length and block of 1,440 bars; how far each agent's
  // conditions are evaluated; and what an alert of our own fired on.
  //
  // A change of what an agent is evaluated by takes its progress away: from then on it is evaluated anew. Triggers, so
  // that a change made by hand counts too.
  [
    "0035-candles",
    `
create table candle_blocks (
  source text not null,
  symbol text not null,
  base_minutes integer not null,
  block integer not null,
  bars bytea not null,
  known_until timestamptz not null,
  read_at timestamptz not null,
  primary key (source, symbol, base_minutes, block)
);

create table condition_progress (
  agent_id text primary key references agents on delete cascade,
  evaluated_to timestamptz not null
);

create function forget_condition_progress() returns trigger language plpgsql as $$
begin
  delete from condition_progress where agent_id = new.id;
  return null;
end $$;
create trigger condition_market_changed after update of network, venue, market_id, interval, auto_trade on agents
  for each row when ((old.network, old.venue, old.market_id, old.interval, old.auto_trade)
    is distinct from (new.network, new.venue, new.market_id, new.interval, new.auto_trade))
  execute function forget_condition_progress();

create function forget_condition_progress_of_alert() returns trigger language plpgsql as $$
begin
  delete from condition_progress where agent_id = new.agent_id;
  return null;
end $$;
create trigger alert_condition_added after insert on alerts
  for each row when (new.condition is not null) execute function forget_condition_progress_of_alert();
create trigger alert_condition_changed after update of condition on alerts
  for each row when (old.condition is distinct from new.condition)
  execute function forget_condition_progress_of_alert();

drop trigger agent_changed on agents;
create trigger agent_changed after update of owner, chat_id, network, venue, market_id, auto_trade,
  position_size_percent, max_signal_age_seconds, webhook_token_version, updated_at on agents
  for each row execute function change_lanes_of_agent();

alter table alert_events
  add column origin text not null default 'webhook',
  add column price double precision,
  add column compared jsonb;
`,
  ],
  // Adds the effects of alerts on rules, the rule of each trade log entry, and the facts of every order's decision.
  [
    "0037-decisions",
    `
alter table alert_events add column effects jsonb;
alter table trade_log add column rule_id text;
create table decisions (
  order_id text primary key references orders (id) on delete cascade,
  agent_id text not null,
  rule_id text,
  decided_at timestamptz not null,
  facts jsonb not null
);
create index decisions_agent on decisions (agent_id);
`,
  ],
  // The book: entries read from finalized transactions, which are added and never changed, points of an account's worth, and
  // how far each agent's book was read.
  //
  // Entries and points outlive their agent: what was earned has to be shown to a tax office later.
  [
    "0038-ledger",
    `
create table ledger_entries (
  seq bigint generated always as identity primary key,
  agent_id text not null,
  owner text not null,
  network text not null,
  signature text not null,
  kind text not null check (kind in ('opening', 'deposit', 'withdrawal', 'external', 'transfer', 'trade',
    'fee', 'funding', 'settlement', 'interest', 'rent_paid', 'rent_returned', 'network_fee')),
  n integer not null,
  place text not null check (place in ('vault', 'vault_sol', 'exchange', 'position', 'wallet', 'platform')),
  sub_account integer not null default 0,
  market text not null default '',
  asset text not null,
  decimals smallint not null,
  amount numeric(40, 0) not null,
  base_market text,
  base_decimals smallint,
  base_amount numeric(40, 0),
  realised numeric(40, 0),
  held_base numeric(40, 0),
  held_cost numeric(40, 0),
  slot bigint not null,
  at timestamptz not null,
  booked_at timestamptz not null,
  unique (agent_id, network, signature, kind, n)
);
create index ledger_entries_agent on ledger_entries (agent_id, at, seq);
create index ledger_entries_owner on ledger_entries (owner, network, at, seq);
create index ledger_entries_held on ledger_entries (agent_id, base_market, seq desc) where base_market is not null;

create function keep_ledger() returns trigger language plpgsql as $$
begin
  raise exception 'ledger_entries is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger ledger_is_append_only before update or delete or truncate on ledger_entries
  for each statement execute function keep_ledger();

create table ledger_marks (
  agent_id text primary key references agents (id) on delete cascade,
  slot bigint not null,
  content text not null,
  searched_at timestamptz not null,
  balanced_slot bigint,
  balanced_signature text,
  balanced_at timestamptz,
  interest_index numeric(40, 0),
  pending jsonb not null default '[]',
  difference jsonb
);
create index ledger_marks_different on ledger_marks (agent_id) where difference is not null;

create table equity_points (
  seq bigint generated always as identity primary key,
  agent_id text not null,
  owner text not null,
  network text not null,
  at timestamptz not null,
  slot bigint not null,
  cause text not null check (cause in ('fill', 'flow', 'hour')),
  value numeric(40, 0) not null,
  asset text not null,
  decimals smallint not null,
  net_flow numeric(40, 0) not null,
  market text not null,
  price numeric(40, 0),
  price_at timestamptz,
  entry_seq bigint not null,
  unique (agent_id, at)
);
create index equity_points_owner on equity_points (owner, network, at);
create index equity_points_at on equity_points (at);
`,
  ],
  // Adds the fee payer of practice transactions, by which the ledger assigns their cost.
  [
    "0039-fee-payers",
    `
alter table practice_transactions add column fee_payer text;
`,
  ],
  // Personal tokens that only read, known by their digest alone.
  [
    "0040-read-tokens",
    `
create table read_tokens (
  id text primary key,
  wallet text not null,
  name text not null,
  token_hash text not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index read_tokens_wallet on read_tokens (wallet, created_at desc);
create index read_tokens_expires on read_tokens (expires_at);
`,
  ],
  // Adds the limits an owner sets for an agent; an absent limit is not set.
  [
    "0041-owner-limits",
    `
alter table agents add column owner_limits jsonb not null default '{}';
`,
  ],
  // Index for a wallet's deposits and withdrawals, across its agents.
  [
    "0042-owner-flows",
    `
create index ledger_entries_flows on ledger_entries (owner, network, at, seq)
  where kind in ('deposit', 'withdrawal', 'external');
`,
  ],
  // The market whose asset the trading key's limits on chain are for, which the agent's may differ from for a while.
  [
    "0043-limits-market",
    `
alter table multisigs add column limits_market_id text;
`,
  ],
  // Adds notices outside of the page: channels, events, and each message on its way.
  //
  // Triggers record an event in the statement that causes it, so that a rolled back event is never sent and a committed
  // one is never lost. Nothing is recorded for a wallet without a channel.
  [
    "0044-notices",
    `
create table notice_channels (
  id text primary key,
  owner text not null,
  kind text not null check (kind in ('push', 'telegram', 'email', 'webhook')),
  label text not null,
  target bytea not null,
  events text[] not null,
  last_error text,
  created_at timestamptz not null,
  busy_until timestamptz
);
create index notice_channels_owner on notice_channels (owner);

create table quiet_hours (
  owner text primary key,
  from_minute smallint not null,
  to_minute smallint not null,
  zone text not null
);

create table notice_events (
  seq bigint generated always as identity primary key,
  owner text not null,
  kind text not null,
  agent_id text,
  key text not null,
  facts jsonb not null,
  at timestamptz not null default now(),
  is_spread boolean not null default false,
  unique (owner, key)
);
create index notice_events_new on notice_events (seq) where not is_spread;
create index notice_events_at on notice_events (at);

create table notices (
  seq bigint generated always as identity primary key,
  channel_id text references notice_channels (id) on delete set null,
  channel_kind text not null,
  channel_label text not null,
  owner text not null,
  kind text not null,
  agent_id text,
  facts jsonb not null,
  at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'given_up')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  held_until timestamptz,
  last_error text,
  settled_at timestamptz
);
create index notices_waiting on notices (channel_id, seq) where state = 'waiting';
create index notices_owner on notices (owner, seq desc);
create index notices_settled on notices (settled_at);

create function tell_of_trade() returns trigger language plpgsql as $$
begin
  insert into notice_events (owner, kind, agent_id, key, facts)
  select owner, case when new.status = 'success' then 'trade_filled' else 'trade_failed' end, id,
    'trade:' || new.id || ':' || new.status,
    jsonb_build_object('agent', name, 'network', network, 'market', new.market, 'signal', new.signal,
      'side', new.side, 'size', new.base_size::text, 'sizeDecimals', new.base_decimals,
      'price', new.price::text, 'reason', new.reason)
  from agents
  where id = new.agent_id and exists (select from notice_channels where notice_channels.owner = agents.owner)
  on conflict do nothing;
  return null;
end $$;
create trigger trade_log_tells_when_written after insert on trade_log for each row
  when (new.status <> 'pending' and not new.by_owner and new.signal not like 'RESET%')
  execute function tell_of_trade();
create trigger trade_log_tells_when_settled after update of status on trade_log for each row
  when (new.status <> 'pending' and new.status <> old.status and not new.by_owner)
  execute function tell_of_trade();

create function tell_of_stop() returns trigger language plpgsql as $$
begin
  insert into notice_events (owner, kind, agent_id, key, facts)
  select new.owner, 'trading_stopped', new.id, 'stop:' || new.id || ':' || clock_timestamp(),
    jsonb_build_object('agent', new.name, 'network', new.network, 'state', new.auto_trade)
  where exists (select from notice_channels where owner = new.owner)
  on conflict do nothing;
  return null;
end $$;
create trigger agents_tell_of_stops after update of auto_trade on agents for each row
  when (new.auto_trade <> old.auto_trade and new.auto_trade <> 'on')
  execute function tell_of_stop();

create function tell_of_flag() returns trigger language plpgsql as $$
begin
  insert into notice_events (owner, kind, agent_id, key, facts)
  select owner, 'custody_changed', id, 'flag:' || new.seq,
    jsonb_build_object('agent', name, 'network', network, 'text', new.detail->>'text')
  from agents
  where id = new.object and exists (select from notice_channels where notice_channels.owner = agents.owner)
  on conflict do nothing;
  return null;
end $$;
create trigger audit_log_tells_of_flags after insert on audit_log for each row
  when (new.action = 'custody_flagged' and new.detail->>'text' <> '' and new.detail->>'kind' <> 'upkeep')
  execute function tell_of_flag();

create function tell_of_difference() returns trigger language plpgsql as $$
begin
  insert into notice_events (owner, kind, agent_id, key, facts)
  select owner, 'balance_mismatch', id, 'book:' || id || ':' || new.slot,
    jsonb_build_object('agent', name, 'network', network)
  from agents
  where id = new.agent_id and exists (select from notice_channels where notice_channels.owner = agents.owner)
  on conflict do nothing;
  return null;
end $$;
create trigger ledger_marks_tell_of_differences after update of difference on ledger_marks for each row
  when (new.difference is not null and old.difference is null)
  execute function tell_of_difference();

create function tell_of_browser() returns trigger language plpgsql as $$
begin
  insert into notice_events (owner, kind, agent_id, key, facts)
  select new.wallet, 'new_browser', null, 'session:' || new.id, jsonb_build_object('browser', new.browser)
  where exists (select from notice_channels where owner = new.wallet)
    and not exists (select from sessions
      where wallet = new.wallet and browser = new.browser and id <> new.id)
  on conflict do nothing;
  return null;
end $$;
create trigger sessions_tell_of_browsers after insert on sessions for each row
  execute function tell_of_browser();
`,
  ],
  // Codes that confirm the address of a channel. The code itself is not stored: the server computes it from its secret,
  // the channel and `seq`. Rows outlive their channel, so that removing it does not reset the limits on sending.
  [
    "0049-notice-codes",
    `
alter table notice_channels add column confirmed_at timestamptz;
update notice_channels set confirmed_at = created_at;

create table notice_codes (
  seq bigint generated always as identity primary key,
  channel_id text not null,
  owner text not null,
  address_key bytea not null,
  at timestamptz not null,
  tries smallint not null default 0
);
create index notice_codes_channel on notice_codes (channel_id, seq desc);
create index notice_codes_owner on notice_codes (owner, at);
create index notice_codes_address on notice_codes (address_key, at);
create index notice_codes_at on notice_codes (at);
`,
  ],
  // Requires decimals for every trade log entry with amounts. Entries planned while their network was disabled lacked
  // the quote token's decimals: every venue settled in a token of six. Entries of an unknown market lacked the base
  // decimals too.
  [
    "0050-known-scales",
    `
alter table trade_log alter column base_decimals drop not null;
alter table trade_log alter column quote_decimals drop not null;
update trade_log set quote_decimals = 6 where quote_decimals = 0;
update trade_log set base_decimals = null, quote_decimals = null
  where base_decimals = 0 and base_size = 0 and quote_total = 0 and coalesce(fee, 0) = 0;
alter table trade_log add constraint trade_log_known_scales check (
  (base_decimals is not null and quote_decimals is not null)
  or (base_size = 0 and quote_total = 0 and coalesce(fee, 0) = 0));
`,
  ],
  // Trading state the operator sets for all servers of this database; a server's switch files can only restrict it.
  [
    "0051-trading-state",
    `
alter table installation add column trading_state text not null default 'active'
  check (trading_state in ('active', 'reducing', 'halted'));
`,
  ],
  // When a server last tried whether this database can be written to.
  [
    "0052-probed-at",
    `
alter table installation add column probed_at timestamptz;
`,
  ],
  // Alert events in a third of their space.
  //
  // Ids take 16 bytes. The id of a counted or ignored alert is derived from its agent and deduplication key, so that the
  // primary key recognises a repeat and the key needs no column and no index of its own. The effects on the rules are
  // packed; `alert_effects` unpacks them. A condition's firing is the one with compared figures. Nothing refers to the
  // lane by a foreign key, because a writer holds it locked; removing the lane removes its events.
  [
    "0053-narrow-alert-events",
    `
create function pack_alert_effects(effects jsonb) returns bytea language sql immutable as $$
  select coalesce(string_agg(
    decode(rule ->> 'ruleId', 'hex')
      || set_byte('\\x00', 0, array_position(array['OPEN_LONG', 'OPEN_SHORT', 'CLOSE_LONG', 'CLOSE_SHORT',
        'RESET_OPEN_LONG', 'RESET_OPEN_SHORT', 'RESET_CLOSE_LONG', 'RESET_CLOSE_SHORT'], rule ->> 'action') - 1)
      || set_byte('\\x00', 0, array_position(array['counted', 'full', 'fired', 'reset'], rule ->> 'kind') - 1)
      || set_byte('\\x00', 0, jsonb_array_length(rule -> 'conditions'))
      || (select coalesce(string_agg(decode(condition ->> 'alertKey', 'hex')
            || set_byte('\\x00', 0, (condition ->> 'count')::int)
            || set_byte('\\x00', 0, (condition ->> 'requiredCount')::int), ''::bytea order by place), ''::bytea)
          from jsonb_array_elements(rule -> 'conditions') with ordinality as of_rule (condition, place)),
    ''::bytea order by place), ''::bytea)
  from jsonb_array_elements(effects -> 'rules') with ordinality as of_event (rule, place)
  having effects is not null
$$;

create function alert_effects(alert_id uuid, packed bytea) returns jsonb
language plpgsql immutable strict parallel safe as $$
declare
  place int := 1;
  size int := length(packed);
  conditions jsonb;
  rules jsonb := '[]';
begin
  while place < size loop
    conditions := '[]';
    for condition in 0 .. get_byte(packed, place + 17) - 1 loop
      conditions := conditions || jsonb_build_object(
        'alertKey', encode(substring(packed from place + 19 + 18 * condition for 16), 'hex'),
        'count', get_byte(packed, place + 34 + 18 * condition),
        'requiredCount', get_byte(packed, place + 35 + 18 * condition));
    end loop;
    rules := rules || jsonb_build_object(
      'ruleId', encode(substring(packed from place for 16), 'hex'),
      'action', (array['OPEN_LONG', 'OPEN_SHORT', 'CLOSE_LONG', 'CLOSE_SHORT', 'RESET_OPEN_LONG',
        'RESET_OPEN_SHORT', 'RESET_CLOSE_LONG', 'RESET_CLOSE_SHORT'])[get_byte(packed, place + 15) + 1],
      'kind', (array['counted', 'full', 'fired', 'reset'])[get_byte(packed, place + 16) + 1],
      'conditions', conditions);
    place := place + 19 + 18 * jsonb_array_length(conditions);
  end loop;
  return jsonb_build_object('alertKey', encode(uuid_send(alert_id), 'hex'), 'rules', rules);
end $$;

create table narrow_alert_events (
  seq bigint generated always as identity,
  received_at timestamptz not null,
  fired_at timestamptz,
  price double precision,
  id uuid not null,
  agent_id uuid not null,
  alert_id uuid,
  outcome text not null check (outcome in ('accepted', 'duplicate', 'ignored', 'refused', 'denied')),
  alert_name text not null,
  reason text,
  body_hash bytea,
  effects bytea,
  compared jsonb
);

insert into narrow_alert_events overriding system value
select seq, received_at, fired_at, price,
  case when dedup_key is null then id::uuid
    else encode(substring(sha256(convert_to(agent_id || E'\\n' || dedup_key, 'UTF8')) for 16), 'hex')::uuid end,
  agent_id::uuid, (effects ->> 'alertKey')::uuid, outcome, alert_name, reason,
  case when dedup_key is not null and origin = 'webhook'
    then substring(decode(coalesce(body_hash, ''), 'hex') for 8) end,
  pack_alert_effects(effects), case when origin = 'condition' then coalesce(compared, '[]') end
from alert_events order by seq;
select setval(pg_get_serial_sequence('narrow_alert_events', 'seq'), (select max(seq) from alert_events));

alter table orders drop constraint orders_event_id_fkey;
create temporary table renamed_events on commit drop as
  select old.id as old_id, encode(uuid_send(new.id), 'hex') as new_id
  from alert_events old join narrow_alert_events new using (seq)
  where old.dedup_key is not null;
update orders set event_id = new_id from renamed_events where event_id = old_id;
update trade_log set event_id = new_id from renamed_events where event_id = old_id;
alter table orders alter column event_id type uuid using event_id::uuid;
alter table trade_log alter column event_id type uuid using event_id::uuid;

drop table alert_events;
drop function pack_alert_effects;
alter table narrow_alert_events rename to alert_events;
alter table alert_events add primary key (id);
create index alert_events_newest on alert_events (agent_id, seq desc);
create index alert_events_received on alert_events using brin (received_at) with (pages_per_range = 16);

create function forget_alert_events() returns trigger language plpgsql as $$
begin
  delete from alert_events where agent_id = old.agent_id::uuid;
  return null;
end $$;
create trigger lane_removed after delete on lanes for each row execute function forget_alert_events();
`,
  ],
  // Counting an alert raises its lane's version in the statement that counts, which says so in a setting of its
  // transaction; the trigger stays for every other change of a condition.
  [
    "0054-counted-versions",
    `
drop trigger condition_changed on rule_conditions;
create trigger condition_changed after update on rule_conditions referencing new table as changed
  for each statement when (current_setting('wheelhouse.counts', true) is distinct from 'versioned')
  execute function change_lanes_of_rules();
`,
  ],
  // What the trading processes last saw, for the processes that show it. Unlogged: after a crash of the database the next
  // round writes them anew.
  [
    "0055-figures-of-processes",
    `
create unlogged table agent_looks (
  agent_id text primary key,
  network text not null,
  done_at timestamptz,
  failing_since timestamptz,
  key_state text
) with (fillfactor = 70);

create unlogged table feed_troubles (
  feed text primary key,
  text text not null,
  since timestamptz not null
);

create unlogged table process_figures (
  worker text primary key,
  at timestamptz not null,
  figures jsonb not null
);
`,
  ],
  // How the rounds of reconciliation ended, by network, and why an agent's last reading failed. Unlogged like the other
  // figures: after a crash of the database the next round writes them anew.
  [
    "0056-reconcile-rounds",
    `
create unlogged table reconcile_rounds (
  network text primary key,
  done_at timestamptz,
  agents int not null default 0,
  failing_since timestamptz,
  failed int not null default 0,
  reason text
);

alter table agent_looks add column reason text;
`,
  ],
  // Fees the deployment's payer offered per owner and day for orders; rows outlive the owner's agents.
  [
    "0057-owner-fees",
    `
create table owner_fees (
  owner text not null,
  network text not null,
  day date not null,
  lamports bigint not null,
  primary key (owner, network, day)
) with (fillfactor = 70);
`,
  ],
  // Lanes of a restored database: since when, and the block height after which nothing signed before can land; null until
  // it was read. Cleared once the chain was read beyond it.
  [
    "0058-restored-lanes",
    `
alter table lanes add column restored_at timestamptz, add column restored_height bigint;
`,
  ],
  // Aggregate that follows a market's trades in order and returns the PnL of each closing.
  //
  // `follow_trades` takes traded signal, size, quote total and fee. It returns side (1 long, -1 short), size and worth of the
  // position after the trade, null without one, and PnL and entry of the trade, null unless it closed a known position. The
  // worth is the cost of a long with fees, or the proceeds of a short less fees. A closing that the earlier trades do not
  // account for has no PnL: the position was also changed elsewhere, and any figure would be a guess. An opening replaces the
  // position: the product never opens beside an open position, so the log missed a closing.
  [
    "0059-followed-trades",
    `
create function follow_trade(held numeric[], signal text, base numeric, quote numeric, fee numeric)
returns numeric[] language plpgsql immutable parallel safe as $$
declare
  side numeric := case when signal like '%SHORT' then -1 else 1 end;
  product numeric;
  gone numeric;
  pnl numeric;
begin
  if starts_with(signal, 'OPEN_') then
    if base <= 0 or fee is null then return array[null, null, null, null, null]::numeric[]; end if;
    return array[side, base, quote + side * fee, null, null];
  end if;
  if not starts_with(signal, 'CLOSE_') and signal <> 'MOVE_ASSET' then
    return array[held[1], held[2], held[3], null, null];
  end if;
  if held[1] is distinct from side or base <= 0 or base > held[2] then
    return array[null, null, null, null, null]::numeric[];
  end if;
  product := held[3] * base;
  gone := sign(product) * div(2 * abs(product) + held[2], 2 * held[2]);
  if signal <> 'MOVE_ASSET' then pnl := side * (quote - gone) - fee; end if;
  if base = held[2] then
    return array[null, null, null, pnl, case when pnl is not null then gone end];
  end if;
  return array[side, held[2] - base, held[3] - gone, pnl, case when pnl is not null then gone end];
end $$;

create aggregate follow_trades(text, numeric, numeric, numeric) (sfunc = follow_trade, stype = numeric[], parallel = safe);
`,
  ],
];
