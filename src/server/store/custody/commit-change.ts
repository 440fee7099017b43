import type { AgentId } from "../../../domain/ids.ts";
import type { PendingEntry } from "../../../domain/ledger/entry.ts";
import { lockLane } from "../agents/agents.ts";
import { insertAudit } from "../audit/audit.ts";
import { insertPending } from "../ledger/pending-writes.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";
import { insertOwnerEntries, type OwnerEntry } from "../trade-log/owner-entries.ts";
import { type CustodyRow, lockCustody } from "./custody.ts";
import { markTradingKeySet, moveStatus, saveKeyState } from "./multisigs.ts";

/**
 * All that one reading of the chain writes of an agent's custody: it is stored whole or not at all. An absent part changes
 * nothing.
 */
export interface CustodyChange {
  readonly atMs: number;
  readonly transaction?: TransactionStep;
  readonly setUp?: SetUpFacts;
  /** The owner began to delete the agent, or set it up again afterwards. */
  readonly deletion?: "begun" | "taken_back";
  /** The first deposit opens the venue's account and turns trading on with counters at zero. */
  readonly isDeposit?: boolean;
  /** The trading key is revoked: trading turns off, and planned orders are denied when their turn comes. */
  readonly isRevocation?: boolean;
  /** The vault moved money or acted at the venue. */
  readonly usesVault?: boolean;
  /** Entries of the owner's landed transaction that the book does not have yet. */
  readonly pending?: readonly PendingEntry[];
  /** Trades and transfers of the owner's wallet for the trade log. */
  readonly ownerEntries?: readonly OwnerEntry[];
  /** What the owner's pages have to read again, besides the trade log. */
  readonly stale: readonly ("custody" | "agent" | "position")[];
}

/** What becomes of a transaction the owner was asked to sign. */
export interface TransactionStep {
  readonly row: CustodyRow;
  /** The reported signature belongs to another transaction; the search continues without it. */
  readonly dropsSignature?: true;
  /** Null while the chain may still execute it. */
  readonly ending: Ending | null;
}

/** Final state of a transaction. The recorded signature is kept where none is given. */
export interface Ending {
  readonly state: "confirmed" | "failed" | "expired" | "abandoned";
  readonly reason?: string;
  readonly signature?: string;
}

/** State of an agent's set-up on chain. */
export interface SetUpFacts {
  readonly isAttached: boolean;
  /** The market the trading key may trade; null while it may not trade the agent's market. */
  readonly marketOfTradingKey: string | null;
}

type Holder = Pick<CustodyRow, "agentId" | "owner">;

/**
 * Stores a change in one transaction. Returns whether it is news: false, with nothing else changed, where the
 * transaction was settled before, and where nothing has ended and the set-up is the recorded one.
 *
 * A landed signature counts for one row only: another row that claims it ends as abandoned, without consequences.
 */
export async function commitChange(
  db: Db,
  { agentId, owner }: Holder,
  change: CustodyChange,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await lockCustody(tx, agentId);
    const { transaction, pending = [], ownerEntries = [] } = change;
    if (transaction !== undefined) {
      const counts = await moveTransaction(tx, transaction, change.atMs);
      if (counts !== "counts") return counts === "taken";
    }
    if (ownerEntries.length > 0) await lockLane(tx, agentId);
    await insertPending(tx, agentId, pending);
    if (ownerEntries.length > 0) await insertOwnerEntries(tx, ownerEntries);
    const isSetUpNew = await applyToAgent(tx, { agentId, owner }, change);
    const ending = transaction?.ending ?? null;
    if (transaction === undefined || ending === null) return isSetUpNew || ownerEntries.length > 0;
    const { row } = transaction;
    await insertAudit(tx, change.atMs, owner, `custody_${ending.state}`, row.id, {
      agentId,
      intent: row.intent,
      step: row.step,
    });
    return true;
  });
}

