import { insertAudit } from "../audit/audit.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";
import { abandonUnsigned } from "./custody.ts";
import { insertCustodyFlag } from "./custody-notices.ts";
import type { CustodyAgent } from "./multisigs.ts";

/** A key change by an operator, as told to the owner. */
export interface KeyChange {
  readonly atMs: number;
  readonly text: string;
}

/**
 * Replaces an agent's trading key in the records. The owner has to approve it before the agent trades again; what was
 * prepared with the former key is not renewed.
 */
export async function replaceTradingKey(
  db: Db,
  { agentId, owner }: CustodyAgent,
  tradingKey: string,
  { atMs, text }: KeyChange,
): Promise<void> {
  await on(db).change`
    update multisigs set delegate = ${tradingKey}, delegated = false, key_revoked_at = null
    where agent_id = ${agentId}`;
  await abandonUnsigned(db, agentId);
  await insertAudit(db, atMs, owner, "delegate_replaced", agentId);
  await insertCustodyFlag(db, "key", { agentId, owner, key: tradingKey, text, atMs });
}

/** Records that an agent's trading key is revoked, and renews nothing with it. Returns whether it was not before. */
export async function withdrawTradingKey(
  db: Db,
  { agentId, owner }: CustodyAgent,
  { atMs, text }: KeyChange,
): Promise<boolean> {
  const changed = await on(db).change`
    update multisigs set key_revoked_at = ${new Date(atMs)}
    where agent_id = ${agentId} and key_revoked_at is null`;
  if (changed === 0) return false;
  await abandonUnsigned(db, agentId);
  await insertAudit(db, atMs, owner, "delegate_withdrawn", agentId);
  await insertCustodyFlag(db, "key", { agentId, owner, key: `withdrawn:${atMs}`, text, atMs });
  return true;
}
