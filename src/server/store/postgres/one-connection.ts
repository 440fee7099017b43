import type { Pool, PoolClient } from "pg";

/**
 * Runs work on a dedicated connection.
 *
 * A connection that failed is closed: closing ends any transaction or answer still in progress.
 */
export async function onOneConnection<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    const value = await work(client);
    client.release();
    return value;
  } catch (error) {
    client.release(true);
    throw error;
  }
}
