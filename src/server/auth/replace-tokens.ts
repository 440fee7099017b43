import type { AgentId } from "../../domain/ids.ts";
import { listAgentsOf, lockLane } from "../store/agents/agents.ts";
import { resetReplacedTokenAlerts } from "../store/alerts/alerts.ts";
import { type Actor, insertAudit } from "../store/audit/audit.ts";
import { listLiveTokens, revokeToken } from "../store/auth/read-tokens.ts";
import { readTokenVersion } from "../store/intake/inbox.ts";
import type { Db } from "../store/postgres/db.ts";

/** Replaces an agent's webhook token and returns the new one's version; null for an agent that is gone. */
export async function replaceWebhookToken(
  tx: Db,
  agentId: AgentId,
  by: Actor,
  at: number,
): Promise<number | null> {
  await lockLane(tx, agentId);
  const version = await readTokenVersion(tx, agentId, { rotates: true });
  if (version !== null) await resetReplacedTokenAlerts(tx, agentId, at);
  await insertAudit(tx, at, by, "webhook_token_rotated", agentId);
  return version;
}

/** Ends a token or connection of a wallet; returns false when it has no valid one with that id. */
export async function endToken(db: Db, by: Actor, id: string, at: number): Promise<boolean> {
  const isEnded = await revokeToken(db, by.wallet, id, at);
  if (isEnded) await insertAudit(db, at, by, "read_token_revoked", id);
  return isEnded;
}

/** Ends a wallet's connected assistants; with `isAll` its other read tokens too, and replaces its agents' webhook tokens. */
export async function endTokensOf(tx: Db, by: Actor, at: number, isAll: boolean): Promise<void> {
  const agentIds = isAll ? (await listAgentsOf(tx, by.wallet)).map(({ id }) => id) : [];
  // In one order, so that two such calls never wait for each other
  for (const id of agentIds.toSorted()) await replaceWebhookToken(tx, id, by, at);
  for (const { id, connectedFrom } of await listLiveTokens(tx, by.wallet, at)) {
    if (isAll || connectedFrom !== null) await endToken(tx, by, id, at);
  }
}
