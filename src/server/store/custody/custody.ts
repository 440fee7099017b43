import { type Selectable, sql } from "kysely";
import { type AgentId, type OwnerAddress, parseAgentId, parseOwner } from "../../../domain/ids.ts";
import type { Network } from "../../../domain/network.ts";
import type { VenueId } from "../../../domain/venue-id.ts";
import type { Db } from "../postgres/db.ts";
import type { CustodyTransactionTable } from "../schema/custody-tables.ts";

export type CustodyState = CustodyTransactionTable["state"];

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

type Row = Selectable<CustodyTransactionTable>;

const toRow = (row: Row & { readonly network: Network }): CustodyRow => ({
  id: row.id,
  agentId: parseAgentId(row.agent_id),
  network: row.network,
  owner: parseOwner(row.owner),
  intent: row.intent,
  step: row.step,
  stepCount: row.step_count,
  label: row.label,
  state: row.state,
  reason: row.reason,
  amount: row.amount === null ? null : BigInt(row.amount),
  message: row.message,
  transaction: row.transaction,
  signature: row.signature,
  expects: row.expects,
  costs: row.costs,
  lastValidBlockHeight: BigInt(row.last_valid_block_height),
  blockhashSlot: row.blockhash_slot === null ? null : BigInt(row.blockhash_slot),
  preparedAt: row.prepared_at,
  sentAt: row.sent_at,
  settledAt: row.settled_at,
});

const selectRows = (db: Db) =>
  db
    .selectFrom("custody_transactions")
    .innerJoin("agents", "agents.id", "custody_transactions.agent_id")
    .selectAll("custody_transactions")
    .select("agents.network");

