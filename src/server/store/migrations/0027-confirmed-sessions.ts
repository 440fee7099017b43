/** When a session's wallet last signed for a change that a bearer token alone may not make. */
export const confirmedSessions = `
alter table sessions add column confirmed_at timestamptz;
`;
