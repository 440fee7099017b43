import type { AgentId } from "../../domain/ids.ts";
import type { Networks } from "../networks.ts";
import type { RandomBytes } from "../crypto/new-id.ts";
import type { Clock } from "../../domain/clock.ts";
import type { StalePublisher } from "../stale-publisher.ts";
import {
  type CustodyRow,
  findCustodyRow,
  findLanded,
  findOpenCustodyRow,
  listUnsettled,
  sumRecoveredLamports,
} from "../store/custody/custody.ts";
import type { Db } from "../store/postgres/db.ts";
import { acceptSent, acceptSigned } from "./accept-signed.ts";
import { summariseAccess } from "./access-summary.ts";
import type { PublicKeys } from "./account/custody-keys.ts";
import { createCustodyFollower } from "./follower.ts";
import {
  prepareTransaction,
  type PrepareRequest,
  type PrepareDeps,
} from "./prepare-transaction.ts";
import { AppError, isAppError, found } from "../../contract/errors.ts";
import { lookupTablesOf } from "../../solana/decode-transaction.ts";
import { readTables } from "../../solana/programs/address-lookup-table.ts";
import { withBlockhash } from "../../solana/transaction.ts";
import { findCustodyAgent, type CustodyAgent, markClosed } from "../store/custody/multisigs.ts";
import { tryOut } from "./compile-plan.ts";
import {
  findContext,
  sinceNewestFill,
  findHome,
  type CustodyContext,
  readOwner,
} from "./account/custody-context.ts";
import { decodeExpectation } from "./account/expectation.ts";
import { askChain } from "./explain-chain.ts";
import { type Prepared, storePrepared } from "./store-prepared.ts";
import type * as z from "zod/mini";
import type { getCustody, deletion } from "../../contract/custody.ts";
import { formatDecimal, formatFixed } from "../../domain/amount.ts";
import { type Chain, ChainUnavailableError } from "../../solana/chain.ts";
import type { VenueInstance } from "../../venues/venue.ts";
import type { MultisigRecord } from "../store/agents/agents.ts";
import {
  formatSol,
  VAULT_FUNDING_LAMPORTS,
  VAULT_MIN_LAMPORTS,
  LAMPORT_DECIMALS,
  vaultReserve,
} from "./account/custody-limits.ts";
import {
  type CustodyState,
  type Rents,
  readCustody,
  readRents,
  readVenueSetUp,
} from "./account/read-custody.ts";
import { showCustody } from "./show-custody.ts";
import { type SettleDeps, syncSetUp } from "./settle-transaction.ts";
import { finalExpirySeconds } from "../../solana/settle-signature.ts";
import { hasOpenOrders } from "../store/orders/orders.ts";
import { listDeletionSteps, requireDeletable } from "./plans/plan-delete.ts";
import {
  type DeletionFacts,
  isCleared,
  readDeletion,
  keptSentence,
} from "./plans/read-deletion.ts";
import { VENUE_PROFILES } from "../../venues/profiles.ts";

type Deletion = z.infer<typeof deletion>;

const NOTHING: Deletion = {
  state: "cleared",
  refusal: null,
  steps: [],
  recoverableLamports: "0",
  recoveredLamports: "0",
  keptLamports: "0",
  unrecoverableLamports: "0",
  warnings: [],
};

/** Decimals of SOL in texts about a recovery. */
const RECOVERED_PLACES = 6;

/**
 * Returns the state of an agent's deletion on chain: the reason it is refused, the steps left to sign, and the amounts
 * recovered.
 */
async function summariseDeletion(deps: SettleDeps, agentId: AgentId): Promise<Deletion> {
  const known = findContext(deps.networks, found(await findCustodyAgent(deps.db, agentId)));
  if (known === null) return NOTHING;
  const context = await askChain(() => sinceNewestFill(deps.db, known));
  const state = await askChain(() => readCustody(context));
  if (state.multisig === null) return NOTHING;
  const facts = await askChain(() => readDeletion(context, state));
  const { venue } = context;
  const recovered = await sumRecoveredLamports(deps.db, agentId);
  const isDone = isCleared(facts, state, venue.instance.quote.decimals);
  const refusal = await findRefusal(deps, context, facts);
  const steps = await askChain(() => listDeletionSteps(context, facts));
  const rent = facts.isKept ? 0n : facts.custody.heldLamports;
  const reserve = vaultReserve(state.rents.floor);
  const inVault = state.vaultLamports + state.vaultQuoteLamports + rent;
  const recoverable = inVault > reserve ? inVault - reserve : 0n;
  return {
    state: refusal !== null ? "refused" : isDone ? "cleared" : "open",
    refusal,
    steps: [
      ...steps.map(({ label }) => label),
      ...(facts.recovery === null && rent > 0n ? ["Recover the vault's SOL"] : []),
    ],
    recoverableLamports: recoverable.toString(),
    recoveredLamports: recovered.toString(),
    keptLamports: reserve.toString(),
    unrecoverableLamports: (
      state.multisigLamports +
      (facts.custody.unrecoverableLamports ?? state.rents.venueUnrecoverable) +
      (facts.custody.deletableAtMs === "never" ? facts.custody.heldLamports : 0n)
    ).toString(),
    warnings: warningsOf(context, state, facts, recovered),
  };
}

