import type { PoolClient, QueryResult } from "pg";
import type { Statement } from "./statement.ts";

/**
 * Sends statements in one write and returns their results in order.
 *
 * Rejects with the error of the first failed statement; inside a transaction all later ones failed as well.
 */
export function sendTogether(
  client: PoolClient,
  statements: readonly (Statement | string)[],
): Promise<readonly QueryResult[]> {
  const { stream } = client.connection;
  stream.cork();
  const results = Promise.all(
    statements.map((each) => (typeof each === "string" ? client.query(each) : client.query(each))),
  );
  stream.uncork();
  return results;
}
