import type { Kysely } from "kysely";
import type { Database } from "../schema/schema.ts";

/** The database or an open transaction on it; repositories take either. */
export type Db = Kysely<Database>;
