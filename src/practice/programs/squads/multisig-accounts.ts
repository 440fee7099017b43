import type { Address } from "@solana/kit";
import { addressBytes } from "../../../solana/encoding/address-codec.ts";
import type { Multisig } from "../../../solana/programs/squads-accounts.ts";
import { multisigCodec } from "../../../solana/programs/squads-accounts.ts";
import { deriveMultisig } from "../../../solana/programs/squads.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import type { Loaded } from "../anchor.ts";
import { loadAt, requireSeeds } from "../anchor.ts";
import { ensure } from "./squads-failures.ts";

/** Permission bits of a member. */
export const PERMISSION = { initiate: 1, vote: 2, execute: 4 } as const;

export function loadMultisig(context: InstructionContext): Loaded<Multisig> {
  return loadAt(context, 0, "multisig", multisigCodec);
}

export function requireMultisigSeeds(context: InstructionContext, multisig: Loaded<Multisig>) {
  const { address } = deriveMultisig(multisig.value.createKey);
  requireSeeds(context, multisig.address, address, "multisig");
}

/** Fails unless the key is a member with at least one of the permissions. */
export function requireMember(
  context: InstructionContext,
  multisig: Multisig,
  key: Address,
  permissions: number,
): void {
  const member = multisig.members.find((candidate) => candidate.key === key);
  ensure(context, member !== undefined, "NotAMember");
  ensure(context, (member.permissions & permissions) !== 0, "Unauthorized");
}

/** Compares keys in the program's sort order. */
export function compareKeys(a: Address, b: Address): number {
  const [left, right] = [addressBytes(a), addressBytes(b)];
  const at = left.findIndex((byte, index) => byte !== right[index]);
  return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}
