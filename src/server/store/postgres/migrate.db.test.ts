import { type Kysely, sql } from "kysely";
import { afterEach, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/database.ts";
import { openDatabaseHost } from "../../main/open-database-host.ts";
import { migrateDatabase, NewerDatabaseError } from "./migrate.ts";
import { isDatabaseUnavailable } from "./unavailable.ts";
import { migrations } from "../migrations/migrations.ts";
import { migrations01 } from "../migrations/version-0.1.ts";
import { migrations02 } from "../migrations/version-0.2.ts";

let database: TestDatabase | undefined;

afterEach(() => database?.drop());

it("lists every migration once, in numerical order", () => {
  const names = [...migrations01, ...migrations02].map(([name]) => name);
  expect(names).toEqual([...new Set(names)].toSorted());
});

describe("migrateDatabase", () => {
  it("changes nothing in a database of this version, even from several servers at once", async () => {
    database = await createTestDatabase();
    const { url } = database;
    const runs = await Promise.all([1, 2, 3].map(() => migrateDatabase(url)));
    expect(runs).toEqual([[], [], []]);
  });

  it("leaves nothing behind when a migration fails", async () => {
    database = await createTestDatabase();
    const broken = {
      ...migrations,
      "9999-broken": {
        async up() {
          throw new Error("out of ideas");
        },
      },
    };
    await expect(migrateDatabase(database.url, broken)).rejects.toThrow("out of ideas");
    expect(await migrateDatabase(database.url)).toEqual([]);
  });

  it("ends with an error when its connection is lost", async () => {
    database = await createTestDatabase();
    const lost = {
      ...migrations,
      "9999-lost": {
        up: (db: Kysely<unknown>) =>
          sql`select pg_terminate_backend(pg_backend_pid())`.execute(db).then(() => {}),
      },
    };
    const error: unknown = await migrateDatabase(database.url, lost).catch((each: unknown) => each);
    expect(isDatabaseUnavailable(error), String(error)).toBe(true);
    expect(await migrateDatabase(database.url)).toEqual([]);
  });

  it("refuses a database that is newer than the program", async () => {
    database = await createTestDatabase();
    await migrateDatabase(database.url, { ...migrations, "9999-newer": { async up() {} } });
    await expect(migrateDatabase(database.url)).rejects.toThrow(
      "The database is newer than this version, it has 9999-newer: start the newer version, or restore a backup from before the upgrade (docs/upgrading.md).",
    );
    await expect(
      openDatabaseHost({ databaseUrl: database.url, databaseOwnerUrl: undefined, dataDir: "" }),
    ).rejects.toThrow(NewerDatabaseError);
  });
});
