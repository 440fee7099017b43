import type { Kysely } from "kysely";
import type { AgentId, ChatId, EventId, OrderId, OwnerAddress } from "../../../domain/ids.ts";

/** Tables that a query builder knows: none here, where every statement is a template; tests add theirs. */
export interface Database {}

/** The database or an open transaction on it; repositories take either. */
export type Db = Kysely<Database>;

type Id = AgentId | ChatId | EventId | OrderId | OwnerAddress;

/** A row as the database returns it: its ids are text until they are parsed. */
export type Unparsed<Row> = {
  readonly [Field in keyof Row]: Row[Field] extends Id
    ? string
    : Row[Field] extends Id | null
      ? string | null
      : Row[Field];
};
