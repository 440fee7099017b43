/** The slot an agent's newest order landed in: what is read of its account from before that slot is out of date. */
export const landedSlot = `
alter table lanes add column landed_slot bigint not null default 0;
`;
