/**
 * The book: entries read from finalized transactions, which are added and never changed, points of an account's worth, and
 * how far each agent's book was read.
 *
 * Entries and points outlive their agent: what was earned has to be shown to a tax office later.
 */
export const ledger = `
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
`;