async function findRefusal(
  deps: SettleDeps,
  context: CustodyContext,
  facts: DeletionFacts,
): Promise<string | null> {
  try {
    requireDeletable(context, facts, await hasOpenOrders(deps.db, context.agent.agentId));
    return null;
  } catch (error) {
    if (isAppError(error)) return error.message;
    throw error;
  }
}

function warningsOf(
  { venue }: CustodyContext,
  state: CustodyState,
  facts: DeletionFacts,
  recovered: bigint,
): string[] {
  const { symbol, decimals } = venue.instance.quote;
  return [
    ...(recovered > 0n
      ? [
          `Recovered ${formatFixed(recovered, LAMPORT_DECIMALS, RECOVERED_PLACES)} SOL from multisig vault`,
        ]
      : []),
    ...(facts.isKept ? [keptSentence(VENUE_PROFILES[venue.id], facts.custody)] : []),
    ...(state.vaultQuote > 0n
      ? [`Small dust in the vault: ${formatDecimal(state.vaultQuote, decimals)} ${symbol}`]
      : []),
  ];
}

/**
 * Throws while a wallet may still send a transaction that grants the trading key new rights. Every other prepared
 * transaction either used the multisig's next index, which emptying the vault has consumed, or needs our own signature.
 */
async function requireNothingToCome(
  { db }: SettleDeps,
  { agent: { agentId }, runtime }: CustodyContext,
): Promise<void> {
  const mayGrant = (await listUnsettled(db, agentId)).some(({ intent, expects }) => {
    const { vaultTransaction, needsCoSigner } = decodeExpectation(expects);
    const isGrant = intent === "set-up" || intent === "update-limits";
    return isGrant && vaultTransaction === null && !needsCoSigner;
  });
  if (!mayGrant) return;
  const seconds = finalExpirySeconds(await askChain(() => runtime.chain.slotDurationMs()));
  throw new AppError("transaction_open", {
    message: `A transaction prepared for this agent could still be signed. Please try again in ${seconds} seconds.`,
  });
}

/**
 * Closes an agent's custody in the records once the chain shows that nothing is reachable only through them.
 *
 * Throws an error that names the remaining step; an agent without custody on chain passes.
 */
async function closeCustody(deps: SettleDeps, agentId: AgentId): Promise<void> {
  const known = findContext(deps.networks, await findCustodyAgent(deps.db, agentId));
  if (known === null) return;
  const context = await askChain(() => sinceNewestFill(deps.db, known));
  const state = await askChain(() => readCustody(context));
  if (state.multisig === null) return;
  await requireNothingToCome(deps, context);
  const facts = await askChain(() => readDeletion(context, state));
  requireDeletable(context, facts, await hasOpenOrders(deps.db, agentId));
  if (!isCleared(facts, state, context.venue.instance.quote.decimals)) {
    throw new AppError("funds_remaining", {
      message:
        "The agent still has custody on chain. Please finish recovering its SOL first; nothing is lost.",
    });
  }
  await markClosed(deps.db, agentId);
}

/**
 * Replaces the blockhash of a prepared, unsigned transaction; everything else stays as prepared.
 *
 * The earlier bytes are tracked until they have expired at finality, because a wallet may hold them. The agent's
 * transactions are queried on chain first, and the renewed bytes are simulated. Throws `transaction_landed` where the
 * wallet had sent it, and other `AppError`s for one that was signed, replaced or would fail now; it has to be prepared
 * again.
 */
