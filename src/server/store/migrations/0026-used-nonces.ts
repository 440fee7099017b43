/** Nonces prove themselves by their seal; only used ones are kept, until they are over. */
export const usedNonces = `
drop table sign_in_nonces;

create table used_nonces (
  nonce text primary key,
  expires_at timestamptz not null
);
create index used_nonces_expiry on used_nonces (expires_at);
`;
