/**
 * What an agent's account shows beyond its own trades and deposits, as its nodes last said: a difference that was
 * confirmed is expected from then on, any other is doubted.
 */
export const accountDifferences = `
alter table lanes add column account_difference jsonb;
`;
