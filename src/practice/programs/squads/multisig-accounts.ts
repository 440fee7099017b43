import type { Address } from "@solana/kit";
import { addressBytes } from "../../../solana/encoding/address-codec.ts";
import type { Multisig } from "../../../solana/programs/squads-accounts.ts";
import { multisigCodec } from "../../../solana/programs/squads-accounts.ts";
import { SQUADS_PROGRAM, SQUADS_SEED } from "../../../solana/programs/squads-pdas.ts";
import { u64Bytes, utf8Bytes } from "../../runtime/bytes.ts";
import { findProgramAddress } from "../../runtime/program-address.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import type { Loaded } from "../anchor.ts";
import { loadAt, requireSeeds } from "../anchor.ts";
import { ensure } from "./squads-failures.ts";

/** Permission bits of a member. */
export const PERMISSION = { initiate: 1, vote: 2, execute: 4 } as const;

const PREFIX = utf8Bytes(SQUADS_SEED);

/** Seeds of a derived address, with and without their bump. */
export interface Derivation {
  readonly address: Address;
  readonly bump: number;
  readonly seeds: readonly Uint8Array[];
}

function derive(seeds: readonly Uint8Array[]): Derivation {
  const [address, bump] = findProgramAddress(seeds, SQUADS_PROGRAM);
  return { address, bump, seeds: [...seeds, Uint8Array.of(bump)] };
}

export function multisigDerivation(createKey: Address): Derivation {
  return derive([PREFIX, PREFIX, addressBytes(createKey)]);
}

export function programConfigDerivation(): Derivation {
  return derive([PREFIX, utf8Bytes("program_config")]);
}

export function vaultDerivation(multisig: Address, vaultIndex: number): Derivation {
  return derive([PREFIX, addressBytes(multisig), utf8Bytes("vault"), Uint8Array.of(vaultIndex)]);
}

export function transactionDerivation(multisig: Address, index: bigint): Derivation {
  return derive([PREFIX, addressBytes(multisig), utf8Bytes("transaction"), u64Bytes(index)]);
}

export function proposalDerivation(multisig: Address, index: bigint): Derivation {
  return derive([
    PREFIX,
    addressBytes(multisig),
    utf8Bytes("transaction"),
    u64Bytes(index),
    utf8Bytes("proposal"),
  ]);
}

export function spendingLimitDerivation(multisig: Address, createKey: Address): Derivation {
  return derive([
    PREFIX,
    addressBytes(multisig),
    utf8Bytes("spending_limit"),
    addressBytes(createKey),
  ]);
}

export function loadMultisig(context: InstructionContext): Loaded<Multisig> {
  return loadAt(context, 0, "multisig", multisigCodec);
}

export function requireMultisigSeeds(context: InstructionContext, multisig: Loaded<Multisig>) {
  const { address } = multisigDerivation(multisig.value.createKey);
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
