/** What has to hold on a closed bar for an alert to fire by itself; null means it comes from outside only. */
export const alertConditions = `
alter table alerts add column condition jsonb;
create index alerts_with_condition on alerts (agent_id) where condition is not null;
`;