async function renewTransaction(deps: PrepareDeps, id: string): Promise<Prepared> {
  await deps.follower.follow(found(await findCustodyRow(deps.db, id)).agentId);
  const row = found(await findCustodyRow(deps.db, id));
  refuseLanded(row, await findLanded(deps.db, row));
  requireUnsigned(row);
  const context = found(findContext(deps.networks, await findCustodyAgent(deps.db, row.agentId)));
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

type Summary = z.infer<typeof getCustody.response>;
type Step = Summary["steps"][number];

/** State read from the chain, or null where it could not be read. */
interface Seen {
  readonly state: CustodyState | null;
  readonly hasTradingKey: boolean;
}

/**
 * Summarises an agent's custody: recorded state, set-up steps checked against the chain, and balances where readable.
 */
async function summariseCustody(deps: SettleDeps, agentId: AgentId): Promise<Summary> {
  const agent = found(await findCustodyAgent(deps.db, agentId));
  const { runtime, venue } = findHome(deps.networks, agent);
  const open = await findOpenCustodyRow(deps.db, agentId);
  const seen = await see(deps, agent);
  const rents = seen.state?.rents ?? (await findRents(runtime.chain, venue.instance));
  const owner =
    seen.state === null && agent.multisig === null
      ? await readOwner(runtime.chain, agent.owner, venue.instance.quote.mint)
      : seen.state;
  const { decimals, symbol } = venue.instance.quote;
  // The read above may have attached the custody
  const record = (await findCustodyAgent(deps.db, agentId))?.multisig ?? null;
  const isSigned = record !== null && (record.status !== "planned" || open?.state === "sent");
  return {
    multisig: isSigned ? showCustody(deps.networks, { ...agent, multisig: record }, record) : null,
    steps: steps(record, seen, open),
    vaultLamports: seen.state?.vaultLamports.toString() ?? null,
    ownerLamports: owner?.ownerLamports.toString() ?? null,
    ownerQuote: owner === null ? null : formatDecimal(owner.ownerQuote, decimals),
    quoteSymbol: symbol,
    unrecoverableLamports: unrecoverable(rents, seen.state),
    openTransactionId: open?.id ?? null,
  };
}

async function findRents(chain: Chain, instance: VenueInstance): Promise<Rents | null> {
  try {
    return await readRents(chain, instance);
  } catch (error) {
    if (error instanceof ChainUnavailableError) return null;
    throw error;
  }
}

/** Returns the unrecoverable rent: the balance of an existing multisig, or the current rent of one not yet created. */
function unrecoverable(rents: Rents | null, state: CustodyState | null): string | null {
  if (rents === null) return null;
  const held = state?.multisigLamports ?? 0n;
  return ((held === 0n ? rents.multisig : held) + rents.venueUnrecoverable).toString();
}

async function see(deps: SettleDeps, agent: CustodyAgent): Promise<Seen> {
  const context = findContext(deps.networks, agent);
  const recorded = agent.multisig?.hasTradingKey ?? false;
  if (context === null) return { state: null, hasTradingKey: false };
  try {
    const state = await readCustody(context);
    if (state.multisig === null) return { state, hasTradingKey: false };
    const hasTradingKey = recorded || (await readVenueSetUp(context)).length === 0;
    const isNews = context.record.status === "planned" || hasTradingKey !== recorded;
    if (isNews) await syncSetUp(deps, agent.agentId, agent.owner);
    return { state, hasTradingKey };
  } catch (error) {
    const isUnreadable = error instanceof ChainUnavailableError;
    if (!isUnreadable && !isAppError(error, "multisig_mismatch")) throw error;
    return { state: null, hasTradingKey: recorded };
  }
}

function steps(record: MultisigRecord | null, seen: Seen, open: CustodyRow | null): Step[] {
  const isCreated =
    seen.state === null
      ? record !== null && record.status !== "planned"
      : seen.state.multisig !== null;
  const isFunded =
    seen.hasTradingKey ||
    (isCreated && (seen.state === null || seen.state.vaultLamports >= VAULT_MIN_LAMPORTS));
  const openStep = open?.intent === "set-up" ? open.step : 0;
  const isWhole = openStep === 1 && open?.stepCount === 1;
  const step = (label: string, isDone: boolean, isOpen: boolean): Step => ({
    label,
    state: isDone ? "done" : isOpen ? "open" : "todo",
  });
  return [
    step("Create the custody wallet", isCreated, openStep === 1),
    step(`Fund the vault (${formatSol(VAULT_FUNDING_LAMPORTS)})`, isFunded, openStep === 1),
    step("Delegate trading control", seen.hasTradingKey, isWhole || openStep > 1),
  ];
}
