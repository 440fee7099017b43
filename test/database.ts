import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import { administer, databaseUrl } from "./database-server.ts";
import {
  type DatabaseOptions,
  openDatabase,
  type OpenDatabase,
} from "../src/server/store/postgres/pool.ts";

declare module "vitest" {
  interface ProvidedContext {
    databaseUrl: string;
    templateName: string;
  }
}

export interface TestDatabase extends OpenDatabase {
  readonly url: string;
  /** Closes the pool and removes the database. */
  drop(): Promise<void>;
}

/** Creates a migrated, empty database for one test file or test. */
export async function createTestDatabase(
  settings: Pick<DatabaseOptions, "maxConnections" | "sessionSettings"> = {},
): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  // Copied as files, not through the log: a fifth of the processor time
  await administer(
    inject("databaseUrl"),
    `create database ${name} template ${inject("templateName")} strategy file_copy`,
  );
  const url = databaseUrl(inject("databaseUrl"), name);
  const opened = openDatabase({ maxConnections: 8, ...settings, url });
  return {
    ...opened,
    url,
    async drop() {
      await opened.close();
      await administer(inject("databaseUrl"), `drop database ${name} with (force)`);
    },
  };
}
