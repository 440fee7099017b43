import { sql } from "kysely";
import type { AgentId } from "../../../domain/ids.ts";
import { insertAudit } from "../audit/audit.ts";
import { readAutoTrade } from "../lanes/auto-trade.ts";
import { type CustodyRow, lockCustody } from "./custody.ts";
import type { Db } from "../postgres/db.ts";

/** Outcome of a transaction. */
export interface CustodyOutcome {
  readonly state: "confirmed" | "failed" | "expired" | "abandoned";
  readonly reason?: string | undefined;
  readonly signature?: string | undefined;
  readonly at: Date;
}

/**
 * Settles a transaction once, with all consequences for the agent. Returns false, with nothing changed, when it was
 * already settled. A landed signature counts for one row only: another row that claims it ends as abandoned.
 */
export async function settleCustody(
  db: Db,
  row: CustodyRow,
  outcome: CustodyOutcome,
  consequence: (tx: Db) => Promise<void>,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await lockCustody(tx, row.agentId);
    const isTaken = outcome.state === "confirmed" && (await isCounted(tx, row, outcome.signature));
    const changed = await tx
      .updateTable("custody_transactions")
      .set({
        state: isTaken ? "abandoned" : outcome.state,
        reason: isTaken ? "It was replaced by a newer one." : (outcome.reason ?? null),
        settled_at: outcome.at,
        ...(isTaken || outcome.signature === undefined ? {} : { signature: outcome.signature }),
      })
      .where("id", "=", row.id)
      .where("settled_at", "is", null)
      .executeTakeFirst();
    if (changed.numUpdatedRows === 0n) return false;
    if (isTaken) return true;
    await consequence(tx);
    await insertAudit(tx, {
      at: outcome.at.getTime(),
      wallet: row.owner,
      action: `custody_${outcome.state}`,
      object: row.id,
      detail: { agentId: row.agentId, intent: row.intent, step: row.step },
    });
    return true;
  });
}

async function isCounted(db: Db, row: CustodyRow, signature: string | undefined): Promise<boolean> {
  if (signature === undefined) return false;
  const other = await db
    .selectFrom("custody_transactions")
    .select("id")
    .where("agent_id", "=", row.agentId)
    .where("signature", "=", signature)
    .where("state", "=", "confirmed")
    .where("id", "<>", row.id)
    .executeTakeFirst();
  return other !== undefined;
}

/** Records the sub-account and turns trading on with counters at zero, on the first deposit only. */
export async function recordDeposit(
  db: Db,
  { agentId, owner }: Pick<CustodyRow, "agentId" | "owner">,
  subAccountId: number,
  at: Date,
): Promise<void> {
  await db
    .selectFrom("lanes")
    .select("agent_id")
    .where("agent_id", "=", agentId)
    .forUpdate()
    .execute();
  await db
    .updateTable("multisigs")
    .set({ last_used_at: at })
    .where("agent_id", "=", agentId)
    .execute();
  const first = await db
    .updateTable("agents")
    .set({ sub_account_id: subAccountId, auto_trade: "on", updated_at: at })
    .where("id", "=", agentId)
    .where("sub_account_id", "is", null)
    .executeTakeFirst();
  if (first.numUpdatedRows === 0n) return;
  await insertAudit(db, {
    at: at.getTime(),
    wallet: owner,
    action: "auto_trade_turned_on",
    object: agentId,
  });
  await db
    .updateTable("rule_conditions")
    .set({ count: 0 })
    .where("rule_id", "in", (rules) =>
      rules.selectFrom("rules").select("id").where("agent_id", "=", agentId),
    )
    .execute();
}

/** Records that the vault moved money. */
export async function recordVaultUse(db: Db, agentId: AgentId, at: Date): Promise<void> {
  await db
    .updateTable("multisigs")
    .set({ last_used_at: at })
    .where("agent_id", "=", agentId)
    .execute();
}

/** Turns trading off at once: without its key nothing can trade. Planned orders are denied in their turn. */
export async function recordRevocation(
  db: Db,
  { agentId, owner }: Pick<CustodyRow, "agentId" | "owner">,
  at: Date,
): Promise<void> {
  await db
    .selectFrom("lanes")
    .select("agent_id")
    .where("agent_id", "=", agentId)
    .forUpdate()
    .execute();
  const before = await readAutoTrade(db, agentId);
  await db
    .updateTable("agents")
    .set({ auto_trade: "off", updated_at: at })
    .where("id", "=", agentId)
    .execute();
  if (before === "on") {
    await insertAudit(db, {
      at: at.getTime(),
      wallet: owner,
      action: "auto_trade_turned_off",
      object: agentId,
    });
  }
  await db
    .updateTable("multisigs")
    .set({ delegated: false, last_used_at: at })
    .where("agent_id", "=", agentId)
    .execute();
}

/** Returns the lamports that the agent's confirmed recoveries returned to its owner's wallet. */
export async function sumRecoveredLamports(db: Db, agentId: AgentId): Promise<bigint> {
  const { sum } = await db
    .selectFrom("custody_transactions")
    .select(sql<string | null>`sum((costs->>'recoveredLamports')::numeric)::text`.as("sum"))
    .where("agent_id", "=", agentId)
    .where("intent", "=", "delete")
    .where("state", "=", "confirmed")
    .executeTakeFirstOrThrow();
  return BigInt(sum ?? "0");
}
