import { AppError } from "../../contract/errors.ts";
import type { AgentId } from "../../domain/ids.ts";
import { parseAddress } from "../../solana/encoding/address-codec.ts";
import { hasOwnerRevoked, insertCustodyFlag } from "../store/custody/custody-notices.ts";
import type { Db } from "../store/postgres/db.ts";
import { type CustodyAgent, findCustodyAgent } from "../store/custody/multisigs.ts";
import { type CustodyContext, findContext } from "./account/custody-context.ts";
import type { PublicKeys } from "./account/custody-keys.ts";
import { isSetUpOpen } from "./access-summary.ts";
import { readCustody } from "./account/read-custody.ts";
import type { SettleDeps } from "./settle-transaction.ts";

/**
 * Checks before a trade that an agent's custody on chain still matches its set-up.
 *
 * Returns null when it matches, otherwise the sentence shown to the owner, which is also added to the agent's notices.
 * Throws `ChainUnavailableError`: an unread custody never counts as valid. A valid result may be cached for 60 s unless
 * a fresh one is requested. A caller that has just read the agent's record passes it instead of the id.
 */
export type CustodyGuard = (
  agent: AgentId | CustodyAgent,
  freshness?: "now",
) => Promise<string | null>;

/** Lifetime of a cached valid result, in milliseconds. */
const FRESH_MS = 60_000;

const MAX_KEPT = 10_000;

/** Shown between the two transactions of a set-up. */
const UNFINISHED = "The set-up is not finished.";

const REVOKED = "The trading key was revoked.";

const NO_ACCOUNT = "The trading account is not on chain.";

/**
 * Creates a guard. Only valid results are cached, so a repaired custody counts at once. Guards of one process share the
 * cache `goodSince` to avoid repeated reads.
 */
export function createCustodyGuard(
  deps: SettleDeps & { readonly keys: PublicKeys; readonly goodSince?: Map<string, number> },
): CustodyGuard {
  const goodSince = deps.goodSince ?? new Map<string, number>();
  return async (asked, freshness) => {
    const nowMs = deps.clock.now();
    const agentId = typeof asked === "string" ? asked : asked.agentId;
    const since = goodSince.get(agentId);
    if (freshness !== "now" && since !== undefined && nowMs - since < FRESH_MS) return null;
    const agent = typeof asked === "string" ? await findCustodyAgent(deps.db, asked) : asked;
    const context = findContext(deps.networks, agent);
    if (context === null) return "The agent has no custody yet.";
    const wrong =
      (await findRecordFault(deps.keys, context)) ?? (await findChainFault(deps.keys, context));
    if (wrong === null) {
      if (goodSince.size >= MAX_KEPT) goodSince.clear();
      goodSince.set(agentId, nowMs);
    } else goodSince.delete(agentId);
    const changed = wrong === null || (await isOwnersDoing(deps.db, context, wrong)) ? null : wrong;
    const isNews = await insertCustodyFlag(deps.db, "custody", {
      agentId,
      owner: context.agent.owner,
      key: changed ?? "",
      text: changed === null ? "" : `${changed} Nothing is traded until that is put right.`,
      atMs: nowMs,
    });
    if (isNews) deps.publisher.publish(context.agent.owner, { topic: "custody", id: agentId });
    return wrong;
  };
}

/**
 * Returns whether the owner caused the mismatch in this application: an unsigned set-up, a revocation or a deletion.
 */
async function isOwnersDoing(db: Db, { agent }: CustodyContext, wrong: string): Promise<boolean> {
  if (wrong === UNFINISHED) return true;
  if (wrong !== REVOKED && wrong !== NO_ACCOUNT) return false;
  if (agent.multisig?.status === "deleting") return true;
  // Where only spending limits authorise the key, revoking them removes the account as well
  return hasOwnerRevoked(db, agent.agentId);
}

/**
 * Returns the mismatch between the record and the deployment's keys: the record was changed or made with another
 * secret.
 */
async function findRecordFault(
  keys: PublicKeys,
  { agent, account, createKey }: CustodyContext,
): Promise<string | null> {
  if (agent.multisig?.keyRevokedAt != null) {
    return "The operator withdrew this agent's trading key.";
  }
  const mine = await keys.custodyOf(agent.agentId, createKey);
  const isMine =
    mine?.multisig === account.multisig &&
    mine.vault === account.vault &&
    (await keys.tradingKeyAt(agent.agentId, account.tradingKey)) !== null;
  return isMine
    ? null
    : "The trading key of this deployment is not the one this agent was set up with.";
}

async function findChainFault(keys: PublicKeys, context: CustodyContext): Promise<string | null> {
  const { agent, venue, account } = context;
  try {
    const [state, custody] = await Promise.all([readCustody(context), venue.readCustody(account)]);
    if (state.multisig === null) return "The multisig is not on chain.";
    if (isSetUpOpen(context, custody)) return UNFINISHED;
    if (custody.account === null) return NO_ACCOUNT;
    if (custody.tradingKey === null) return REVOKED;
    const ours = parseAddress(account.tradingKey);
    if (custody.tradingKey === ours) return null;
    return (await keys.isTradingKey(agent.agentId, custody.tradingKey))
      ? "The trading key was replaced, and the new one waits for the owner's approval."
      : `Another key may trade for this agent: ${custody.tradingKey}.`;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}
