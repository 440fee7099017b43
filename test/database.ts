import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { inject } from "vitest";
import { openDatabase, type OpenDatabase } from "../src/server/store/postgres/pool.ts";

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
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await administer(`create database ${name} template ${inject("templateName")}`);
  const url = databaseUrl(inject("databaseUrl"), name);
  const opened = openDatabase({ url, maxConnections: 8 });
  return {
    ...opened,
    url,
    async drop() {
      await opened.close();
      await administer(`drop database ${name} with (force)`);
    },
  };
}

/** Returns the address of another database on the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  return serverUrl.replace(/^([a-z]+:\/\/[^/]*)\/[^?]*/, `$1/${name}`);
}

async function administer(statement: string): Promise<void> {
  const client = new Client({ connectionString: inject("databaseUrl") });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
