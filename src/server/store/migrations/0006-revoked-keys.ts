/** Trading keys their operator withdrew: nothing is signed with them although the chain may still allow it. */
export const revokedKeys = `
alter table multisigs add column key_revoked_at timestamptz;
`;
