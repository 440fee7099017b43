import type { Address } from "@solana/kit";
import {
  squadsArguments,
  deriveMultisig,
  SQUADS_PROGRAM,
} from "../../../solana/programs/squads.ts";
import { instructionsOf, readWire } from "../../../solana/wire.ts";

/** Accounts of a multisig's creation, in the program's order. */
const CREATION_ACCOUNTS = 6;

/** All permissions of a member: propose, vote and execute. */
const ALL_PERMISSIONS = 7;

function readCreation(data: Uint8Array) {
  const { multisigCreateV2 } = squadsArguments;
  try {
    const creation = multisigCreateV2.decode(data);
    // Decoding ignores bytes behind the arguments
    return multisigCreateV2.encode(creation).length === data.length ? creation : null;
  } catch {
    return null;
  }
}

/**
 * Returns why a create key must not sign a transaction, or null where it may: the transaction names it once, in the
 * creation of its own multisig, of which the paying creator is the only member, the authority and who gets the rent.
 * Other instructions are the creator's business: he signs them. Throws on malformed bytes.
 */
export function refuseCoSignature(transaction: Uint8Array, createKey: Address): string | null {
  const { message } = readWire(transaction);
  const { staticAccounts } = message;
  const at = staticAccounts.indexOf(createKey);
  if (at === 0) return "the create key pays nothing";
  const naming = instructionsOf(message).filter(
    ({ programIndex, accountIndexes }) => programIndex === at || accountIndexes.includes(at),
  );
  const [only] = naming;
  if (naming.length !== 1 || only === undefined) return "it does not create one multisig";
  const creation = readCreation(only.data);
  if (staticAccounts[only.programIndex] !== SQUADS_PROGRAM || creation === null) {
    return "it does not create a multisig";
  }
  const [, , multisig, key, creator] = only.accountIndexes.map((index) => staticAccounts[index]);
  if (
    only.accountIndexes.length !== CREATION_ACCOUNTS ||
    key !== createKey ||
    multisig !== deriveMultisig(createKey).address
  ) {
    return "it creates another multisig";
  }
  const { configAuthority, threshold, members, timeLock, rentCollector } = creation;
  const [member] = members;
  const isCreators =
    creator !== undefined &&
    members.length === 1 &&
    member?.key === creator &&
    member.permissions === ALL_PERMISSIONS &&
    configAuthority === creator &&
    rentCollector === creator &&
    threshold === 1 &&
    timeLock === 0;
  return isCreators ? null : "somebody else than its creator gets power over the multisig";
}
