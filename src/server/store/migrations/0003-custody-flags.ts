export const custodyFlags = `
create index audit_log_custody_flags on audit_log (object, seq desc) where action = 'custody_flagged';
`;
