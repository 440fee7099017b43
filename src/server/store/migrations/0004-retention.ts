/** Indexes that find old rows. Alert events arrive in order, so a block range index adds almost no cost to their insert. */
export const retentionIndexes = `
create index alert_events_received on alert_events using brin (received_at) with (pages_per_range = 16);
create index sign_in_nonces_expiry on sign_in_nonces (expires_at);
create index sessions_expiry on sessions (expires_at);
create index audit_faucet on audit_log (wallet, at) where action = 'faucet_used';
`;