/** Locks one agent's custody until the transaction ends, so that its writers run one after another. */
export async function lockCustody(db: Db, agentId: AgentId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`custody:${agentId}`}, 0))`.execute(db);
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
  return db.transaction().execute(async (tx) => {
    await lockCustody(tx, prepared.agentId);
    const sent = await tx
      .selectFrom("custody_transactions")
      .select("id")
      .where("agent_id", "=", prepared.agentId)
      .where("state", "=", "sent")
      .executeTakeFirst();
    if (sent !== undefined) return "open";
    const agent = await tx
      .selectFrom("agents")
      .select("venue")
      .where("id", "=", prepared.agentId)
      .forShare()
      .executeTakeFirst();
    if (agent?.venue !== venue) return "moved";
    await abandonPrepared(tx, prepared.agentId);
    await tx
      .insertInto("custody_transactions")
      .values({
        id: prepared.id,
        agent_id: prepared.agentId,
        owner: prepared.owner,
        intent: prepared.intent,
        step: prepared.step,
        step_count: prepared.stepCount,
        label: prepared.label,
        state: "prepared",
        amount: prepared.amount?.toString() ?? null,
        message: prepared.message,
        expects: JSON.stringify(prepared.expects),
        costs: JSON.stringify(prepared.costs),
        last_valid_block_height: prepared.lastValidBlockHeight.toString(),
        blockhash_slot: prepared.blockhashSlot?.toString() ?? null,
        prepared_at: prepared.preparedAt,
      })
      .execute();
    return "inserted";
  });
}

async function abandonPrepared(db: Db, agentId: AgentId): Promise<void> {
  await db
    .updateTable("custody_transactions")
    .set({ state: "abandoned" })
    .where("agent_id", "=", agentId)
    .where("state", "=", "prepared")
    .execute();
}

/** Takes the agent's unsigned transactions for replaced ones, also expired ones: their content is not renewed. */
export async function abandonUnsigned(db: Db, agentId: AgentId): Promise<void> {
  await db
    .updateTable("custody_transactions")
    .set({ state: "abandoned" })
    .where("agent_id", "=", agentId)
    .where("state", "in", ["prepared", "expired"])
    .where("sent_at", "is", null)
    .execute();
}

export async function findCustodyRow(db: Db, id: string): Promise<CustodyRow | null> {
  const row = await selectRows(db).where("custody_transactions.id", "=", id).executeTakeFirst();
  return row === undefined ? null : toRow(row);
}

/**
 * Returns the landed transaction that used what only one of those prepared for the same place can use, the row's own
 * included; null when none has.
 */
export async function findLanded(db: Db, row: CustodyRow): Promise<CustodyRow | null> {
  const landed = await selectRows(db)
    .where("agent_id", "=", row.agentId)
    .where("state", "=", "confirmed")
    .where((where) =>
      where.or([
        where("custody_transactions.id", "=", row.id),
        sql<boolean>`expects->>'vaultTransaction' = ${row.expects}::jsonb->>'vaultTransaction'`,
      ]),
    )
    .executeTakeFirst();
  return landed === undefined ? null : toRow(landed);
}

/** Returns the agent's transaction that waits for the wallet or the chain. */
export async function findOpenCustodyRow(db: Db, agentId: AgentId): Promise<CustodyRow | null> {
  const row = await selectRows(db)
    .where("agent_id", "=", agentId)
    .where("state", "in", ["prepared", "sent"])
    .executeTakeFirst();
  return row === undefined ? null : toRow(row);
}

/**
 * Returns the number of transactions the owner has signed in an unfinished sequence of an intent; the next one is the
 * following step. 0 when the newest landed transaction had another intent or finished its sequence.
 */
export async function countSteps(db: Db, agentId: AgentId, intent: string): Promise<number> {
  const newest = await db
    .selectFrom("custody_transactions")
    .select(["intent", "step", "step_count"])
    .where("agent_id", "=", agentId)
    .where("state", "=", "confirmed")
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  if (newest === undefined || newest.intent !== intent) return 0;
  return newest.step < newest.step_count ? newest.step : 0;
}

/** Returns what the agent's newest landed transaction was expected to do; null without one. */
export async function findNewestExpectation(db: Db, agentId: AgentId): Promise<unknown> {
  const newest = await db
    .selectFrom("custody_transactions")
    .select("expects")
    .where("agent_id", "=", agentId)
    .where("state", "=", "confirmed")
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  return newest?.expects ?? null;
}

/**
 * Returns every transaction the chain may still execute, of one agent when given: sent ones first, then those waiting
 * for the wallet, then replaced ones.
 */
export async function listUnsettled(db: Db, agentId?: AgentId): Promise<readonly CustodyRow[]> {
  let query = selectRows(db)
    .where("settled_at", "is", null)
    .orderBy(sql`array_position(array['sent', 'prepared', 'abandoned'], state)`)
    .orderBy("seq", "desc")
    .limit(500);
  if (agentId !== undefined) query = query.where("agent_id", "=", agentId);
  return (await query.execute()).map(toRow);
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
    const other = await tx
      .selectFrom("custody_transactions")
      .select("id")
      .where("agent_id", "=", row.agentId)
      .where("state", "=", "sent")
      .where("id", "<>", row.id)
      .executeTakeFirst();
    if (other !== undefined) return null;
    // A replaced transaction that was signed nevertheless becomes the current one again
    const mine = await tx
      .selectFrom("custody_transactions")
      .selectAll()
      .where("id", "=", row.id)
      .executeTakeFirstOrThrow();
    if (mine.settled_at !== null || (mine.state !== "prepared" && mine.state !== "abandoned")) {
      return toRow({ ...mine, network: row.network });
    }
    await abandonPrepared(tx, row.agentId);
    const updated = await tx
      .updateTable("custody_transactions")
      .set({
        state: "sent",
        signature: sent.signature,
        transaction: sent.transaction,
        sent_at: sent.at,
      })
      .where("id", "=", row.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return toRow({ ...updated, network: row.network });
  });
}

/** Returns those of the signatures that are recorded for one of the agent's transactions. */
export async function listRecordedSignatures(
  db: Db,
  agentId: AgentId,
  signatures: readonly string[],
): Promise<ReadonlySet<string | null>> {
  const rows = await db
    .selectFrom("custody_transactions")
    .select("signature")
    .where("agent_id", "=", agentId)
    .where("signature", "in", signatures)
    .execute();
  return new Set(rows.map(({ signature }) => signature));
}

/** Removes a reported signature that belongs to another transaction; the search continues without it. */
export async function dropSignature(db: Db, row: CustodyRow): Promise<void> {
  await db
    .updateTable("custody_transactions")
    .set({ signature: null, reason: "The reported signature belongs to another transaction." })
    .where("id", "=", row.id)
    .where("signature", "=", row.signature)
    .where("settled_at", "is", null)
    .execute();
}
