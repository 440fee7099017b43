/**
 * The practice chain's ledger.
 *
 * `version` counts commits; a row carries the version that last wrote it, so that every process reads what changed
 * since its own. Closed accounts stay as rows without lamports for the same reason.
 */
export const practiceTables = `
create table practice_head (
  id boolean primary key default true check (id),
  version bigint not null,
  genesis_at_ms bigint not null
);

create table practice_accounts (
  address text primary key,
  lamports bigint not null check (lamports >= 0),
  owner text not null,
  data bytea not null,
  executable boolean not null,
  version bigint not null
);
create index practice_accounts_version on practice_accounts (version);

create table practice_transactions (
  signature text primary key,
  slot bigint not null,
  block_time bigint,
  error jsonb,
  logs jsonb not null,
  fee_lamports bigint not null,
  lamport_deltas jsonb not null,
  token_deltas jsonb not null,
  version bigint not null
);
create index practice_transactions_version on practice_transactions (version);
create index practice_transactions_slot on practice_transactions (slot);

create table practice_touched (
  address text not null,
  seq bigint generated always as identity,
  signature text not null,
  primary key (address, seq)
);
`;
