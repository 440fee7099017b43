import { CompiledQuery } from "kysely";
import type { Db } from "./db.ts";

/** A statement the server prepares once per connection, with its values. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

/** Runs a hot-path statement through a query builder connection. */
export async function runStatement(db: Db, statement: Statement): Promise<void> {
  await db.executeQuery(CompiledQuery.raw(statement.text, statement.values));
}
