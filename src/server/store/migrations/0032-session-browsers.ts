/** What a session's browser named itself at sign-in, so that its owner knows it again. */
export const sessionBrowsers = `
alter table sessions add column browser text not null default 'Unknown browser';
`;
