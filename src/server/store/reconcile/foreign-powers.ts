import type { AgentId, OwnerAddress } from "../../../domain/ids.ts";
import { insertCustodyFlag, lastFlagKey } from "../custody/custody-notices.ts";
import type { Db } from "../postgres/db.ts";

/** Kinds of custody flags: unauthorised third-party authorities, and those the owner accepted. */
export const POWERS = "powers";
export const ACCEPTED = "powers_accepted";

/** Returns whether the authorities last flagged are others than those last accepted. */
export const areUndecided = (present: string | null, accepted: string | null): boolean =>
  (present ?? "") !== "" && present !== accepted;

/** Records that the owner accepts the present third-party authorities and continues trading. */
export async function acceptPowers(
  db: Db,
  { agentId, owner, atMs }: { agentId: AgentId; owner: OwnerAddress; atMs: number },
): Promise<void> {
  const key = (await lastFlagKey(db, agentId, POWERS)) ?? "";
  if (!areUndecided(key, await lastFlagKey(db, agentId, ACCEPTED))) return;
  const text = "You turned Auto-Trade on and accepted who else may move this agent's money.";
  await insertCustodyFlag(db, ACCEPTED, { agentId, owner, key, text, atMs });
}
