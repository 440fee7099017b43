/** Everything but the practice chain: sessions, chats, agents, alerts, rules, orders, the trade log, custody. */
export const initialTables = `
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
`;
