import type { Custody } from "../custody/custody.ts";
import type { Networks } from "../networks.ts";
import type { Db } from "../store/postgres/db.ts";
import type { Handlers } from "../http/handler.ts";
import { txHandlers } from "./tx.ts";

/** Answers every call of custody: its summary and the transactions an owner signs. */
export function custodyHandlers(deps: {
  readonly db: Db;
  readonly networks: Networks;
  readonly custody: Custody;
}): Pick<Handlers, "getCustody" | "getCustodyAccess" | "getDeletion"> &
  ReturnType<typeof txHandlers> {
  return {
    ...txHandlers(deps),
    getCustodyAccess: ({ params }) => deps.custody.summariseAccess(params.agentId),
    getDeletion: ({ params }) => deps.custody.summariseDeletion(params.agentId),
    getCustody: ({ params }) => deps.custody.summarise(params.agentId),
  };
}
