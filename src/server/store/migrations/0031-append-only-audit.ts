/**
 * Makes the audit log append-only. Uses of the faucet, which are deleted after a time, get a table of their own.
 *
 * The trigger applies to every role, but the table's owner could remove it, so the application runs as another role.
 */
export const appendOnlyAudit = `
create table faucet_uses (
  seq bigint generated always as identity primary key,
  wallet text not null,
  at timestamptz not null
);
create index faucet_uses_wallet on faucet_uses (wallet, at);
create index faucet_uses_at on faucet_uses (at);
insert into faucet_uses (wallet, at)
  select wallet, at from audit_log where action = 'faucet_used' and wallet is not null order by seq;
drop index audit_faucet;
delete from audit_log where action = 'faucet_used';
create index audit_log_object on audit_log (object, seq desc);

create function keep_audit_log() returns trigger language plpgsql as $$
begin
  raise exception 'audit_log is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_log_is_append_only before update or delete or truncate on audit_log
  for each statement execute function keep_audit_log();
`;
