/**
 * Who writes these holds the agent's lane locked. Checked against the lane they take no lock of their own; checked
 * against the agent every row locked that one too, which is half of what an alert's row cost.
 */
export const checkedByLane = `
alter table alert_events drop constraint alert_events_agent_id_fkey,
  add foreign key (agent_id) references lanes (agent_id) on delete cascade;
alter table orders drop constraint orders_agent_id_fkey,
  add foreign key (agent_id) references lanes (agent_id) on delete cascade;
alter table trade_log drop constraint trade_log_agent_id_fkey,
  add foreign key (agent_id) references lanes (agent_id) on delete cascade;
`;
