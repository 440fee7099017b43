/** Adds the browser's name at sign-in, by which an owner recognises a session. */
export const sessionBrowsers = `
alter table sessions add column browser text not null default 'Unknown browser';
`;
