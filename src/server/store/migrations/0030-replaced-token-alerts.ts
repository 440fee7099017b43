/** How many alerts came with a webhook token that was replaced, since the last replacement. No token is kept. */
export const replacedTokenAlerts = `
create table replaced_token_alerts (
  agent_id text primary key references agents (id) on delete cascade,
  since timestamptz not null,
  last_at timestamptz,
  alerts bigint not null default 0
);
`;
