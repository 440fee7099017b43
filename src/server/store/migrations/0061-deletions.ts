/** Finds a wallet's deleted agents, which keep their part in its portfolio. */
export const deletions = `
create index audit_log_deletions on audit_log (wallet, seq) where action = 'agent_deleted';
`;
