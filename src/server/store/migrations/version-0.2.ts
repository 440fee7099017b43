/** Migrations of version 0.2. */
export const migrations02: readonly (readonly [name: string, text: string])[] = [
  // Equity points of the deposits before an agent's first trade: earlier versions recorded one point for all of them, after
  // the first trades, so that returns left out what those cost. An agent without assets is worth what came in.
  [
    "0060-begin-at-the-deposit",
    `
insert into equity_points (agent_id, owner, network, at, slot, cause, value, asset, decimals, net_flow, market, entry_seq)
select agent_id, owner, network, at, max(slot), 'flow', (array_agg(paid_in order by seq desc))[1], asset, decimals,
  (array_agg(paid_in order by seq desc))[1], market, max(seq)
from (
  select flow.agent_id, flow.owner, flow.network, flow.at, flow.slot, flow.seq, flow.asset, flow.decimals, point.market,
    sum(flow.amount) over (partition by flow.agent_id order by flow.seq) as paid_in
  from (
    select distinct on (agent_id) * from equity_points order by agent_id, at
  ) as point
  join ledger_entries as flow on flow.agent_id = point.agent_id and flow.seq <= point.entry_seq
    and flow.at < point.at and flow.kind in ('deposit', 'withdrawal', 'external') and flow.place <> 'vault_sol'
  where not exists (
    select from ledger_entries as other
    where other.agent_id = flow.agent_id and (
      other.kind = 'trade' and other.seq < flow.seq
      or other.kind = 'opening'
      or other.kind in ('deposit', 'withdrawal', 'external') and other.place <> 'vault_sol'
        and other.asset <> point.asset and other.seq <= point.entry_seq)
  )
) as flows
group by agent_id, owner, network, at, asset, decimals, market
on conflict (agent_id, at) do nothing;
`,
  ],
  // Finds a wallet's deleted agents, which keep their part in its portfolio.
  [
    "0061-deletions",
    `
create index audit_log_deletions on audit_log (wallet, seq) where action = 'agent_deleted';
`,
  ],
  // Has the ledgers of practice agents begin with an opening balance where the exchange logged no deposits, as it did until
  // its events were those of the real program: such an event begins with the base64 of its discriminator. Such a ledger
  // never equalled the chain; one that did once has all of its deposits.
  //
  // The same exchange did not count withdrawals in the net deposits of an account of 4,376 bytes, which begins with its
  // discriminator. They are corrected by the account's totals of deposits and withdrawals, which were counted all along:
  // practice has only one token to deposit. All three are little-endian.
  [
    "0062-opening-entries",
    `
alter table multisigs add column opening_due boolean not null default false;

update multisigs set opening_due = true from agents
where agents.id = multisigs.agent_id and agents.network = 'practice'
  and not exists (
    select from ledger_marks as mark
    where mark.agent_id = multisigs.agent_id and mark.balanced_slot is not null
  )
  and exists (
    select from practice_touched as touched join practice_transactions as landed using (signature)
    where touched.address = multisigs.vault and landed.error is null
      and landed.logs ? 'Program log: Instruction: Deposit'
      and landed.logs::text not like '%Program data: tPHaz2aHL%'
  );

-- Read again from the first transaction, at once
delete from ledger_marks using multisigs
where multisigs.agent_id = ledger_marks.agent_id and multisigs.opening_due;

create function pg_temp.read_amount(data bytea, at integer) returns bigint language sql as $$
  select ('x' || string_agg(lpad(to_hex(get_byte(data, at + i)), 2, '0'), '' order by i desc))::bit(64)::bigint
  from generate_series(0, 7) as i
$$;

create function pg_temp.write_amount(amount bigint) returns bytea language sql as $$
  select string_agg(substring(int8send(amount) from 8 - i for 1), ''::bytea order by i)
  from generate_series(0, 7) as i
$$;

update practice_accounts
set data = overlay(data placing pg_temp.write_amount(counted.net) from 129 for 8)
from (
  select address as user_address, pg_temp.read_amount(data, 4272) - pg_temp.read_amount(data, 4280) as net
  from practice_accounts
  where lamports > 0 and octet_length(data) = 4376 and substring(data from 1 for 8) = '\\x9f755fe3ef973aec'
) as counted
where address = counted.user_address and pg_temp.read_amount(data, 128) <> counted.net;
`,
  ],
  // Sums kept while rows are written, so that no reading grows with an agent's or a deployment's history.
  //
  // `traded_base` is the net base of all fills of an agent by market: those of its log, and those the venue made by itself,
  // which a flag in the audit log has, until a line of the log has the same transaction. `order_tallies` are the orders
  // planned in ten minutes by state, added once all of them are final; a row without a state says that there are none to add.
  [
    "0063-running-sums",
    `
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
`,
  ],
  // Variants of agents that wallets tried in simulations, by market. A variant is the digest of all settings that decide
  // what it trades; its t statistic is null where it is undefined.
  [
    "0064-tried-variants",
    `
create table tried_variants (
  wallet text not null,
  network text not null,
  venue text not null,
  market_id text not null,
  variant text not null,
  t_statistic double precision,
  tried_at timestamptz not null,
  primary key (wallet, network, venue, market_id, variant)
);
`,
  ],
  // What an agent's account shows beyond its own trades and deposits, as its nodes last said: a difference that was
  // confirmed is expected from then on, any other is doubted.
  [
    "0068-account-differences",
    `
alter table lanes add column account_difference jsonb;
`,
  ],
  // When each trading process last said that it is there; `at` stays the time of its figures.
  [
    "0070-seen-processes",
    `
alter table process_figures add column seen_at timestamptz not null default clock_timestamp();
`,
  ],
  // The kinds of channels are those of the contract, which checks them before a row is written.
  [
    "0073-kinds-of-channels",
    `
alter table notice_channels drop constraint notice_channels_kind_check;
`,
  ],
  // Fees in the book: those of a holding, and those of both sides of what closed. Entries of earlier versions are counted
  // when their agent's book is read next (`fees_due`), once; nothing else of an entry ever changes.
  //
  // `pending_entries` are entries of landed transactions that the book does not have yet: at first those of fills and
  // closings that no earlier book had. The effect `opens` marks the first fill of an order that opens, `closes` every one of an order that
  // closes.
  [
    "0074-one-book",
    `
alter table ledger_entries add column held_fees numeric(40, 0), add column realised_fees numeric(40, 0);
alter table multisigs add column fees_due boolean not null default false;
create index ledger_entries_signature on ledger_entries (agent_id, signature);

drop trigger ledger_is_append_only on ledger_entries;
create trigger ledger_is_append_only before delete or truncate or update of seq, agent_id, owner, network, signature,
  kind, n, place, sub_account, market, asset, decimals, amount, base_market, base_decimals, base_amount, realised,
  held_base, held_cost, slot, at, booked_at on ledger_entries
  for each statement execute function keep_ledger();
create trigger ledger_counts_fees_once before update on ledger_entries
  for each row when (old.held_fees is not null) execute function keep_ledger();

update multisigs set fees_due = true
where exists (select from ledger_entries as entry where entry.agent_id = multisigs.agent_id and kind = 'trade');
-- Read again at once
update ledger_marks set content = '' from multisigs
where multisigs.agent_id = ledger_marks.agent_id and fees_due;

create table pending_entries (
  seq bigint generated always as identity primary key,
  agent_id text not null references lanes (agent_id) on delete cascade,
  signature text not null,
  kind text not null,
  n integer not null,
  place text not null,
  sub_account integer not null,
  market text not null,
  asset text not null,
  decimals smallint not null,
  amount numeric(40, 0) not null,
  base_market text,
  base_decimals smallint,
  base_amount numeric(40, 0),
  effect text check (effect in ('opens', 'closes')),
  slot bigint not null,
  at timestamptz not null,
  unique (agent_id, signature, kind, n)
);

create function pg_temp.is_unbooked(agent text, landed text) returns boolean language sql as $$
  select not exists (select from ledger_entries where agent_id = agent and signature = landed)
$$;

create temporary table landed on commit drop as
select log.agent_id, fill.signature, log.market, log.market like '%-PERP' as is_perp, log.base_decimals,
  log.quote_decimals, case when log.side in ('short', 'sell') then -1 else 1 end as sign, fill.base_size,
  fill.quote_size, fill.fee, fill.slot, log.at, log.seq, fill.n, starts_with(log.signal, 'OPEN_')
    and (log.side in ('long', 'short') or log.side = 'buy' and log.market not like '%-PERP') as is_opening
from trade_log as log join order_fills as fill using (order_id) left join ledger_marks as mark using (agent_id)
where fill.slot > coalesce(mark.slot, -1) and log.base_decimals is not null and fill.base_size > 0
  and pg_temp.is_unbooked(log.agent_id, fill.signature)
union all
select log.agent_id, log.signature, log.market, log.market like '%-PERP', log.base_decimals, log.quote_decimals,
  case when log.side = 'sell' then -1 else 1 end, log.base_size, log.quote_total, coalesce(log.fee, 0),
  coalesce(mark.slot, 0) + 1, log.at, log.seq, 0, false
from trade_log as log left join ledger_marks as mark using (agent_id)
where by_owner and type = 'market' and status = 'success' and log.base_size > 0
  and (mark.searched_at is null or log.at > mark.searched_at - interval '5 minutes')
  and pg_temp.is_unbooked(log.agent_id, log.signature);

insert into pending_entries (agent_id, signature, kind, n, place, sub_account, market, asset, decimals, amount,
  base_market, base_decimals, base_amount, effect, slot, at)
select agent_id, signature, kind, n, place, sub_account, market, 'USDC', quote_decimals, amount,
  base_market, base_decimals, base_amount, effect, slot, at
from (
  select agent_id, signature, part.kind,
    row_number() over (partition by agent_id, signature, part.kind order by landed.seq, n) - 1 as n,
    case when is_perp then 'position' else 'vault' end as place,
    case when is_perp then multisigs.sub_account_id else 0 end as sub_account,
    case when is_perp then landed.market else '' end as market, quote_decimals,
    case when part.kind = 'fee' then -fee when is_perp then -sign * quote_size else -sign * quote_size - fee end as amount,
    case when part.kind = 'trade' then landed.market end as base_market,
    case when part.kind = 'trade' then base_decimals end as base_decimals,
    case when part.kind = 'trade' then sign * base_size end as base_amount,
    case when part.kind = 'fee' then null when not is_opening then 'closes'
      when row_number() over (partition by landed.seq, part.kind order by slot, signature, n) = 1 then 'opens' end as effect,
    slot, at, landed.seq, landed.n as fill
  from landed join multisigs using (agent_id) join lanes using (agent_id), (values ('trade'), ('fee')) as part (kind)
  where part.kind = 'trade' or (is_perp and fee <> 0)
) as parts order by slot, seq, fill, kind desc;

insert into pending_entries (agent_id, signature, kind, n, place, sub_account, market, asset, decimals, amount, slot, at)
select agent_id, signature, case intent when 'deposit' then 'deposit' else 'withdrawal' end, 0,
  case when market_id like '%-PERP' then 'exchange' else 'vault' end,
  case when market_id like '%-PERP' then multisigs.sub_account_id else 0 end, '', 'USDC', 6,
  case intent when 'deposit' then amount else -amount end, coalesce(mark.slot, 0) + 1, settled_at
from custody_transactions join multisigs using (agent_id) join lanes using (agent_id) join agents on agents.id = agent_id
  left join ledger_marks as mark using (agent_id)
where state = 'confirmed' and intent in ('deposit', 'withdraw') and amount is not null and signature is not null
  and (mark.searched_at is null or settled_at > mark.searched_at - interval '5 minutes')
  and pg_temp.is_unbooked(agent_id, signature)
on conflict do nothing;
`,
  ],
  // Profit is what the book says that a trade realised.
  [
    "0075-profit-from-the-book",
    `
drop aggregate follow_trades(text, numeric, numeric, numeric);
drop function follow_trade(numeric[], text, numeric, numeric, numeric);
`,
  ],
  // Any role stops trading; what a role without the tables has stopped or found stopped, their owner alone resumes.
  [
    "0078-only-the-owner-resumes",
    `
create function keep_halt() returns trigger language plpgsql as $$
declare
  states constant text[] := array['active', 'reducing', 'halted'];
begin
  if array_position(states, new.trading_state) < array_position(states, old.trading_state)
    and not pg_has_role(current_user, (select relowner from pg_class where oid = 'installation'::regclass), 'member')
  then
    raise insufficient_privilege using message = 'only the owner of the tables resumes trading';
  end if;
  return new;
end $$;
create trigger installation_keeps_halt before update of trading_state on installation
  for each row execute function keep_halt();
`,
  ],
  // A removed channel is told so before it goes, and one signature confirms one change, so none is remembered.
  [
    "0080-removed-channels",
    `
alter table notice_channels add column removed_at timestamptz;
alter table sessions drop column confirmed_at;
`,
  ],
  // Fills that keepers made, as rows: what `traded_base` counts beside the log. A row leaves, and counts no more, when an order
  // or a line of the owner turns out to have the same transaction.
  [
    "0081-fills-of-keepers",
    `
drop trigger audit_log_adds_up on audit_log;
drop function sum_upkeep();

create table upkeep_fills (
  agent_id text not null references lanes (agent_id) on delete cascade,
  signature text not null,
  market text not null,
  base numeric(40, 0) not null,
  primary key (agent_id, signature, market)
);
insert into upkeep_fills
select distinct on (agent_id, signature, fill.key) agent_id, signature, fill.key, fill.value::numeric
from counted_upkeep join audit_log on object = agent_id and detail ->> 'key' = signature,
  jsonb_each_text(detail -> 'fills') as fill
where action = 'custody_flagged' and detail ->> 'kind' = 'upkeep';

create function add_upkeep_fill() returns trigger language plpgsql as $$
begin
  perform add_traded_base(new.agent_id, new.market, new.base);
  return null;
end $$;
create trigger upkeep_fills_add_up after insert on upkeep_fills for each row execute function add_upkeep_fill();

create function drop_upkeep(agent text, landed text) returns void language sql as $$
  with gone as (
    delete from upkeep_fills where agent_id = agent and signature = landed returning market, base
  ) select add_traded_base(agent, market, -base) from gone
$$;

create function drop_upkeep_of_order() returns trigger language plpgsql as $$
begin
  perform drop_upkeep(agent_id, new.signature) from orders where id = new.order_id;
  return null;
end $$;
create trigger order_fills_replace_upkeep after insert on order_fills
  for each row execute function drop_upkeep_of_order();

create or replace function sum_traded_line() returns trigger language plpgsql as $$
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
  if tg_op <> 'DELETE' and new.by_owner and new.signature is not null then
    perform drop_upkeep(new.agent_id, new.signature);
  end if;
  return null;
end $$;
drop function settle_upkeep(text, text);
drop table counted_upkeep;

-- Earlier versions counted a keeper's fill again when an order had it
select drop_upkeep(orders.agent_id, fill.signature)
from order_fills as fill join orders on orders.id = fill.order_id
  join upkeep_fills as upkeep on upkeep.agent_id = orders.agent_id and upkeep.signature = fill.signature;
`,
  ],
  // What owners signed about agents, append-only. Turning off and withdrawing a key are appended whoever does it.
  [
    "0082-owner-facts",
    `
create table owner_facts (
  seq bigint generated always as identity primary key,
  agent_id text not null references agents (id) on delete cascade,
  kind text not null check (kind in ('signed', 'off', 'key_withdrawn')),
  at timestamptz not null,
  nonce text unique,
  wallet text,
  text text,
  signature bytea check (octet_length(signature) = 64),
  parts jsonb,
  trading_key text,
  check ((kind = 'signed') = (num_nulls(nonce, wallet, text, signature, parts) = 0)),
  check ((kind = 'key_withdrawn') = (trading_key is not null))
);
create index owner_facts_agent on owner_facts (agent_id, seq);

create function append_off() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into owner_facts (agent_id, kind, at) values (new.id, 'off', new.updated_at);
  return null;
end $$;
create trigger agents_append_off after update of auto_trade on agents
  for each row when (old.auto_trade = 'on' and new.auto_trade <> 'on') execute function append_off();

create function append_withdrawn_key() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  insert into owner_facts (agent_id, kind, at, trading_key)
  values (new.agent_id, 'key_withdrawn', new.key_revoked_at, new.delegate);
  return null;
end $$;
create trigger multisigs_append_withdrawn_key after update of key_revoked_at on multisigs
  for each row when (old.key_revoked_at is null and new.key_revoked_at is not null)
  execute function append_withdrawn_key();
`,
  ],
  // What the signer holds each agent to, in its own schema. Agents of earlier versions are held to what their rows say now.
  [
    "0083-held-terms",
    `
create schema if not exists signer;
create table signer.held_terms (
  agent_id text primary key,
  seq bigint not null,
  issued_at bigint not null,
  terms jsonb,
  is_off boolean not null,
  withdrawn_keys text[] not null,
  refused text
);
insert into signer.held_terms
select id, 0, 0,
  jsonb_build_object('agentId', id, 'network', network, 'venue', venue, 'marketId', market_id, 'interval', interval,
    'autoTrade', case when auto_trade = 'on' or (agents.sub_account_id is null and exists (
      select from custody_transactions as deposit
      where deposit.agent_id = agents.id and intent = 'deposit' and settled_at is null)) then 'on' else 'off' end,
    'slippageBps', slippage_bps, 'positionSizePercent', position_size_percent,
    'maxSignalAgeSeconds', max_signal_age_seconds,
    'limits', jsonb_build_object('dayLossBps', owner_limits -> 'dayLossBps', 'fallBps', owner_limits -> 'fallBps',
      'tradesPerDay', owner_limits -> 'tradesPerDay', 'lossesInRow', owner_limits -> 'lossesInRow',
      'assetShareBps', owner_limits -> 'assetShareBps'),
    'custody', case when multisigs.agent_id is not null then
      jsonb_build_object('multisig', multisig, 'vault', vault, 'tradingKey', delegate) end),
  false, case when key_revoked_at is null then '{}' else array[delegate] end, null
from agents left join multisigs on multisigs.agent_id = agents.id;
`,
  ],
  // The fees of all owners of a day are summed once one of them used his least share
  ["0084-fees-by-day", `create index owner_fees_by_day on owner_fees (network, day);`],
  // What the operator ordered, signed where he has a key, and what the signer holds of it.
  [
    "0085-operator-orders",
    `
create table operator_orders (
  n bigint primary key,
  state text not null check (state in ('active', 'reducing', 'halted')),
  signature bytea
);
create table signer.held_switch (
  is_only boolean primary key default true check (is_only),
  n bigint not null,
  state text not null
);
`,
  ],
  // The audit log is written by this function alone, which says who may record what: changes of wallets come from the process
  // that knows them, findings that stop entries from the one that trades, and their acceptance from the first again. A
  // process is told by what its role may write, as roles have other names in each installation; the tables' owner may all.
  //
  // Triggers write with the rights of their owner, so that a role needs none on what they keep. All functions look for tables
  // in their own schema: a temporary table of the caller's would come before it otherwise.
  [
    "0086-audit-by-function",
    `
create function append_audit(at timestamptz, wallet text, action text, object text, detail jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  is_web boolean := has_table_privilege(session_user, 'sessions', 'insert');
  is_trading boolean := has_table_privilege(session_user, 'decisions', 'insert');
  is_owner boolean := pg_has_role(session_user, current_user, 'member');
  flag text := case when action = 'custody_flagged' then detail ->> 'kind' end;
begin
  if not (case
    when action in ('delegate_replaced', 'delegate_withdrawn', 'database_restored') or flag = 'key' then is_owner
    when flag in ('powers', 'foreign_trade') then is_trading
    when flag in ('powers_accepted', 'foreign_trade_accepted') then is_web
    when flag is not null then is_web or is_trading
    when action in ('custody_confirmed', 'custody_failed', 'custody_expired', 'custody_abandoned',
      'auto_trade_turned_on', 'auto_trade_turned_off') then is_web or is_trading
    else is_web
  end) then
    raise insufficient_privilege using message = format('%s may not record %s', session_user, action);
  end if;
  insert into audit_log (at, wallet, action, object, detail) values ($1, $2, $3, $4, $5);
end $$;

alter function add_upkeep_fill() security definer set search_path = public, pg_temp;
alter function change_lanes() security definer set search_path = public, pg_temp;
alter function change_lanes_of_agent() security definer set search_path = public, pg_temp;
alter function change_lanes_of_rules() security definer set search_path = public, pg_temp;
alter function drop_upkeep_of_order() security definer set search_path = public, pg_temp;
alter function forget_alert_events() security definer set search_path = public, pg_temp;
alter function forget_condition_progress() security definer set search_path = public, pg_temp;
alter function forget_condition_progress_of_alert() security definer set search_path = public, pg_temp;
alter function keep_halt() set search_path = public, pg_temp;
alter function sum_traded_line() security definer set search_path = public, pg_temp;
alter function tell_of_browser() security definer set search_path = public, pg_temp;
alter function tell_of_difference() security definer set search_path = public, pg_temp;
alter function tell_of_flag() security definer set search_path = public, pg_temp;
alter function tell_of_stop() security definer set search_path = public, pg_temp;
alter function tell_of_trade() security definer set search_path = public, pg_temp;
`,
  ],
  // What the signer has signed, in a schema of its own, so that its writing can be granted to the signer alone.
  [
    "0087-ledger-of-the-signer",
    `
create schema if not exists signer;
create table signer.signatures (
  seq bigint generated always as identity primary key,
  -- The signature; of an exit that was refused as too wide a name of its own
  id text not null unique,
  agent_id text not null,
  kind text not null check (kind in ('entry', 'exit', 'upkeep')),
  market text not null,
  signed_at timestamptz not null,
  last_valid_block_height bigint,
  blockhash_slot bigint,
  lamports bigint not null,
  base numeric(40, 0) not null,
  notional numeric(40, 0) not null,
  cost numeric(40, 0) not null,
  account jsonb not null,
  outcome text check (outcome in ('failed', 'part', 'done'))
);
create index signatures_of_agent on signer.signatures (agent_id, signed_at);
create index signatures_by_age on signer.signatures (signed_at);
-- Agents of which a restored backup forgot signatures
create table signer.restored (
  agent_id text primary key
);
create table signer.fees (
  network text not null,
  day date not null,
  kind text not null,
  lamports bigint not null,
  primary key (network, day, kind)
);
`,
  ],
  // What an agent does with a position once it is open, the leverage of its entries, and the part that a closing rule closes.
  [
    "0094-plans",
    `
alter table agents
  add column plan jsonb,
  add column leverage integer not null default 1 check (leverage between 1 and 5),
  add constraint leverage_with_stop check (leverage = 1 or (plan ? 'stop') is true);
alter table rules add column portion integer not null default 100 check (portion between 1 and 100);
`,
  ],
  // What a closing closes where it is not the whole position: of an order its percent, of an exit also what is left of it
  [
    "0099-parts-of-positions",
    `
alter table orders add column portion smallint check (portion between 1 and 99);
alter table exits add column part jsonb;
`,
  ],
  // What the chain's reader has seen and is not final lies beside the other pending entries. `is_read`: it is listed, and
  // counts in no sum.
  [
    "0100-one-list-of-unbooked",
    `
alter table pending_entries add column is_read boolean not null default false;
alter table pending_entries drop constraint pending_entries_agent_id_signature_kind_n_key;
alter table pending_entries add unique (agent_id, signature, kind, n, is_read);

insert into pending_entries (agent_id, signature, kind, n, place, sub_account, market, asset, decimals, amount,
  base_market, base_decimals, base_amount, slot, at, is_read)
select mark.agent_id, seen ->> 'signature', seen ->> 'kind', n, 'vault', 0, coalesce(seen ->> 'market', ''), seen ->> 'asset',
  (seen ->> 'decimals')::smallint, (seen ->> 'amount')::numeric, seen -> 'base' ->> 'marketId',
  (seen -> 'base' ->> 'decimals')::smallint, (seen -> 'base' ->> 'amount')::numeric, mark.slot + 1,
  to_timestamp((seen ->> 'atMs')::bigint / 1000.0), true
from ledger_marks as mark join lanes using (agent_id),
  jsonb_array_elements(mark.pending) with ordinality as entry (seen, n);
alter table ledger_marks drop column pending;
`,
  ],
  // The click that an exit began with, so that the same request begins at most one.
  [
    "0110-requested-exits",
    `
alter table exits add column request_id text;
create unique index exits_requested on exits (agent_id, request_id) where request_id is not null;
`,
  ],
  // What an assistant may do with a token; tokens made before open nothing to one.
  [
    "0115-scopes-of-read-tokens",
    `
alter table read_tokens add column scopes text[] not null default '{}'
  check (scopes <@ array['read', 'simulate']);
`,
  ],
  // The network `paper`: a chain of its own, and its prices as one process publishes them for all.
  [
    "0120-paper",
    `
alter table agents drop constraint agents_network_check;
alter table agents add constraint agents_network_check
  check (network in ('practice', 'paper', 'devnet', 'mainnet'));

create table paper_head (
  id boolean primary key default true check (id),
  version bigint not null,
  genesis_at_ms bigint not null
);
create table paper_accounts (
  address text primary key,
  lamports bigint not null check (lamports >= 0),
  owner text not null,
  data bytea not null,
  executable boolean not null,
  version bigint not null
);
create index paper_accounts_version on paper_accounts (version);
create table paper_transactions (
  signature text primary key,
  slot bigint not null,
  block_time bigint,
  error jsonb,
  logs jsonb not null,
  fee_lamports bigint not null,
  lamport_deltas jsonb not null,
  token_deltas jsonb not null,
  version bigint not null,
  fee_payer text
);
create index paper_transactions_version on paper_transactions (version);
create index paper_transactions_slot on paper_transactions (slot);
create table paper_touched (
  address text not null,
  seq bigint generated always as identity,
  signature text not null,
  primary key (address, seq)
);

create table paper_feed (
  id boolean primary key default true check (id),
  holder text not null,
  held_until timestamptz not null,
  bulletin jsonb
);
`,
  ],
  // Each row of the signer's ledger follows the agent's newest one, and two that follow the same one meet at the key.
  [
    "0125-signatures-follow-each-other",
    `
alter table signer.signatures
  alter column seq drop identity,
  drop constraint signatures_pkey,
  drop constraint signatures_id_key,
  add primary key (agent_id, seq);
drop index signer.signatures_of_agent;
drop index signer.signatures_by_age;
`,
  ],
  // The position that an agent's plan speaks of, as booked, and what of the plan asked for exits and orders. `plan_looks`: when a price
  // was last held against the plans of a market.
  [
    "0130-kept-plans",
    `
create table plan_positions (
  agent_id text primary key references lanes (agent_id) on delete cascade,
  due_at timestamptz not null,
  version bigint not null default 0,
  opened_at timestamptz,
  add_orders text[] not null default '{}',
  position jsonb,
  unprotected_since timestamptz
);
create index plan_positions_due on plan_positions (due_at);
create table plan_looks (
  network text not null,
  venue text not null,
  market_id text not null,
  looked_at timestamptz not null,
  primary key (network, venue, market_id)
);
alter table exits drop constraint exits_asked_by_check;
alter table exits add constraint exits_asked_by_check check (asked_by in ('alert', 'owner', 'reversal', 'plan'));
alter table exits add column plan_end text;
alter table orders add column plan_act text;
`,
  ],
  // What assistants propose. The owner is told when one is made.
  [
    "0135-proposals",
    `
alter table read_tokens drop constraint read_tokens_scopes_check,
  add constraint read_tokens_scopes_check check (scopes <@ array['read', 'simulate', 'propose']);
create table proposals (
  id text primary key,
  owner text not null,
  assistant text not null,
  agent_id text references agents (id) on delete cascade,
  agent_name text not null,
  opened_as timestamptz,
  change text not null,
  digest text not null,
  state text not null default 'open' check (state in ('open', 'approved', 'declined')),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index proposals_open on proposals (owner, created_at desc) where state = 'open';
create index proposals_expires on proposals (expires_at);
create index proposals_agent on proposals (agent_id);

create function tell_of_proposal() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  insert into notice_events (owner, kind, agent_id, key, facts)
  select new.owner, 'proposal_made', new.agent_id, 'proposal:' || new.id,
    jsonb_build_object('agent', new.agent_name, 'assistant', new.assistant)
  where exists (select from notice_channels where owner = new.owner)
  on conflict do nothing;
  return null;
end $$;
create trigger proposals_tell after insert on proposals for each row execute function tell_of_proposal();
`,
  ],
  // Orders that rest at the venue to protect a position have signatures of a kind of their own
  [
    "0140-protective-signatures",
    `
alter table signer.signatures drop constraint signatures_kind_check;
alter table signer.signatures add constraint signatures_kind_check
  check (kind in ('entry', 'exit', 'protective', 'upkeep'));
`,
  ],
  // What rests at the venue for an agent's position, and whether its owner keeps the position without the plan.
  [
    "0141-resting-stops",
    `
alter table plan_positions add column protection jsonb, add column is_over boolean not null default false;
`,
  ],
  // A fill that a position's plan asked for is told as its stop or target. Who wants to know of trades goes on to hear of these.
  [
    "0142-notices-of-plans",
    `
create or replace function tell_of_trade() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  insert into notice_events (owner, kind, agent_id, key, facts)
  select owner, case when new.status = 'success' then 'trade_filled' else 'trade_failed' end, id,
    'trade:' || new.id || ':' || new.status,
    jsonb_build_object('agent', name, 'network', network, 'market', new.market, 'signal', new.signal,
      'side', new.side, 'size', new.base_size::text, 'sizeDecimals', new.base_decimals,
      'price', new.price::text, 'reason', new.reason,
      'plan', (select plan_act from orders where orders.id = new.order_id))
  from agents
  where id = new.agent_id and exists (select from notice_channels where notice_channels.owner = agents.owner)
  on conflict do nothing;
  return null;
end $$;
update notice_channels set events = events || array['stop_hit', 'target_hit'] where 'trade_filled' = any(events);
update notice_channels set events = events || array['stop_missing'] where 'trade_failed' = any(events);
`,
  ],
  // Variants whose result on the part of the history that is kept out was shown; earlier ones are not known.
  [
    "0150-looks-at-the-kept-out-part",
    `
alter table tried_variants add column is_kept_out_seen boolean not null default false;
`,
  ],
  // Bars that owners set before real money, agents made by going live, and times without a price on paper.
  [
    "0151-readiness",
    `
create table readiness_bars (
  owner text primary key,
  bar jsonb not null
);
create table live_copies (
  agent_id text primary key references agents (id) on delete cascade,
  twin_id text not null references agents (id) on delete cascade,
  below text,
  made_at timestamptz not null
);
create index live_copies_twin on live_copies (twin_id);
create table price_gaps (
  asset text not null,
  began_at timestamptz not null,
  ended_at timestamptz not null,
  primary key (asset, began_at)
);
create index price_gaps_ended on price_gaps (asset, ended_at);
`,
  ],
  // When a token used up its owner's calls. The owner is told.
  [
    "0155-assistants-that-call-without-end",
    `
alter table read_tokens add column limited_at timestamptz;
create function tell_of_limited() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  insert into notice_events (owner, kind, agent_id, key, facts)
  select new.wallet, 'assistant_limited', null, 'limited:' || new.id || ':' || new.limited_at,
    jsonb_build_object('assistant', new.name)
  where exists (select from notice_channels where owner = new.wallet)
  on conflict do nothing;
  return null;
end $$;
create trigger read_tokens_tell after update of limited_at on read_tokens for each row execute function tell_of_limited();
`,
  ],
  // Assistants that sign in: programs that registered, what they asked for with the code that answers it, and the refresh
  // tokens of a connection, which is a read token with short access tokens.
  [
    "0156-connections",
    `
alter table read_tokens add column client_id text, add column connected_from text, add column access_expires_at timestamptz;
create index read_tokens_client on read_tokens (client_id) where client_id is not null;
create table oauth_clients (
  id text primary key,
  name text not null,
  redirect_uris text[] not null,
  created_at timestamptz not null
);
create index oauth_clients_created on oauth_clients (created_at);
create table connection_requests (
  id text primary key,
  wallet text not null,
  client_id text not null,
  client_name text not null,
  redirect_uri text not null,
  challenge text not null,
  scopes text[] not null,
  state text,
  code_hash text unique,
  token_id text,
  expires_at timestamptz not null
);
create index connection_requests_expires on connection_requests (expires_at);
create table connection_refresh_tokens (
  token_hash text primary key,
  token_id text not null references read_tokens (id) on delete cascade,
  replaced_at timestamptz
);
create index connection_refresh_tokens_token on connection_refresh_tokens (token_id);
`,
  ],
  // When the stop of an entry came to rest at the exchange.
  [
    "0170-stop-rested",
    `
alter table orders add column stop_rested_at timestamptz;
`,
  ],
  // The servers that trade: each looks at its share of the agents when nothing happens.
  [
    "0180-trading-servers",
    `
create table trading_servers (
  name text primary key,
  until timestamptz not null
);
`,
  ],
  // A transaction for a resting order that its node dropped.
  [
    "0193-refused-follow-ups",
    `
alter table order_transactions drop constraint order_transactions_ended_check,
  add constraint order_transactions_ended_check check (ended in ('landed', 'expired', 'refused'));
`,
  ],
  // Each server that trades reconciles its share of the agents: rounds are its own.
  [
    "0194-rounds-of-servers",
    `
truncate reconcile_rounds;
alter table reconcile_rounds drop constraint reconcile_rounds_pkey,
  add column server text not null, add primary key (network, server);
`,
  ],
  // The time by which every process goes is raised by this function alone, to what the database's clock shows. Nobody waits
  // for a transaction that has called it and does not end.
  [
    "0200-time-by-function",
    `
create function read_time() returns table (shown_at timestamptz, latest_at timestamptz)
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from installation where installation.latest_at < clock_timestamp() for update skip locked;
  if found then
    update installation set latest_at = greatest(installation.latest_at, clock_timestamp());
  end if;
  return query select clock_timestamp(), installation.latest_at from installation;
end $$;
`,
  ],
  // What the signer reads of an agent has a length that the table holds it to, and an agent's texts a number a day: however
  // much somebody writes, an exit is signed. Rows of before are read by their size. Turning off what is off says nothing new.
  [
    "0201-facts-within-bounds",
    `
alter table owner_facts add column appended_at timestamptz, add column bytes integer;
alter table owner_facts alter column appended_at set default clock_timestamp();
update owner_facts set bytes = coalesce(octet_length(text), 0) + coalesce(octet_length(parts::text), 0);
alter table owner_facts alter column bytes set not null;
alter table owner_facts add constraint owner_facts_length check (bytes <= 98304 and octet_length(nonce) <= 200
  and octet_length(wallet) <= 100 and octet_length(trading_key) <= 100) not valid;

create function bound_owner_facts() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  new.bytes := coalesce(octet_length(new.text), 0) + coalesce(octet_length(new.parts::text), 0);
  if new.kind = 'signed' and (
    select appended_at from owner_facts where agent_id = new.agent_id and kind = 'signed' order by seq desc offset 99 limit 1
  ) > clock_timestamp() - interval '1 day' then
    raise program_limit_exceeded using message = 'an agent keeps a hundred signed texts a day';
  end if;
  return new;
end $$;
create trigger owner_facts_bound before insert on owner_facts for each row execute function bound_owner_facts();

create or replace function append_off() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  insert into owner_facts (agent_id, kind, at) select new.id, 'off', new.updated_at
  where (select kind from owner_facts where agent_id = new.id order by seq desc limit 1) is distinct from 'off';
  return null;
end $$;

alter table agents add constraint agents_length check (octet_length(concat(name, name_key, market_id, interval, venue, owner)) <= 10000
  and octet_length(buy_report_prompt) <= 100000 and octet_length(sell_report_prompt) <= 100000
  and octet_length(owner_limits::text) <= 10000 and octet_length(plan::text) <= 20000) not valid;
alter table multisigs add constraint multisigs_length check (octet_length(concat(multisig, vault, create_key, delegate)) <= 1000
  and octet_length(array_to_string(members, ',')) <= 10000 and octet_length(limits_market_id) <= 1000) not valid;
alter table audit_log add constraint custody_flags_length
  check (action <> 'custody_flagged' or octet_length(detail::text) <= 65536) not valid;
create index audit_log_flags_by_kind on audit_log (object, (detail ->> 'kind'), seq desc) where action = 'custody_flagged';
`,
  ],
  // What web deletes. The right to delete from a table is also one to lock it, so that nobody reads it any more.
  [
    "0202-deletion-by-function",
    `
create function delete_rows(name text, keys text[]) returns integer language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  is_web boolean := has_table_privilege(session_user, 'sessions', 'insert');
  is_trading boolean := has_table_privilege(session_user, 'decisions', 'insert');
  gone integer;
begin
  if not (is_web or is_trading and name = 'pending_entries') then
    raise insufficient_privilege using message = format('%s may not delete from %s', session_user, name);
  end if;
  case name
    when 'agents' then delete from agents where id = any(keys);
    when 'alert_events' then delete from alert_events where id = any(keys::uuid[]);
    when 'alerts' then delete from alerts where id = any(keys);
    when 'chats' then delete from chats where id = any(keys);
    when 'connection_requests' then delete from connection_requests where id = any(keys);
    when 'messages' then delete from messages where chat_id = keys[1] and id = keys[2];
    when 'notice_channels' then delete from notice_channels where id = any(keys);
    when 'oauth_clients' then delete from oauth_clients where id = any(keys);
    when 'pending_entries' then delete from pending_entries where seq = any(keys::bigint[]);
    when 'quiet_hours' then delete from quiet_hours where owner = any(keys);
    when 'rule_conditions' then delete from rule_conditions where rule_id = any(keys);
    when 'rules' then delete from rules where id = any(keys);
    else raise insufficient_privilege using message = format('nothing is deleted from %s', name);
  end case;
  get diagnostics gone = row_count;
  return gone;
end $$;
`,
  ],
  // Ends the sessions of web's role that others have waited five seconds for: its own transactions end sooner, so that one
  // that holds a row or a lock for longer keeps exits and halts waiting on purpose.
  [
    "0203-nobody-waits-for-web",
    `
create function end_blockers() returns integer language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  ended integer;
begin
  select count(*) filter (where pg_terminate_backend(web.pid)) into ended from (
    select distinct session.pid
    from pg_locks as waiting cross join lateral unnest(pg_blocking_pids(waiting.pid)) as blocking (pid)
      join pg_stat_activity as session on session.pid = blocking.pid
    where not waiting.granted and waiting.waitstart < clock_timestamp() - interval '5 seconds'
      and session.datname = current_database() and session.usename <> session_user
      and has_table_privilege(session.usename, 'sessions', 'insert')
      and not pg_has_role(session.usename, current_user, 'member')
  ) as web;
  return ended;
end $$;
`,
  ],
  // A proposal, request or code ends with the session or token that made it.
  [
    "0210-made-by",
    `
alter table proposals add column made_by text;
alter table connection_requests add column made_by text;
`,
  ],
  // A position that the agent's recorded trades have closed, whoever made them, is closed for its plan in the same commit:
  // no price is held against it until the lane has looked at the account, which is due at once.
  [
    "0230-closed-positions-of-plans",
    `
alter table plan_positions add column is_closed boolean not null default false;
create function close_kept_position() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  update plan_positions set is_closed = true, due_at = least(due_at, to_timestamp(0)), version = version + 1
  where agent_id = new.agent_id and position ->> 'marketId' = new.market;
  return null;
end $$;
create trigger traded_base_closes after update of net on traded_base for each row
  when (new.net = 0 and old.net <> 0) execute function close_kept_position();
`,
  ],
  // The process that trades does not end the plan of a position: its signer holds the stop to that.
  [
    "0240-plans-end-by-owners",
    `
create function keep_plan() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if has_table_privilege(session_user, 'decisions', 'insert') and not pg_has_role(session_user, current_user, 'member') then
    raise insufficient_privilege using message = 'only a call of its owner ends a plan';
  end if;
  return new;
end $$;
create trigger plan_positions_keep before update on plan_positions
  for each row when (new.is_over and not old.is_over) execute function keep_plan();
create trigger plan_positions_keep_new before insert on plan_positions
  for each row when (new.is_over) execute function keep_plan();
`,
  ],
  // Why a trading process that is there cannot trade, by network
  [
    "0250-what-stops-trading",
    `
alter table process_figures add column stopped jsonb not null default '[]';
`,
  ],
  // Equity points from before an opening balance was booked lack it, as if everything had been lost until then. What came
  // in as an asset cannot be valued then.
  [
    "0260-points-with-the-opening",
    `
create temporary table opened on commit drop as
select agent_id, owner, network, asset, decimals, min(at) as at, max(slot) as slot, max(seq) as seq, sum(amount) as amount,
  bool_or(base_market is not null) as is_in_kind
from ledger_entries where kind = 'opening' and place not in ('vault_sol', 'wallet', 'platform')
group by agent_id, owner, network, asset, decimals;

delete from equity_points as point using opened
where point.agent_id = opened.agent_id and point.entry_seq < opened.seq and is_in_kind;

update equity_points as point set value = value + amount, net_flow = net_flow + amount from opened
where point.agent_id = opened.agent_id and point.asset = opened.asset and point.entry_seq < opened.seq;

insert into equity_points (agent_id, owner, network, at, slot, cause, value, asset, decimals, net_flow, market, entry_seq)
select distinct on (agent_id) agent_id, opened.owner, opened.network, opened.at, opened.slot, 'flow', amount, opened.asset,
  opened.decimals, amount, point.market, opened.seq
from opened join equity_points as point using (agent_id, asset)
where not exists (select from opened as kind where kind.agent_id = opened.agent_id and is_in_kind)
order by agent_id, point.at
on conflict (agent_id, at) do nothing;
`,
  ],
  // Any process's role halts, and whoever sets the switch is in the audit log.
  [
    "0270-every-role-halts",
    `
create or replace function keep_halt() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  states constant text[] := array['active', 'reducing', 'halted'];
begin
  if array_position(states, new.trading_state) < array_position(states, old.trading_state)
    and not pg_has_role(session_user, current_user, 'member')
  then
    raise insufficient_privilege using message = 'only the owner of the tables resumes trading';
  end if;
  insert into audit_log (at, action, detail) values (now(), 'trading_state_set', jsonb_build_object('state', new.trading_state));
  return new;
end $$;
drop trigger installation_keeps_halt on installation;
create trigger installation_keeps_halt before update of trading_state on installation
  for each row when (old.trading_state is distinct from new.trading_state) execute function keep_halt();
`,
  ],
  // An owner's wallet may fill an order of the agent: the order's line tells it, the owner's goes.
  [
    "0280-fills-by-owners",
    `
create or replace function drop_upkeep_of_order() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  perform drop_upkeep(agent_id, new.signature) from orders where id = new.order_id;
  delete from trade_log as owners using trade_log as line
  where owners.by_owner and owners.signature = new.signature and new.base_size > 0
    and line.order_id = new.order_id and line.agent_id = owners.agent_id and line.market = owners.market;
  return null;
end $$;

delete from trade_log as owners using trade_log as line, order_fills as fill
where owners.by_owner and fill.signature = owners.signature and fill.base_size > 0
  and line.order_id = fill.order_id and line.agent_id = owners.agent_id and line.market = owners.market;
`,
  ],
  // That a stop is missing is told and taken back by the process that answers pages, which reads it on the chain: the one that
  // trades cannot hush it.
  [
    "0285-missing-stops",
    `
do $do$ begin
  execute replace(pg_get_functiondef('append_audit(timestamptz, text, text, text, jsonb)'::regprocedure),
    '''foreign_trade_accepted'')', '''foreign_trade_accepted'', ''stop_missing'')');
end $do$;

create or replace function tell_of_flag() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  insert into notice_events (owner, kind, agent_id, key, facts)
  select owner, case when new.detail->>'kind' = 'stop_missing' then 'stop_missing' else 'custody_changed' end, id,
    'flag:' || new.seq,
    jsonb_build_object('agent', name, 'network', network, 'market', market_id, 'text', new.detail->>'text')
  from agents
  where id = new.object and exists (select from notice_channels where notice_channels.owner = agents.owner)
  on conflict do nothing;
  return null;
end $$;
`,
  ],
  // Trading deletes by the function too: nobody but the owner has a right that locks a table. A plan's position that is over
  // is marked by a version that none has, because only an update holds it to the version it was judged by.
  [
    "0290-nobody-locks-tables",
    `
create or replace function delete_rows(name text, keys text[]) returns integer language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  by_web constant text[] := '{agents,alert_events,alerts,chats,connection_requests,messages,notice_channels,oauth_clients,
    pending_entries,quiet_hours,rule_conditions,rules}';
  by_trading constant text[] := '{agent_looks,alert_events,equity_points,faucet_uses,feed_troubles,notice_channels,
    notice_codes,notice_events,notices,order_tallies,orders,owner_fees,pending_entries,price_gaps,process_figures,
    proposals,read_tokens,reconcile_rounds,sessions,trade_log,trading_servers,used_nonces}';
  key constant text := case
    when name = any ('{equity_points,faucet_uses,notice_codes,notice_events,notices,pending_entries}') then 'seq::bigint'
    when name = 'alert_events' then 'id::uuid'
    else case name
      when 'agent_looks' then 'agent_id'
      when 'feed_troubles' then 'feed'
      when 'messages' then '(chat_id, id)'
      when 'order_tallies' then '(begins_at, state)'
      when 'owner_fees' then '(owner, network, day)'
      when 'price_gaps' then '(asset, began_at)'
      when 'process_figures' then 'worker'
      when 'quiet_hours' then 'owner'
      when 'reconcile_rounds' then '(network, server)'
      when 'rule_conditions' then 'rule_id'
      when 'trading_servers' then 'name'
      when 'used_nonces' then 'nonce'
      else 'id'
    end || '::text'
  end;
  gone integer;
begin
  if not (has_table_privilege(session_user, 'sessions', 'insert') and name = any (by_web)
    or has_table_privilege(session_user, 'decisions', 'insert') and name = any (by_trading))
  then
    raise insufficient_privilege using message = format('%s may not delete from %s', session_user, name);
  end if;
  if name = 'messages' then
    delete from messages where chat_id = keys[1] and id = keys[2];
  else
    execute format('delete from %I where %s = any ($1::%s[])', name, key, split_part(key, '::', 2)) using keys;
  end if;
  get diagnostics gone = row_count;
  return gone;
end $$;

create function forget_kept_position() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  delete from plan_positions where agent_id = new.agent_id and version < 0;
  return null;
end $$;
create trigger plan_positions_forgotten after update of version on plan_positions
  for each row when (new.version < 0) execute function forget_kept_position();
`,
  ],
  // Servers without the owner's address wait until the database is of their version.
  [
    "0291-known-migrations",
    `
create function list_migrations() returns setof text language sql stable
security definer set search_path = public, pg_temp as 'select name from kysely_migration order by name desc';
`,
  ],
  // What the switch files of a server that trades say, for pages that are answered under another account.
  [
    "0292-files-of-traders",
    `alter table trading_servers add column state text not null default 'active';`,
  ],
  // Which session or token of a wallet made a change, so that ending sessions can say what each of them left.
  [
    "0295-changes-by-session",
    `
alter table audit_log add column session text;
create index audit_log_by_session on audit_log (wallet, at) where session is not null;

do $do$ begin
  -- The same function with one argument more, which web alone gives
  execute replace(replace(replace(pg_get_functiondef('append_audit(timestamptz, text, text, text, jsonb)'::regprocedure),
    'detail jsonb)', 'detail jsonb, session text default null)'),
    'if not (case', 'if (session is not null and not is_web) or not (case'),
    'object, detail) values ($1, $2, $3, $4, $5)', 'object, detail, session) values ($1, $2, $3, $4, $5, $6)');
end $do$;
drop function append_audit(timestamptz, text, text, text, jsonb);
`,
  ],
  // What the last look at everything outside found, and what the next one is compared with.
  [
    "0305-outside-looks",
    `
create table outside_looks (
  is_only boolean primary key default true check (is_only),
  begun_at timestamptz,
  at timestamptz,
  findings jsonb not null default '[]'
);
`,
  ],
  // The last delivery to each agent's address that could not be read, by whoever sent it, and how many there were.
  [
    "0310-unreadable-deliveries",
    `
create table unreadable_deliveries (
  agent_id text primary key references agents (id) on delete cascade,
  since timestamptz not null,
  last_at timestamptz not null,
  deliveries bigint not null,
  problem text not null,
  sample text
) with (fillfactor = 50);
`,
  ],
];
