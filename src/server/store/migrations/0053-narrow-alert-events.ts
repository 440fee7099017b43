/**
 * Alert events in a third of their space.
 *
 * Ids take 16 bytes. The id of a counted or ignored alert is derived from its agent and deduplication key, so that the
 * primary key recognises a repeat and the key needs no column and no index of its own. The effects on the rules are
 * packed; `alert_effects` unpacks them. A condition's firing is the one with compared figures. Nothing refers to the
 * lane by a foreign key, because a writer holds it locked; removing the lane removes its events.
 */
export const narrowAlertEvents = `
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
`;
