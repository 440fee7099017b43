/** Adds the limits an owner sets for an agent; an absent limit is not set. */
export const ownerLimits = `
alter table agents add column owner_limits jsonb not null default '{}';
`;
