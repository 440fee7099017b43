/**
 * Lanes of a restored database: since when, and the block height after which nothing signed before can land; null until
 * it was read. Cleared once the chain was read beyond it.
 */
export const restoredLanes = `
alter table lanes add column restored_at timestamptz, add column restored_height bigint;
`;
