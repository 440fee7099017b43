/**
 * Sums kept while rows are written, so that no reading grows with an agent's or a deployment's history.
 *
 * `traded_base` is the net base of all fills of an agent by market: those of its log, and those the venue made by itself,
 * which a flag in the audit log has, until a line of the log has the same transaction. `order_tallies` are the orders
 * planned in ten minutes by state, added once all of them are final; a row without a state says that there are none to add.
 */
export const runningSums = `
create table traded_base (
  agent_id text not null references lanes (agent_id) on delete cascade,
  market text not null,
  net numeric(40, 0) not null,
  primary key (agent_id, market)
) with (fillfactor = 70);

create index audit_log_upkeep on audit_log (object, (detail ->> 'key'))
  where action = 'custody_flagged' and detail ->> 'kind' = 'upkeep';

create function line_base(side text, type text, status text, base bigint) returns numeric
language sql immutable as $$
  select case when status <> 'success' then 0
    when side in ('long', 'buy') then base
    when side in ('short', 'sell') or type = 'transfer' then -base
    else 0 end
$$;

create function add_traded_base(agent text, traded_market text, base numeric) returns void language plpgsql as $$
begin
  update traded_base set net = net + base where agent_id = agent and market = traded_market;
  if found or not exists (select from lanes where agent_id = agent) then return; end if;
  insert into traded_base values (agent, traded_market, base)
  on conflict (agent_id, market) do update set net = traded_base.net + excluded.net;
end $$;

create table counted_upkeep (
  agent_id text not null references lanes (agent_id) on delete cascade,
  signature text not null,
  primary key (agent_id, signature)
);
create index trade_log_by_owner on trade_log (signature) where by_owner;

-- Counts the venue's own fills in a transaction, or no longer, as the log now is
create function settle_upkeep(agent text, landed text) returns void language plpgsql as $$
declare
  is_due boolean;
  is_counted boolean;
begin
  if not exists (
    select from audit_log where action = 'custody_flagged' and detail ->> 'kind' = 'upkeep'
      and object = agent and detail ->> 'key' = landed
  ) or not exists (select from lanes where agent_id = agent) then return; end if;
  is_due := not exists (
    select from trade_log where by_owner and signature = landed and agent_id = agent
  ) and not exists (
    select from orders join trade_log on trade_log.order_id = orders.id
    where orders.signature = landed and trade_log.signature = landed and trade_log.agent_id = agent
  );
  is_counted := exists (select from counted_upkeep where agent_id = agent and signature = landed);
  if is_due = is_counted then return; end if;
  perform add_traded_base(agent, fill.key, case when is_due then 1 else -1 end * fill.value::numeric)
  from audit_log, jsonb_each_text(detail -> 'fills') as fill
  where action = 'custody_flagged' and detail ->> 'kind' = 'upkeep'
    and object = agent and detail ->> 'key' = landed;
  if is_due then insert into counted_upkeep values (agent, landed);
  else delete from counted_upkeep where agent_id = agent and signature = landed; end if;
end $$;

create function sum_traded_line() returns trigger language plpgsql as $$
declare
  gone numeric := 0;
  come numeric := 0;
begin
  if tg_op <> 'INSERT' then gone := line_base(old.side, old.type, old.status, old.base_size); end if;
  if tg_op <> 'DELETE' then come := line_base(new.side, new.type, new.status, new.base_size); end if;
  if tg_op = 'UPDATE' and old.agent_id = new.agent_id and old.market = new.market then
    come := come - gone;
    gone := 0;
  end if;
  if gone <> 0 then perform add_traded_base(old.agent_id, old.market, -gone); end if;
  if come <> 0 then perform add_traded_base(new.agent_id, new.market, come); end if;
  if tg_op <> 'INSERT' and old.signature is not null then perform settle_upkeep(old.agent_id, old.signature); end if;
  if tg_op <> 'DELETE' and new.signature is not null then perform settle_upkeep(new.agent_id, new.signature); end if;
  return null;
end $$;
create trigger trade_log_adds_up after insert or update of side, type, status, base_size, signature, agent_id, market
  or delete on trade_log for each row execute function sum_traded_line();

create function sum_upkeep() returns trigger language plpgsql as $$
begin
  perform settle_upkeep(new.object, new.detail ->> 'key');
  return null;
end $$;
create trigger audit_log_adds_up after insert on audit_log for each row
  when (new.action = 'custody_flagged' and new.detail ->> 'kind' = 'upkeep')
  execute function sum_upkeep();

insert into traded_base
select agent_id, market, sum(line_base(side, type, status, base_size)) from trade_log group by agent_id, market;
select settle_upkeep(object, detail ->> 'key') from audit_log
where action = 'custody_flagged' and detail ->> 'kind' = 'upkeep';

create table order_tallies (
  begins_at timestamptz not null,
  state text not null,
  orders integer not null,
  primary key (begins_at, state)
);
`;
