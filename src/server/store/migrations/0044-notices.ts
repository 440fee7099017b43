/**
 * Adds notices outside of the page: channels, events, and each message on its way.
 *
 * Triggers record an event in the statement that causes it, so that a rolled back event is never sent and a committed
 * one is never lost. Nothing is recorded for a wallet without a channel.
 */
export const notices = `
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
`;
