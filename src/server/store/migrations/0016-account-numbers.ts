/** Number of the exchange account an agent's custody is for: the exchange uses none twice, so it grows with every deletion. */
export const accountNumbers = `
alter table multisigs add column sub_account_id integer not null default 0;

update multisigs set sub_account_id = agents.sub_account_id
from agents
where agents.id = multisigs.agent_id and agents.sub_account_id is not null;
`;
