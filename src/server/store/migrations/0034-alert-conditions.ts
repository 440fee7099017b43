/** Adds the condition on which an alert fires at bar close; null for an alert that only arrives from outside. */
export const alertConditions = `
alter table alerts add column condition jsonb;
create index alerts_with_condition on alerts (agent_id) where condition is not null;
`;
