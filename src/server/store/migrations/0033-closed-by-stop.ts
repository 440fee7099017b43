/** When an agent was asked to stop, and whether something was closed for it by the time it was off. */
export const closedByStop = `
alter table agents add column stopping_since timestamptz,
  add column closed_by_stop boolean not null default false;
`;
