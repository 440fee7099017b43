/**
 * Codes that confirm the address of a channel. The code itself is not stored: the server computes it from its secret,
 * the channel and `seq`. Rows outlive their channel, so that removing it does not reset the limits on sending.
 */
export const noticeCodes = `
alter table notice_channels add column confirmed_at timestamptz;
update notice_channels set confirmed_at = created_at;

create table notice_codes (
  seq bigint generated always as identity primary key,
  channel_id text not null,
  owner text not null,
  address_key bytea not null,
  at timestamptz not null,
  tries smallint not null default 0
);
create index notice_codes_channel on notice_codes (channel_id, seq desc);
create index notice_codes_owner on notice_codes (owner, at);
create index notice_codes_address on notice_codes (address_key, at);
create index notice_codes_at on notice_codes (at);
`;
