/** Adds the effects of alerts on rules, the rule of each trade log entry, and the facts of every order's decision. */
export const decisions = `
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
`;