/** `taken`: another row has the signature, so that this one is abandoned. `settled`: nothing has ended now. */
async function moveTransaction(
  tx: Db,
  { row, dropsSignature, ending }: TransactionStep,
  atMs: number,
): Promise<"counts" | "taken" | "settled"> {
  if (dropsSignature) {
    await on(tx).change`
      update custody_transactions
      set signature = null, reason = 'The reported signature belongs to another transaction.'
      where id = ${row.id} and signature = ${row.signature} and settled_at is null`;
  }
  if (ending === null) return "settled";
  const isTaken = ending.state === "confirmed" && (await isCounted(tx, row, ending.signature));
  const { state, reason, signature }: Ending = isTaken
    ? { state: "abandoned", reason: "It was replaced by a newer one." }
    : ending;
  const settled = await on(tx).change`
    update custody_transactions set state = ${state}, reason = ${reason ?? null},
      signature = coalesce(${signature ?? null}, signature), settled_at = ${new Date(atMs)}
    where id = ${row.id} and settled_at is null`;
  if (settled === 0) return "settled";
  return isTaken ? "taken" : "counts";
}

async function isCounted(db: Db, row: CustodyRow, signature: string | undefined): Promise<boolean> {
  if (signature === undefined) return false;
  return on(db).has`
    select from custody_transactions
    where agent_id = ${row.agentId} and signature = ${signature} and state = 'confirmed' and id <> ${row.id}`;
}

/** Returns whether the set-up is another than the recorded one. */
async function applyToAgent(tx: Db, holder: Holder, change: CustodyChange): Promise<boolean> {
  const { agentId } = holder;
  const at = new Date(change.atMs);
  // Before any row of the agent, as every other writer does
  if (change.isDeposit || change.isRevocation) await lockLane(tx, agentId);
  if (change.usesVault) {
    await on(tx).change`update multisigs set last_used_at = ${at} where agent_id = ${agentId}`;
  }
  const isSetUpNew = change.setUp !== undefined && (await recordSetUp(tx, agentId, change.setUp));
  if (change.deletion === "begun") await moveStatus(tx, agentId, "active", "deleting");
  if (change.deletion === "taken_back") await moveStatus(tx, agentId, "deleting", "active");
  if (change.isDeposit) await recordDeposit(tx, holder, at);
  if (change.isRevocation) await recordRevocation(tx, holder, at);
  return isSetUpNew;
}

async function recordSetUp(
  tx: Db,
  agentId: AgentId,
  { isAttached, marketOfTradingKey: market }: SetUpFacts,
): Promise<boolean> {
  const isNewlyAttached = isAttached && (await moveStatus(tx, agentId, "planned", "active"));
  if (market !== null) await saveKeyState(tx, agentId, "ours");
  const isTradingKeyNew = market !== null && (await markTradingKeySet(tx, agentId, market));
  return isNewlyAttached || isTradingKeyNew;
}

async function recordDeposit(tx: Db, holder: Holder, at: Date): Promise<void> {
  const { agentId } = holder;
  const first = await on(tx).change`
    update agents set auto_trade = 'on', updated_at = ${at},
      sub_account_id = coalesce((select sub_account_id from multisigs where agent_id = ${agentId}), 0)
    where id = ${agentId} and sub_account_id is null`;
  if (first === 0) return;
  await auditAutoTrade(tx, holder, "auto_trade_turned_on", at);
  await on(tx).change`
    update rule_conditions set count = 0
    where rule_id in (select id from rules where agent_id = ${agentId})`;
}

async function recordRevocation(tx: Db, holder: Holder, at: Date): Promise<void> {
  const { agentId } = holder;
  const wasOn = await on(tx).has`select from agents where id = ${agentId} and auto_trade = 'on'`;
  await on(tx).change`
    update agents set auto_trade = 'off', updated_at = ${at} where id = ${agentId}`;
  if (wasOn) await auditAutoTrade(tx, holder, "auto_trade_turned_off", at);
  await on(tx).change`update multisigs set delegated = false where agent_id = ${agentId}`;
  await saveKeyState(tx, agentId, "none");
}

const auditAutoTrade = (
  tx: Db,
  { agentId, owner }: Holder,
  action: string,
  at: Date,
): Promise<void> => insertAudit(tx, at.getTime(), owner, action, agentId);
