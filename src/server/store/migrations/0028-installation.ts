/** One row: the latest time the database's clock showed, and which database on which disk this is. */
export const installation = `
create table installation (
  is_only boolean primary key default true check (is_only),
  latest_at timestamptz not null,
  identity jsonb
);
insert into installation (latest_at) values ('epoch');
`;
