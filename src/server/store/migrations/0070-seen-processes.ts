/** When each trading process last said that it is there; `at` stays the time of its figures. */
export const seenProcesses = `
alter table process_figures add column seen_at timestamptz not null default clock_timestamp();
`;
