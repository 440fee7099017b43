import { insertCustodyFlag, lastFlagKey } from "../custody/custody-notices.ts";
import type { Db } from "../postgres/db.ts";

/** Kinds of custody flags: unauthorised third-party authorities, and those the owner accepted. */
export const POWERS = "powers";
const ACCEPTED = "powers_accepted";

/** Returns whether a third party has authority over the agent's funds that its owner has not decided on. */
export async function hasUndecidedPowers(db: Db, agentId: string): Promise<boolean> {
  const present = (await lastFlagKey(db, agentId, POWERS)) ?? "";
  return present !== "" && present !== (await lastFlagKey(db, agentId, ACCEPTED));
}

/** Records that the owner accepts the present third-party authorities and continues trading. */
export async function acceptPowers(
  db: Db,
  { agentId, owner, atMs }: { agentId: string; owner: string; atMs: number },
): Promise<void> {
  const key = (await lastFlagKey(db, agentId, POWERS)) ?? "";
  if (key === "" || !(await hasUndecidedPowers(db, agentId))) return;
  const text = "You turned Auto-Trade on and accepted who else may move this agent's money.";
  await insertCustodyFlag(db, ACCEPTED, { agentId, owner, key, text, atMs });
}
