/** What an owner allows an agent; a limit that is not there is not set. */
export const ownerLimits = `
alter table agents add column owner_limits jsonb not null default '{}';
`;
