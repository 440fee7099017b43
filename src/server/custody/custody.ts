import type { AgentId } from "../../domain/ids.ts";
import type { Networks } from "../networks.ts";
import type { RandomBytes } from "../crypto/new-id.ts";
import type { Clock } from "../../domain/clock.ts";
import type { StalePublisher } from "../stale-publisher.ts";
import { type CustodyRow, findCustodyRow, findLanded } from "../store/custody/custody.ts";
import type { Db } from "../store/postgres/db.ts";
import { acceptSent, acceptSigned } from "./accept-signed.ts";
import { summariseAccess } from "./access-summary.ts";
import type { PublicKeys } from "./account/public-keys.ts";
import { summariseCustody } from "./custody-summary.ts";
import { closeCustody, summariseDeletion } from "./deletion-summary.ts";
import { createCustodyFollower } from "./follower.ts";
import {
  prepareTransaction,
  type PrepareRequest,
  type PrepareDeps,
} from "./prepare-transaction.ts";
import { AppError } from "../../contract/errors.ts";
import { lookupTablesOf } from "../../solana/decode-transaction.ts";
import { readTables } from "../../solana/read-tables.ts";
import { withBlockhash } from "../../solana/transaction.ts";
import { findCustodyAgent } from "../store/custody/multisigs.ts";
import { tryOut } from "./compile-plan.ts";
import { findContext } from "./account/custody-context.ts";
import { decodeExpectation } from "./account/expectation.ts";
import { askChain } from "./explain-chain.ts";
import { type Prepared, storePrepared } from "./store-prepared.ts";

/**
 * Replaces the blockhash of a prepared, unsigned transaction; everything else stays as prepared.
 *
 * The earlier bytes are tracked until they have expired at finality, because a wallet may hold them. The agent's
 * transactions are queried on chain first, and the renewed bytes are simulated. Throws `transaction_landed` where the
 * wallet had sent it, and other `AppError`s for one that was signed, replaced or would fail now; it has to be prepared
 * again.
 */
async function renewTransaction(deps: PrepareDeps, id: string): Promise<Prepared> {
  const first = await requireRow(deps, id);
  await deps.follower.follow(first.agentId);
  const row = await requireRow(deps, id);
  refuseLanded(row, await findLanded(deps.db, row));
  requireUnsigned(row);
  const agent = await findCustodyAgent(deps.db, row.agentId);
  const context = agent === null ? null : findContext(deps.networks, agent);
  if (context === null) throw new AppError("not_found");
  const { chain } = context.runtime;
  const lifetime = await askChain(() => chain.latestBlockhash());
  const message = withBlockhash(row.message, lifetime.blockhash);
  await askChain(() => tryOut(context, message));
  const { recoveredLamports, ...costs } = row.costs as Prepared["costs"] & {
    readonly recoveredLamports: string;
  };
  return storePrepared(deps, context, {
    intent: row.intent,
    step: row.step,
    stepCount: row.stepCount,
    label: row.label,
    amount: row.amount,
    message,
    tables: await askChain(() => readTables(chain, lookupTablesOf(message))),
    expects: decodeExpectation(row.expects),
    costs,
    recoveredLamports,
    lifetime,
  });
}

/** Throws for a transaction the wallet sent unreported, also where it sent one that this one had replaced. */
function refuseLanded(row: CustodyRow, landed: CustodyRow | null): void {
  if (landed === null) return;
  if (landed.intent === row.intent && landed.amount === row.amount) {
    throw new AppError("transaction_landed", { fields: { transaction: landed.id } });
  }
  throw new AppError("conflict", {
    message: `In its place another one of this agent has landed: ${landed.label}.`,
  });
}

/** Throws unless the transaction waits for a wallet, or expired while waiting. */
function requireUnsigned({ state, signature, sentAt }: CustodyRow): void {
  const isUnsigned = signature === null && sentAt === null;
  if (isUnsigned && (state === "prepared" || state === "expired")) return;
  throw new AppError("conflict", {
    message: "This transaction was signed or replaced meanwhile. Please prepare it again.",
  });
}

async function requireRow({ db }: PrepareDeps, id: string): Promise<CustodyRow> {
  const row = await findCustodyRow(db, id);
  if (row === null) throw new AppError("not_found");
  return row;
}

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
