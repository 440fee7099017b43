import { formatDecimal } from "../../../domain/amount.ts";

export const LAMPORT_DECIMALS = 9;

/** Minimum wallet balance before a new agent is set up: 0.2 SOL. */
export const SET_UP_WALLET_LAMPORTS = 200_000_000n;

/** Minimum wallet balance for any later step: 0.01 SOL. */
export const WALLET_LAMPORTS = 10_000_000n;

/** Amount a vault is funded with: 0.1 SOL. */
export const VAULT_FUNDING_LAMPORTS = 100_000_000n;

/** Vault balance below which it is funded before the delegation: 0.05 SOL. */
export const VAULT_MIN_LAMPORTS = 50_000_000n;

/** Minimum vault balance for the delegation: 0.035 SOL. */
const DELEGATION_MIN_LAMPORTS = 35_000_000n;

/** Fee of one signature. */
export const SIGNATURE_FEE_LAMPORTS = 5_000n;

/** Priority fee of what an owner signs, in micro-lamports per compute unit. */
export const OWNER_UNIT_PRICE_MICRO_LAMPORTS = 5_000n;

/** Priority fee of deletion and recovery, in micro-lamports per compute unit. */
export const EXIT_UNIT_PRICE_MICRO_LAMPORTS = 20_000n;

/** Compute units of deletion and recovery. */
export const EXIT_COMPUTE_UNITS = 600_000;

/** Minimum that recovery leaves in the vault: 0.001 SOL. */
export const VAULT_RESERVE_LAMPORTS = 1_000_000n;

/** Minimum worth recovering, given the cost of its transaction. */
export const MIN_RECOVERED_LAMPORTS = 20_000n;

/** Returns the largest amount in quote base units that counts as dust: 0.01. */
export function quoteDust(decimals: number): bigint {
  return 10n ** BigInt(decimals - 2);
}

/** Returns the lamports the vault needs before the venue's accounts of that rent can be created, at least 0.035 SOL. */
export function delegationLamports(setUpRentLamports: bigint, vaultFloorLamports: bigint): bigint {
  const needed = setUpRentLamports + vaultFloorLamports;
  return needed > DELEGATION_MIN_LAMPORTS ? needed : DELEGATION_MIN_LAMPORTS;
}

/** Returns the lamports recovery leaves in the vault: 0.001 SOL or the rent-exempt minimum, whichever is larger. */
export function vaultReserve(vaultFloorLamports: bigint): bigint {
  return vaultFloorLamports > VAULT_RESERVE_LAMPORTS ? vaultFloorLamports : VAULT_RESERVE_LAMPORTS;
}

/** Returns the priority fee of a compute limit in lamports, rounded up as the chain charges it. */
export function priorityFeeLamports(
  computeUnitLimit: number,
  unitPrice: bigint = OWNER_UNIT_PRICE_MICRO_LAMPORTS,
): bigint {
  const microLamports = BigInt(computeUnitLimit) * unitPrice;
  return (microLamports + 999_999n) / 1_000_000n;
}

/** Formats lamports in SOL, for instance `0.2 SOL`. */
export function formatSol(lamports: bigint): string {
  return `${formatDecimal(lamports, LAMPORT_DECIMALS)} SOL`;
}
