import type { AgentId } from "../../domain/ids.ts";
import type { Networks } from "../networks.ts";
import type { RandomBytes } from "../crypto/new-id.ts";
import type { Clock } from "../../domain/clock.ts";
import type { StalePublisher } from "../stale-publisher.ts";
import { type CustodyRow, findCustodyRow } from "../store/custody/custody.ts";
import type { Db } from "../store/postgres/db.ts";
import { renewTransaction } from "./renew-transaction.ts";
import { acceptSent, acceptSigned } from "./accept-signed.ts";
import { summariseAccess } from "./access-summary.ts";
import type { PublicKeys } from "./account/public-keys.ts";
import { summariseCustody } from "./custody-summary.ts";
import { closeCustody, summariseDeletion } from "./deletion-summary.ts";
import { createCustodyFollower } from "./follower.ts";
import { prepareTransaction, type PrepareRequest } from "./prepare-transaction.ts";

/** Prepares, accepts and tracks the transactions owners sign. One per process. */
export interface Custody {
  prepare(request: PrepareRequest): ReturnType<typeof prepareTransaction>;
  renew(id: string): ReturnType<typeof renewTransaction>;
  acceptSent(id: string, signature: string): Promise<CustodyRow>;
  acceptSigned(id: string, transaction: Uint8Array): Promise<CustodyRow>;
  /** Returns a transaction, queried on chain first while it is unsettled; null for an unknown id. */
  find(id: string): Promise<CustodyRow | null>;
  summarise(agentId: AgentId): ReturnType<typeof summariseCustody>;
  summariseAccess(agentId: AgentId): ReturnType<typeof summariseAccess>;
  summariseDeletion(agentId: AgentId): ReturnType<typeof summariseDeletion>;
  /**
   * Closes the custody in the records once the chain shows that nothing is left; throws otherwise, naming what remains.
   */
  close(agentId: AgentId): Promise<void>;
  follow(agentId?: AgentId): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

/** Creates the custody service of a process on its database and networks. */
export function createCustody(options: {
  readonly db: Db;
  readonly networks: Networks;
  readonly keys: PublicKeys;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly publisher: StalePublisher;
  /** Called when an owner closed positions, which may complete a stop. */
  readonly onPositionsClosed?: (agentId: AgentId) => void;
  /** Called with errors of background work. */
  readonly onFailure?: (error: unknown) => void;
}): Custody {
  const follower = createCustodyFollower(options);
  const deps = { ...options, follower };
  return {
    prepare: (request) => prepareTransaction(deps, request),
    renew: (id) => renewTransaction(deps, id),
    acceptSent: (id, signature) => acceptSent(deps, id, signature),
    acceptSigned: (id, transaction) => acceptSigned(deps, id, transaction),
    async find(id) {
      const row = await findCustodyRow(options.db, id);
      if (row === null || row.settledAt !== null || row.state === "prepared") return row;
      await follower.follow(row.agentId);
      return findCustodyRow(options.db, id);
    },
    summarise: (agentId) => summariseCustody(deps, agentId),
    summariseAccess: (agentId) => summariseAccess(deps, agentId),
    async summariseDeletion(agentId) {
      await follower.follow(agentId);
      return summariseDeletion(deps, agentId);
    },
    async close(agentId) {
      await follower.follow(agentId);
      await closeCustody(deps, agentId);
    },
    follow: follower.follow,
    start: follower.start,
    stop: follower.stop,
  };
}
