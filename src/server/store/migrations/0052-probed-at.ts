/** When a server last tried whether this database can be written to. */
export const probedAt = `
alter table installation add column probed_at timestamptz;
`;
