import { randomUUID } from "node:crypto";
import type {} from "./tables.ts";
import { afterAll, afterEach, beforeAll, beforeEach, inject } from "vitest";
import { administer, databaseUrl, processUrls } from "./database-server.ts";
import type { ProcessName } from "../src/server/store/postgres/process-roles.ts";
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
  /** The same database as a process of the product reaches it, with its rights alone. */
  as(name: ProcessName): OpenDatabase & { readonly url: string };
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
  return openTestDatabase(url, settings, () =>
    administer(inject("databaseUrl"), `drop database ${name} with (force)`),
  );
}

/** Opens a migrated database for its owner and, when asked, for the product's processes. */
export function openTestDatabase(
  url: string,
  settings: Pick<DatabaseOptions, "maxConnections" | "sessionSettings">,
  drop: () => Promise<void>,
): TestDatabase {
  const open = (of: string) => ({
    ...openDatabase({ maxConnections: 8, ...settings, url: of }),
    url: of,
  });
  const opened = open(url);
  const processes = new Map<ProcessName, ReturnType<typeof open>>();
  return {
    ...opened,
    as(name) {
      const kept = processes.get(name) ?? open(processUrls(url)[name]);
      processes.set(name, kept);
      return kept;
    },
    async drop() {
      for (const each of [opened, ...processes.values()]) await each.close();
      await drop();
    },
  };
}
/** Returns an opened database in which the product's processes have the role that opened it. */
export const withOneRole = (opened: OpenDatabase, url: string): TestDatabase => ({
  ...opened,
  url,
  as: () => ({ ...opened, url }),
  drop: opened.close,
});

/** Opens what tests share before the first of them, or anew before each, and closes it afterwards. */
export function share<T extends object>(
  open: () => Promise<T>,
  close: (opened: T) => Promise<void>,
  { isEach = false } = {},
): T {
  let opened: T | undefined;
  const [before, after] = isEach ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(async () => {
    opened = await open();
  });
  after(async () => {
    if (opened !== undefined) await close(opened);
    opened = undefined;
  });
  // What is opened exists only while the tests run, and has a name before
  return new Proxy({} as T, {
    get(_, key) {
      if (opened === undefined) throw new Error("Used outside of the tests");
      return Reflect.get(opened, key);
    },
  });
}

/** Gives the tests of a file or suite one database, or each of them its own. */
export const useDatabase = (scope: { readonly isEach?: boolean } = {}): TestDatabase =>
  share(
    () => createTestDatabase(),
    (database) => database.drop(),
    scope,
  );
