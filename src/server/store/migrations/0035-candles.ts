/**
 * Closed bars of exchanges, one row per source, market, base length and block of 1,440 bars; how far each agent's
 * conditions are evaluated; and what an alert of our own fired on.
 *
 * A change of what an agent is evaluated by takes its progress away: from then on it is evaluated anew. Triggers, so
 * that a change made by hand counts too.
 */
export const candles = `
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
`;
