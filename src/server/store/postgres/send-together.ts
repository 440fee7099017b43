import type { PoolClient, QueryResult } from "pg";
import type { Statement } from "./statement.ts";

/**
 * Sends statements in one write and answers with their results in order.
 *
 * Rejects with the error of the first that failed; inside a transaction those behind it then failed as well.
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
