import { insertCustodyFlag, lastFlagKey } from "../custody/custody-notices.ts";
import type { Db } from "../postgres/db.ts";

/** Kinds of custody flags: who may move the agent's money without having been given that here, and whom the owner kept. */
export const POWERS = "powers";
const ACCEPTED = "powers_accepted";

/** Says whether somebody may move the agent's money of whom its owner has not decided yet. */
export async function hasUndecidedPowers(db: Db, agentId: string): Promise<boolean> {
  const present = (await lastFlagKey(db, agentId, POWERS)) ?? "";
  return present !== "" && present !== (await lastFlagKey(db, agentId, ACCEPTED));
}

/** Keeps whoever may move the agent's money now: its owner knows of them and trades on. */
export async function acceptPowers(
  db: Db,
  { agentId, owner, atMs }: { agentId: string; owner: string; atMs: number },
): Promise<void> {
  const key = (await lastFlagKey(db, agentId, POWERS)) ?? "";
  if (key === "" || !(await hasUndecidedPowers(db, agentId))) return;
  const text = "You turned Auto-Trade on and accepted who else may move this agent's money.";
  await insertCustodyFlag(db, ACCEPTED, { agentId, owner, key, text, atMs });
}
