import type { AgentId, ChatId, EventId, OrderId, OwnerAddress } from "../../../domain/ids.ts";

type Id = AgentId | ChatId | EventId | OrderId | OwnerAddress;

/** A row as the database returns it: its ids are text until they are parsed. */
export type Unparsed<Row> = {
  readonly [Field in keyof Row]: Row[Field] extends Id
    ? string
    : Row[Field] extends Id | null
      ? string | null
      : Row[Field];
};
