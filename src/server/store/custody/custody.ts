import { type RawBuilder, sql } from "kysely";
import { type AgentId, type OwnerAddress, parseAgentId, parseOwner } from "../../../domain/ids.ts";
import type { Network } from "../../../domain/network.ts";
import type { VenueId } from "../../../domain/venue-id.ts";
import type { Db, Unparsed } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";

export type CustodyState = "prepared" | "sent" | "confirmed" | "failed" | "expired" | "abandoned";

/** One transaction an owner was asked to sign. The caller defines the JSON columns; bigint columns arrive as text. */
export interface CustodyRow {
  readonly id: string;
  readonly agentId: AgentId;
  readonly network: Network;
  readonly owner: OwnerAddress;
  readonly intent: string;
  readonly step: number;
  readonly stepCount: number;
  readonly label: string;
  readonly state: CustodyState;
  readonly reason: string | null;
  readonly amount: bigint | null;
  readonly message: Uint8Array;
  readonly transaction: Uint8Array | null;
  readonly signature: string | null;
  readonly expects: unknown;
  readonly costs: unknown;
  readonly lastValidBlockHeight: bigint;
  /** Slot at which the blockhash was read; null in records without it. */
  readonly blockhashSlot: bigint | null;
  readonly preparedAt: Date;
  readonly sentAt: Date | null;
  /** Null while the chain may still execute it, in any state. */
  readonly settledAt: Date | null;
}

export type NewCustodyRow = Omit<
  CustodyRow,
  "network" | "state" | "reason" | "transaction" | "signature" | "sentAt" | "settledAt"
>;

/** A row with its id columns and amounts as the database returns them. */
type Row = Unparsed<Omit<CustodyRow, "amount" | "lastValidBlockHeight" | "blockhashSlot">> & {
  readonly amount: string | null;
  readonly lastValidBlockHeight: string;
  readonly blockhashSlot: string | null;
};

const COLUMNS = sql`
  custody.id, custody.agent_id as "agentId", agents.network, custody.owner, intent, step, step_count as "stepCount",
  label, state, reason, amount, message, transaction, signature, expects, costs,
  last_valid_block_height as "lastValidBlockHeight", blockhash_slot as "blockhashSlot",
  prepared_at as "preparedAt", sent_at as "sentAt", settled_at as "settledAt"`;

const toRow = (row: Row): CustodyRow => ({
  ...row,
  agentId: parseAgentId(row.agentId),
  owner: parseOwner(row.owner),
  amount: row.amount === null ? null : BigInt(row.amount),
  lastValidBlockHeight: BigInt(row.lastValidBlockHeight),
  blockhashSlot: row.blockhashSlot === null ? null : BigInt(row.blockhashSlot),
});

/** Returns the transactions a condition and an order name. */
async function readRows(db: Db, condition: RawBuilder<unknown>): Promise<CustodyRow[]> {
  const rows = await on(db).rows<Row>`
    select ${COLUMNS} from custody_transactions as custody join agents on agents.id = custody.agent_id
    where ${condition}`;
  return rows.map(toRow);
}

/** Locks one agent's custody until the transaction ends, so that its writers run one after another. */
export async function lockCustody(db: Db, agentId: AgentId): Promise<void> {
  await on(db).lock(`custody:${agentId}`);
}

/**
 * Stores a prepared transaction in place of an earlier unsigned one. Returns `open`, with nothing changed, while one of
 * the agent's transactions is in flight, and `moved` where the agent is no longer on the venue it was prepared for.
 */
export async function insertPrepared(
  db: Db,
  prepared: NewCustodyRow,
  venue: VenueId,
): Promise<"inserted" | "open" | "moved"> {
  const { id, agentId, owner, intent, step, stepCount, label, amount, message } = prepared;
  return db.transaction().execute(async (tx) => {
    await lockCustody(tx, agentId);
    if (await hasSentTransaction(tx, agentId)) return "open";
    const agent = await on(tx).row<{ venue: string }>`
      select venue from agents where id = ${agentId} for share`;
    if (agent?.venue !== venue) return "moved";
    await abandonPrepared(tx, agentId);
    await on(tx).change`
      insert into custody_transactions (id, agent_id, owner, intent, step, step_count, label, state, amount, message,
        expects, costs, last_valid_block_height, blockhash_slot, prepared_at)
      values (${id}, ${agentId}, ${owner}, ${intent}, ${step}, ${stepCount}, ${label}, 'prepared', ${amount}, ${message},
        ${JSON.stringify(prepared.expects)}, ${JSON.stringify(prepared.costs)}, ${prepared.lastValidBlockHeight},
        ${prepared.blockhashSlot}, ${prepared.preparedAt})`;
    return "inserted";
  });
}

async function abandonPrepared(db: Db, agentId: AgentId): Promise<void> {
  await on(db).change`
    update custody_transactions set state = 'abandoned' where agent_id = ${agentId} and state = 'prepared'`;
}

/** Takes the agent's unsigned transactions for replaced ones, also expired ones: their content is not renewed. */
export async function abandonUnsigned(db: Db, agentId: AgentId): Promise<void> {
  await on(db).change`
    update custody_transactions set state = 'abandoned'
    where agent_id = ${agentId} and state in ('prepared', 'expired') and sent_at is null`;
}

export async function findCustodyRow(db: Db, id: string): Promise<CustodyRow | null> {
  return (await readRows(db, sql`custody.id = ${id}`))[0] ?? null;
}

