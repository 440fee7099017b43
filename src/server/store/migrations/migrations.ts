import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { migrations01 } from "./version-0.1.ts";
import { migrations02 } from "./version-0.2.ts";

/**
 * Every migration by the name it is recorded under, in order; a released one never changes.
 *
 * A new one is appended to the file of the version in `package.json`, with the next number.
 */
export const migrations: Readonly<Record<string, Migration>> = Object.fromEntries(
  [...migrations01, ...migrations02].map(([name, text]) => [
    name,
    {
      async up(db) {
        await sql.raw(text).execute(db);
      },
    } satisfies Migration,
  ]),
);
