/** Personal tokens that only read, known by their digest alone. */
export const readTokens = `
create table read_tokens (
  id text primary key,
  wallet text not null,
  name text not null,
  token_hash text not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index read_tokens_wallet on read_tokens (wallet, created_at desc);
create index read_tokens_expires on read_tokens (expires_at);
`;
