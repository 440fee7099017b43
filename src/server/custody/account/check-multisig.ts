import type { Address } from "@solana/kit";
import type { Account } from "../../../solana/chain.ts";
import { type Multisig, multisigCodec } from "../../../solana/programs/squads-accounts.ts";
import { SQUADS_PROGRAM } from "../../../solana/programs/squads.ts";

/** Initiate, vote and execute. */
const ALL_PERMISSIONS = 7;

/**
 * Returns the multisig when it has exactly the configuration custody relies on, otherwise the first mismatch.
 *
 * The owner is a member with every permission; threshold 1; no time lock; config authority and rent collector the owner;
 * the create key the one recorded before the owner signed. Further members take nothing of that from the owner: they are
 * told as unknown powers, and closing and withdrawing go on.
 */
export function checkMultisig(
  account: Account,
  planned: { readonly owner: Address; readonly createKey: Address },
): { readonly multisig: Multisig } | { readonly mismatch: string } {
  if (account.owner !== SQUADS_PROGRAM) return { mismatch: "it does not belong to Squads" };
  let multisig: Multisig;
  try {
    multisig = multisigCodec.decode(account.data);
  } catch {
    return { mismatch: "it is not a multisig" };
  }
  const member = multisig.members.find(({ key }) => key === planned.owner);
  const mismatch =
    (multisig.createKey !== planned.createKey && "its create key is another one") ||
    (multisig.threshold !== 1 && "its threshold is not 1") ||
    (member === undefined && "the owner is no member of it") ||
    (member?.permissions !== ALL_PERMISSIONS && "the owner may not do everything in it") ||
    (multisig.configAuthority !== planned.owner && "its config authority is not the owner") ||
    (multisig.timeLock !== 0 && "it has a time lock") ||
    (multisig.rentCollector !== planned.owner && "its rent collector is not the owner");
  return mismatch === false ? { multisig } : { mismatch };
}
