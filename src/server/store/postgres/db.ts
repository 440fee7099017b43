import type { Kysely } from "kysely";

/** Tables that a query builder knows: none here, where every statement is a template; tests add theirs. */
export interface Database {}

/** The database or an open transaction on it; repositories take either. */
export type Db = Kysely<Database>;
