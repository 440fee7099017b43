import type { Pool, PoolClient } from "pg";

/**
 * Runs work on a connection of its own.
 *
 * One that failed is closed: a transaction or answers may still be under way on it, and closing ends them.
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
