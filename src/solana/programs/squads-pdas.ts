import { type Address, address, getU64Encoder } from "@solana/kit";
import { addressBytes } from "../encoding/address-codec.ts";
import { type ProgramDerivedAddress, deriveAddress } from "../encoding/pda.ts";

/** Address of the Squads v4 program, immutable on mainnet. */
export const SQUADS_PROGRAM = address("SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf");

/** Seed that begins every derived address of Squads v4. */
export const SQUADS_SEED = "multisig";

const ofMultisig = (multisig: Address, ...seeds: (Uint8Array | string)[]): ProgramDerivedAddress =>
  deriveAddress(SQUADS_PROGRAM, [SQUADS_SEED, addressBytes(multisig), ...seeds]);

const u64 = (value: bigint): Uint8Array => new Uint8Array(getU64Encoder().encode(value));

/** Derives the program's configuration account, which names the treasury and the creation fee. */
export function deriveProgramConfig(): ProgramDerivedAddress {
  return deriveAddress(SQUADS_PROGRAM, [SQUADS_SEED, "program_config"]);
}

/** Derives the multisig account of a create key. */
export function deriveMultisig(createKey: Address): ProgramDerivedAddress {
  return deriveAddress(SQUADS_PROGRAM, [SQUADS_SEED, SQUADS_SEED, addressBytes(createKey)]);
}

/** Derives the address that holds the multisig's funds. */
export function deriveVault(multisig: Address, vaultIndex = 0): ProgramDerivedAddress {
  return ofMultisig(multisig, "vault", Uint8Array.of(vaultIndex));
}

/** Derives the account that stores one vault transaction. Indexes start at 1. */
export function deriveVaultTransaction(
  multisig: Address,
  transactionIndex: bigint,
): ProgramDerivedAddress {
  return ofMultisig(multisig, "transaction", u64(transactionIndex));
}

/** Derives the proposal of one vault transaction. */
export function deriveProposal(multisig: Address, transactionIndex: bigint): ProgramDerivedAddress {
  return ofMultisig(multisig, "transaction", u64(transactionIndex), "proposal");
}

/** Derives the spending limit of a create key. */
export function deriveSpendingLimit(multisig: Address, createKey: Address): ProgramDerivedAddress {
  return ofMultisig(multisig, "spending_limit", addressBytes(createKey));
}
