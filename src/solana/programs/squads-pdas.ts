import { type Address, address, getU64Encoder } from "@solana/kit";
import { addressBytes } from "../encoding/address-codec.ts";
import { type ProgramDerivedAddress, deriveAddress } from "../encoding/pda.ts";

/** Address of the Squads v4 program, immutable on mainnet. */
export const SQUADS_PROGRAM = address("SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf");

const u64 = (value: bigint): Uint8Array => new Uint8Array(getU64Encoder().encode(value));
const PREFIX = "multisig";
const ofMultisig = (multisig: Address, ...seeds: readonly (Uint8Array | string)[]) => [
  PREFIX,
  addressBytes(multisig),
  ...seeds,
];

/** Seeds of the program's derived addresses. */
export const squadsSeeds = {
  programConfig: () => [PREFIX, "program_config"],
  multisig: (createKey: Address) => [PREFIX, PREFIX, addressBytes(createKey)],
  vault: (multisig: Address, vaultIndex: number) =>
    ofMultisig(multisig, "vault", Uint8Array.of(vaultIndex)),
  transaction: (multisig: Address, index: bigint) =>
    ofMultisig(multisig, "transaction", u64(index)),
  proposal: (multisig: Address, index: bigint) =>
    ofMultisig(multisig, "transaction", u64(index), "proposal"),
  spendingLimit: (multisig: Address, createKey: Address) =>
    ofMultisig(multisig, "spending_limit", addressBytes(createKey)),
} as const;

/** Derives the program's configuration account, which names the treasury and the creation fee. */
export const deriveProgramConfig = (): ProgramDerivedAddress =>
  deriveAddress(SQUADS_PROGRAM, squadsSeeds.programConfig());

/** Derives the multisig account of a create key. */
export const deriveMultisig = (createKey: Address): ProgramDerivedAddress =>
  deriveAddress(SQUADS_PROGRAM, squadsSeeds.multisig(createKey));

/** Derives the address that holds the multisig's funds. */
export const deriveVault = (multisig: Address, vaultIndex = 0): ProgramDerivedAddress =>
  deriveAddress(SQUADS_PROGRAM, squadsSeeds.vault(multisig, vaultIndex));

/** Derives the account that stores one vault transaction. Indexes start at 1. */
export const deriveVaultTransaction = (multisig: Address, index: bigint): ProgramDerivedAddress =>
  deriveAddress(SQUADS_PROGRAM, squadsSeeds.transaction(multisig, index));

/** Derives the proposal of one vault transaction. */
export const deriveProposal = (multisig: Address, index: bigint): ProgramDerivedAddress =>
  deriveAddress(SQUADS_PROGRAM, squadsSeeds.proposal(multisig, index));

/** Derives the spending limit of a create key. */
export const deriveSpendingLimit = (multisig: Address, createKey: Address): ProgramDerivedAddress =>
  deriveAddress(SQUADS_PROGRAM, squadsSeeds.spendingLimit(multisig, createKey));