/**
 * Returns the landed transaction that used what only one of those prepared for the same place can use, the row's own
 * included; null when none has.
 */
export async function findLanded(db: Db, row: CustodyRow): Promise<CustodyRow | null> {
  const [landed] = await readRows(
    db,
    sql`custody.agent_id = ${row.agentId} and state = 'confirmed' and (custody.id = ${row.id}
      or expects->>'vaultTransaction' = ${row.expects}::jsonb->>'vaultTransaction')`,
  );
  return landed ?? null;
}

/** Returns the agent's transaction that waits for the wallet or the chain. */
export async function findOpenCustodyRow(db: Db, agentId: AgentId): Promise<CustodyRow | null> {
  const open = sql`custody.agent_id = ${agentId} and state in ('prepared', 'sent')`;
  return (await readRows(db, open))[0] ?? null;
}

/** Returns whether the owner signed a transaction for this agent that has not settled yet. */
export async function hasSentTransaction(db: Db, agentId: AgentId): Promise<boolean> {
  return on(db).has`
    select from custody_transactions where agent_id = ${agentId} and state = 'sent'`;
}

/** Returns whether a deposit was prepared for this agent and may still land. */
export async function hasOpenDeposit(db: Db, agentId: AgentId): Promise<boolean> {
  return on(db).has`
    select from custody_transactions
    where agent_id = ${agentId} and intent = 'deposit' and settled_at is null`;
}

/** Returns whether the chain may still execute a transaction prepared for this agent. */
export async function hasUnsettledTransaction(db: Db, agentId: AgentId): Promise<boolean> {
  return on(db).has`
    select from custody_transactions where agent_id = ${agentId} and settled_at is null limit 1`;
}

const newestLanded = (agentId: AgentId) => sql`
  from custody_transactions where agent_id = ${agentId} and state = 'confirmed' order by seq desc limit 1`;

/**
 * Returns the number of transactions the owner has signed in an unfinished sequence of an intent; the next one is the
 * following step. 0 when the newest landed transaction had another intent or finished its sequence.
 */
export async function countSteps(db: Db, agentId: AgentId, intent: string): Promise<number> {
  const newest = await on(db).row<{ intent: string; step: number; stepCount: number }>`
    select intent, step, step_count as "stepCount" ${newestLanded(agentId)}`;
  if (newest === null || newest.intent !== intent) return 0;
  return newest.step < newest.stepCount ? newest.step : 0;
}

/** Returns what the agent's newest landed transaction was expected to do; null without one. */
export async function findNewestExpectation(db: Db, agentId: AgentId): Promise<unknown> {
  const newest = await on(db).row<{ expects: unknown }>`select expects ${newestLanded(agentId)}`;
  return newest?.expects ?? null;
}

/**
 * Returns every transaction the chain may still execute, of one agent when given: sent ones first, then those waiting
 * for the wallet, then replaced ones.
 */
export async function listUnsettled(db: Db, agentId?: AgentId): Promise<readonly CustodyRow[]> {
  return readRows(
    db,
    sql`settled_at is null ${agentId === undefined ? sql`` : sql`and custody.agent_id = ${agentId}`}
      order by array_position(array['sent', 'prepared', 'abandoned'], state), seq desc limit 500`,
  );
}

/**
 * Records that a transaction is in flight, with the bytes when known. Returns the updated row, or null when another
 * transaction of the agent is already in flight.
 */
export async function recordSent(
  db: Db,
  row: CustodyRow,
  sent: { readonly signature: string; readonly transaction: Uint8Array | null; readonly at: Date },
): Promise<CustodyRow | null> {
  return db.transaction().execute(async (tx) => {
    await lockCustody(tx, row.agentId);
    const isOtherSent = await on(tx).has`
      select from custody_transactions where agent_id = ${row.agentId} and state = 'sent' and id <> ${row.id}`;
    if (isOtherSent) return null;
    // A replaced transaction that was signed nevertheless becomes the current one again
    const mine = await findCustodyRow(tx, row.id);
    if (mine === null) throw new Error("The transaction is gone");
    if (mine.settledAt !== null || (mine.state !== "prepared" && mine.state !== "abandoned")) {
      return mine;
    }
    await abandonPrepared(tx, row.agentId);
    await on(tx).change`
      update custody_transactions set state = 'sent', signature = ${sent.signature},
        transaction = ${sent.transaction}, sent_at = ${sent.at}
      where id = ${row.id}`;
    return findCustodyRow(tx, row.id);
  });
}

/** Returns those of the signatures that are recorded for one of the agent's transactions. */
export async function listRecordedSignatures(
  db: Db,
  agentId: AgentId,
  signatures: readonly string[],
): Promise<ReadonlySet<string | null>> {
  const rows = await on(db).rows<{ signature: string }>`
    select signature from custody_transactions
    where agent_id = ${agentId} and signature = any(${signatures})`;
  return new Set(rows.map(({ signature }) => signature));
}

/** Returns the lamports that the agent's confirmed recoveries returned to its owner's wallet. */
export async function sumRecoveredLamports(db: Db, agentId: AgentId): Promise<bigint> {
  const { sum } = await on(db).only<{ sum: string }>`
    select coalesce(sum((costs->>'recoveredLamports')::numeric), 0)::text as sum
    from custody_transactions where agent_id = ${agentId} and intent = 'delete' and state = 'confirmed'`;
  return BigInt(sum);
}
