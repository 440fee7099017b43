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

/** Replaces the webhook token of each of a wallet's agents and ends its read tokens. */
export async function replaceTokensOf(tx: Db, by: Actor, at: number): Promise<void> {
  const { wallet } = by;
  const agentIds = (await listAgentsOf(tx, wallet)).map(({ id }) => id);
  // In one order, so that two such calls never wait for each other
  for (const id of agentIds.toSorted()) await replaceWebhookToken(tx, id, by, at);
  for (const { id } of await listLiveTokens(tx, wallet, at)) {
    await revokeToken(tx, wallet, id, at);
    await insertAudit(tx, at, by, "read_token_revoked", id);
  }
}
