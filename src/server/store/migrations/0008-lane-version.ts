/**
 * Adds a version to each lane that changes with everything alerts are judged by: the agent's settings, its alerts, its
 * rules and their counters. State cached at a version is valid while the version is unchanged.
 *
 * Triggers raise it, so that a change made by hand counts too. Deleting a rule deletes its conditions; the rule's own
 * trigger then raises the version.
 */
export const laneVersion = `
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
`;
